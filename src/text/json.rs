//! JSON read raw: what serde_json would repair, refuse or forget is kept.
//!
//! serde_json refuses a lone surrogate, keeps one of two equal member names without a word and rewrites `1e3` as
//! `1e+3`. All three are part of what a server said, so the wire is read by this parser, which yields serde_json's
//! values and what it had to bend. Grammar and depth limit are serde_json's; the property test below holds it to that.

use std::collections::BTreeMap;

use serde_json::{Map, Number, Value};

use super::pointer::{self, Pointer};

/// Containers inside containers that are read before giving up. jsonschema overflows its stack far beyond this, so
/// it must not be raised.
pub const MAX_DEPTH: usize = 127;

/// A document and what was bent to read it.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The document.
    pub value: Value,
    /// What serde_json could not have said, in the order of the text.
    pub oddities: Vec<Oddity>,
    /// Numbers whose text serde_json writes in another form, by place: `("/a", "1e3")`.
    pub exact: Vec<(Pointer, String)>,
}

/// Something legal or nearly legal that parsers treat differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Oddity {
    /// Where it stands.
    pub at: Pointer,
    /// What it is.
    pub kind: OddityKind,
}

/// The kinds of [`Oddity`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OddityKind {
    /// A `\ud800`-style escape without its pair, replaced by U+FFFD.
    LoneSurrogate,
    /// A member name that stood in its object before; the last value counts.
    DuplicateKey,
}

/// Why a text is not JSON, with the place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct Broken {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Byte offset of the place.
    pub offset: usize,
    /// What stands there, in a few words.
    pub problem: String,
}

/// Reads one JSON document.
///
/// # Errors
///
/// [`Broken`] when the text is not JSON, ends early, goes on after the document, or nests deeper than [`MAX_DEPTH`].
pub fn parse(text: &str) -> Result<Parsed, Broken> {
    let mut reader = Reader::new(text);
    let value = reader.value(0)?;
    reader.blanks();
    if reader.peek().is_some() {
        return Err(reader.broken("something follows the end of the document"));
    }
    Ok(Parsed {
        value,
        oddities: reader.oddities,
        exact: reader.exact,
    })
}

/// Compact JSON of `value`: no blanks, members in the order received, UTF-8 unescaped, numbers as they were written.
///
/// `exact` holds the numbers below `value` whose text serde_json writes differently.
pub fn compact(value: &Value, exact: &[(Pointer, String)]) -> String {
    if exact.is_empty() {
        return value.to_string();
    }
    let exact = exact.iter().map(|(at, text)| (at.as_str(), text.as_str())).collect();
    let mut out = String::new();
    write_exact(value, &mut String::new(), &exact, &mut out);
    out
}

