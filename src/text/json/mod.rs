//! JSON read raw: what serde_json would repair, refuse or forget is kept.
//!
//! serde_json refuses a lone surrogate, keeps one of two equal member names without a word and rewrites `1e3` as
//! `1e+3`. All three are part of what a server said, so the wire is read by this parser, which yields serde_json's
//! values and what it had to bend. Grammar and depth limit are serde_json's; the property test below holds it to that.

use std::collections::BTreeMap;

use serde_json::Value;

use super::pointer::{self, Pointer};

mod reader;

/// Containers inside containers that are read before giving up. jsonschema overflows its stack far beyond this, so
/// it must not be raised.
pub const MAX_DEPTH: usize = 127;

/// A document and what was bent to read it.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The document.
    pub value: Value,
    /// What serde_json could not have said, by place.
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
    /// Whether the text may be JSON, but is beyond what is read.
    pub bound: bool,
}

/// Reads one JSON document.
///
/// # Errors
///
/// [`Broken`] when the text is not JSON, ends early, goes on after the document, or nests deeper than [`MAX_DEPTH`].
pub fn parse(text: &str) -> Result<Parsed, Broken> {
    reader::read(text)
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

/// The text of a member, if it has one.
pub fn text_of(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn places(text: &str) -> Vec<(String, OddityKind)> {
        let parsed = parse(text).unwrap();
        parsed.oddities.iter().map(|odd| (odd.at.to_string(), odd.kind)).collect()
    }

    #[test]
    fn lone_surrogates_are_replaced_and_placed() {
        let text = r#"{"a":["x\ud83dy","\ude8c","\ud83d\ude8c","\ud83d\u0041"]}"#;
        let parsed = parse(text).unwrap();
        assert_eq!(parsed.value, serde_json::json!({ "a": ["x\u{fffd}y", "\u{fffd}", "🚌", "\u{fffd}A"] }));
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
    fn what_is_noted_is_bounded() {
        // 0.5 MB that asked for 1.5 GB once: a long name over many odd strings.
        let text = format!("{{\"{}\":[{}]}}", "k".repeat(100_000), vec![r#""\ud800""#; 40_000].join(","));
        assert!(parse(&text).unwrap_err().problem.contains("too many"));
        // 0.4 MB that took seconds once: as many doubled members as odd numbers.
        let text = format!("{{\"a\":[{}]{}}}", vec!["1e1"; 40_000].join(","), ",\"b\":1e1".repeat(40_000));
        let start = std::time::Instant::now();
        assert_eq!(parse(&text).unwrap().exact.len(), 40_001);
        assert!(start.elapsed().as_secs() < 2);
    }

    #[test]
    fn depth_is_bounded_as_in_serde_json() {
        for depth in [126, 127, 128, 100_000] {
            let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            assert_eq!(parse(&text).is_ok(), serde_json::from_str::<Value>(&text).is_ok(), "{depth} levels");
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
