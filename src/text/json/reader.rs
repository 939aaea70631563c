//! The reader itself: one pass over the text, places kept as it goes.

use std::collections::BTreeMap;

use serde_json::{Map, Number, Value};

use super::{Broken, MAX_DEPTH, Oddity, OddityKind, Parsed};
use crate::text::{
    pointer::{self, Pointer},
    safe,
};

/// Bytes of places that are noted for one document. A hostile one could else make us keep a long place for every
/// short string.
const MOST_NOTED: usize = 8 * 1024 * 1024;

/// Values in one document: one takes up to a hundred times the memory of its text.
const MOST_VALUES: usize = 4_000_000;

/// Reads one document.
pub(super) fn read(text: &str) -> Result<Parsed, Broken> {
    let mut reader = Reader::new(text);
    let value = reader.value(0)?;
    reader.blanks();
    if reader.peek().is_some() {
        return Err(reader.broken("something follows the end of the document"));
    }
    Ok(Parsed {
        value,
        oddities: reader.oddities.into_iter().map(|(at, kind)| Oddity { at: Pointer::from_text(at), kind }).collect(),
        exact: reader.exact.into_iter().map(|(at, text)| (Pointer::from_text(at), text)).collect(),
    })
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    place: String,
    oddities: BTreeMap<String, OddityKind>,
    exact: BTreeMap<String, String>,
    noted: usize,
    values: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
            place: String::new(),
            oddities: BTreeMap::new(),
            exact: BTreeMap::new(),
            noted: 0,
            values: 0,
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
            bound: false,
        }
    }

    /// The problem at this place when `wanted` should have stood here.
    fn missing(&self, wanted: &str) -> Broken {
        let found = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        match found {
            None => self.broken(&format!("the text ends where {wanted} was expected")),
            Some(letter) => self.broken(&format!("{} where {wanted} was expected", safe::quoted(&letter.to_string()))),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, Broken> {
        self.values += 1;
        if self.values > MOST_VALUES {
            let broken = self.broken(&format!("more than {MOST_VALUES} values"));
            return Err(Broken { bound: true, ..broken });
        }
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
            let broken = self.broken(&format!("nested deeper than {MAX_DEPTH} levels"));
            return Err(Broken { bound: true, ..broken });
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
                self.forget_here();
                self.note(OddityKind::DuplicateKey)?;
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

    fn note(&mut self, kind: OddityKind) -> Result<(), Broken> {
        // A text with a thousand lone halves is one odd text; a doubled member outweighs what is odd in its value.
        let place = self.noted_place()?;
        self.oddities.entry(place).or_insert(kind);
        Ok(())
    }

    fn noted_place(&mut self) -> Result<String, Broken> {
        self.noted += self.place.len() + 1;
        if self.noted > MOST_NOTED {
            let broken = self.broken("too many odd strings, numbers and doubled members to keep");
            return Err(Broken { bound: true, ..broken });
        }
        Ok(self.place.clone())
    }

    /// An earlier value of this name is gone, and so is what was noted of it.
    fn forget_here(&mut self) {
        forget(&mut self.exact, &self.place);
        forget(&mut self.oddities, &self.place);
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
            let place = self.noted_place()?;
            self.exact.insert(place, text.to_owned());
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
        self.note(OddityKind::LoneSurrogate)?;
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

/// Removes a place and everything below it. `0` is the letter behind `/`: between the two lies all that is below.
fn forget<T>(noted: &mut BTreeMap<String, T>, place: &str) {
    noted.remove(place);
    let gone: Vec<String> = noted.range(format!("{place}/")..format!("{place}0")).map(|(at, _)| at.clone()).collect();
    for at in gone {
        noted.remove(&at);
    }
}