fn write_exact(value: &Value, place: &mut String, exact: &BTreeMap<&str, &str>, out: &mut String) {
    let back = place.len();
    match value {
        Value::Object(members) => {
            let mut mark = '{';
            for (name, member) in members {
                out.push(std::mem::replace(&mut mark, ','));
                out.push_str(&Value::String(name.clone()).to_string());
                out.push(':');
                pointer::push_key(place, name);
                write_exact(member, place, exact, out);
                place.truncate(back);
            }
            out.push_str(if mark == '{' { "{}" } else { "}" });
        }
        Value::Array(items) => {
            let mut mark = '[';
            for (i, item) in items.iter().enumerate() {
                out.push(std::mem::replace(&mut mark, ','));
                pointer::push_key(place, &i.to_string());
                write_exact(item, place, exact, out);
                place.truncate(back);
            }
            out.push_str(if mark == '[' { "[]" } else { "]" });
        }
        leaf => match exact.get(place.as_str()) {
            Some(text) => out.push_str(text),
            None => out.push_str(&leaf.to_string()),
        },
    }
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    place: String,
    oddities: Vec<Oddity>,
    exact: Vec<(Pointer, String)>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
            place: String::new(),
            oddities: Vec::new(),
            exact: Vec::new(),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn broken(&self, problem: &str) -> Broken {
        let before = self.text.get(..self.at).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |n| n + 1);
        Broken {
            line: before.matches('\n').count() + 1,
            column: before.get(line_start..).map_or(0, |line| line.chars().count()) + 1,
            offset: self.at,
            problem: problem.to_owned(),
        }
    }

    /// The problem at this place when `wanted` should have stood here.
    fn missing(&self, wanted: &str) -> Broken {
        let found = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        match found {
            None => self.broken(&format!("the text ends where {wanted} was expected")),
            Some(letter) => self.broken(&format!(
                "{} where {wanted} was expected",
                super::safe::quoted(&letter.to_string())
            )),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, Broken> {
        self.blanks();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Null),
            _ => Err(self.missing("a JSON value")),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Broken> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if rest.starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(value)
        } else {
            Err(self.missing("a JSON value"))
        }
    }

    fn enter(&mut self, depth: usize) -> Result<(), Broken> {
        if depth >= MAX_DEPTH {
            return Err(self.broken(&format!("nested deeper than {MAX_DEPTH} levels")));
        }
        self.at += 1;
        self.blanks();
        Ok(())
    }

    fn object(&mut self, depth: usize) -> Result<Value, Broken> {
        self.enter(depth)?;
        let mut members = Map::new();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(members));
        }
        loop {
            self.blanks();
            if self.peek() != Some(b'"') {
                return Err(self.missing("a member name"));
            }
            let name = self.string()?;
            self.blanks();
            if self.peek() != Some(b':') {
                return Err(self.missing("`:`"));
            }
            self.at += 1;
            let back = self.place.len();
            pointer::push_key(&mut self.place, &name);
            if members.contains_key(&name) {
                self.forget_below_place();
                self.note(OddityKind::DuplicateKey);
            }
            let value = self.value(depth + 1)?;
            self.place.truncate(back);
            members.insert(name, value);
            if self.next_or_end(b'}')? {
                return Ok(Value::Object(members));
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, Broken> {
        self.enter(depth)?;
        let mut items = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::Array(items));
        }
        loop {
            let back = self.place.len();
            pointer::push_key(&mut self.place, &items.len().to_string());
            items.push(self.value(depth + 1)?);
            self.place.truncate(back);
            if self.next_or_end(b']')? {
                return Ok(Value::Array(items));
            }
        }
    }

    /// Past a comma, or past `end`; true at the end.
    fn next_or_end(&mut self, end: u8) -> Result<bool, Broken> {
        self.blanks();
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(false)
            }
            Some(byte) if byte == end => {
                self.at += 1;
                Ok(true)
            }
            _ => Err(self.missing(if end == b'}' { "`,` or `}`" } else { "`,` or `]`" })),
        }
    }

    fn note(&mut self, kind: OddityKind) {
        self.oddities.push(Oddity {
            at: Pointer::from_text(self.place.clone()),
            kind,
        });
    }

    /// An earlier value of the same name is gone, and so are its numbers.
    fn forget_below_place(&mut self) {
        let gone = Pointer::from_text(self.place.clone());
        self.exact.retain(|(at, _)| at.below(&gone).is_none());
    }

    fn number(&mut self) -> Result<Value, Broken> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')) {
            self.at += 1;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        let Ok(number) = serde_json::from_str::<Number>(text) else {
            self.at = start;
            return Err(self.broken("this is not a JSON number"));
        };
        if number.to_string() != text {
            self.exact
                .push((Pointer::from_text(self.place.clone()), text.to_owned()));
        }
        Ok(Value::Number(number))
    }

    fn string(&mut self) -> Result<String, Broken> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let start = self.at;
            while !matches!(self.peek(), None | Some(b'"' | b'\\' | 0..=0x1f)) {
                self.at += 1;
            }
            out.push_str(self.text.get(start..self.at).unwrap_or_default());
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(_) => return Err(self.broken("a control character inside a string must be escaped")),
                None => return Err(self.missing("the end of a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Broken> {
        self.at += 1;
        let letter = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => return Err(self.missing("an escape")),
        };
        self.at += 1;
        Ok(letter)
    }

    fn unicode_escape(&mut self) -> Result<char, Broken> {
        let first = self.hex4()?;
        if let Some(letter) = char::from_u32(first) {
            return Ok(letter);
        }
        let back = self.at;
        if first < 0xdc00 && self.bytes.get(self.at..self.at + 2) == Some(br"\u".as_slice()) {
            self.at += 1;
            let second = self.hex4()?;
            if (0xdc00..=0xdfff).contains(&second) {
                let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return char::from_u32(code).ok_or_else(|| self.broken("this is not a character"));
            }
            self.at = back;
        }
        self.note(OddityKind::LoneSurrogate);
        Ok(char::REPLACEMENT_CHARACTER)
    }

    /// The four digits after the `u` that the reader stands on.
    fn hex4(&mut self) -> Result<u32, Broken> {
        let digits = self.text.get(self.at + 1..self.at + 5).unwrap_or_default();
        let all_hex = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        match u32::from_str_radix(digits, 16) {
            Ok(code) if all_hex => {
                self.at += 5;
                Ok(code)
            }
            _ => Err(self.broken("`\\u` needs four hex digits")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn places(text: &str) -> Vec<(String, OddityKind)> {
        let parsed = parse(text).unwrap();
        parsed
            .oddities
            .iter()
            .map(|odd| (odd.at.to_string(), odd.kind))
            .collect()
    }

    #[test]
    fn lone_surrogates_are_replaced_and_placed() {
        let text = r#"{"a":["x\ud83dy","\ude8c","\ud83d\ude8c","\ud83d\u0041"]}"#;
        let parsed = parse(text).unwrap();
        assert_eq!(
            parsed.value,
            serde_json::json!({ "a": ["x\u{fffd}y", "\u{fffd}", "🚌", "\u{fffd}A"] })
        );
        let found: Vec<String> = places(text).into_iter().map(|(at, _)| at).collect();
        assert_eq!(found, ["/a/0", "/a/1", "/a/3"]);
    }

    #[test]
    fn the_last_of_two_equal_members_counts() {
        let text = r#"{"a":1e3,"b":0,"a":2}"#;
        let parsed = parse(text).unwrap();
        assert_eq!(parsed.value, serde_json::json!({ "a": 2, "b": 0 }));
        assert_eq!(places(text), [("/a".to_owned(), OddityKind::DuplicateKey)]);
        assert!(parsed.exact.is_empty());
    }

    #[test]
    fn numbers_keep_their_text() {
        let text = r#"{"a":[1e3,1.0,-0,1E-2,12345678901234567890123]}"#;
        let parsed = parse(text).unwrap();
        assert_eq!(compact(&parsed.value, &parsed.exact), text);
    }

    #[test]
    fn places_are_named_by_line_and_column() {
        let broken = parse("{\n  \"ä\": tru\n}").unwrap_err();
        assert_eq!((broken.line, broken.column), (2, 8));
        assert!(parse("[1,]").is_err());
        assert!(parse("{} {}").unwrap_err().problem.contains("follows"));
        assert!(parse("").unwrap_err().problem.contains("ends"));
    }

    #[test]
    fn depth_is_bounded_as_in_serde_json() {
        for depth in [126, 127, 128, 100_000] {
            let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            assert_eq!(
                parse(&text).is_ok(),
                serde_json::from_str::<Value>(&text).is_ok(),
                "{depth} levels"
            );
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            any::<i64>().prop_map(|n| Value::Number(n.into())),
            any::<String>().prop_map(Value::String),
        ];
        leaf.prop_recursive(5, 60, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
                prop::collection::vec((any::<String>(), inner), 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn reads_what_serde_json_writes(value in any_json(), indented in any::<bool>()) {
            let text = if indented { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
            let parsed = parse(&text.unwrap()).unwrap();
            prop_assert_eq!(&parsed.value, &value);
            prop_assert!(parsed.oddities.is_empty());
        }

        #[test]
        fn accepts_what_serde_json_accepts(text in r#"[\[\]{},:"\\ u0-9a-fA-Ftrulnse.+-]{0,24}"#) {
            // A lone surrogate is the one thing that this parser reads and serde_json refuses.
            if let Ok(value) = serde_json::from_str::<Value>(&text) {
                prop_assert_eq!(parse(&text).unwrap().value, value);
            } else if let Ok(parsed) = parse(&text) {
                prop_assert!(parsed.oddities.iter().any(|odd| odd.kind == OddityKind::LoneSurrogate));
            }
        }

        #[test]
        fn never_panics(text in any::<String>()) {
            let _ = parse(&text);
        }
    }
}
