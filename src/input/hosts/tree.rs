//! JSON, JSON with comments, and TOML as one tree in which every name and value knows its place.
//!
//! Apart from `text::json`, which keeps what a server said: here a person wrote, and what counts is the line.

use std::ops::Range;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// How a host reads its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// JSON and nothing else.
    Json,
    /// JSON with comments; a comma behind the last member is a fault.
    Comments,
    /// JSON with comments and trailing commas.
    Jsonc,
    /// TOML.
    Toml,
}

/// A value and the bytes that it takes, quotes and brackets included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    /// The bytes.
    pub(super) at: Range<usize>,
    /// What stands there.
    pub(super) value: Value,
}

/// What can stand in a config file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// A text, escapes resolved.
    Text(String),
    /// True or false.
    Flag(bool),
    /// A number, as written.
    Number(String),
    /// Nothing.
    Null,
    /// A list.
    List(Vec<Node>),
    /// Members in the order of the file.
    Map(Vec<Member>),
}

/// A name and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// The name, escapes resolved.
    pub(super) name: String,
    /// The bytes of the name, quotes included.
    pub(super) at: Range<usize>,
    /// The value.
    pub(super) node: Node,
}

/// Why a text is not in its dialect, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The bytes.
    pub at: Range<usize>,
    /// What is wrong there, lower-case start, no full stop.
    pub problem: String,
}

impl Node {
    /// The member of this name; of several the last, as every host's parser takes it.
    pub(super) fn get(&self, name: &str) -> Option<&Member> {
        self.members().iter().rev().find(|member| member.name == name)
    }

    /// The members; none where this is no map.
    pub(super) fn members(&self) -> &[Member] {
        match &self.value {
            Value::Map(members) => members,
            _ => &[],
        }
    }

    /// The items; none where this is no list.
    pub(super) fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// The text, where this is one.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A text, or a number as a host turns it into one.
    pub(super) fn word(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) | Value::Number(text) => Some(text),
            _ => None,
        }
    }

    /// Whether this is something rather than null or an empty text.
    pub(super) fn is_filled(&self) -> bool {
        match &self.value {
            Value::Null => false,
            Value::Text(text) => !text.trim().is_empty(),
            Value::List(items) => !items.is_empty(),
            _ => true,
        }
    }
}

/// Reads a text in a dialect. Nesting is bounded by the parsers: 512 levels of JSON, 80 of TOML.
///
/// # Errors
///
/// [`Broken`] with the first place that the dialect does not allow.
pub(super) fn read(text: &str, dialect: Dialect) -> Result<Node, Broken> {
    match dialect {
        Dialect::Toml => read_toml(text),
        Dialect::Json => read_json(text, false, false),
        Dialect::Comments => read_json(text, true, false),
        Dialect::Jsonc => read_json(text, true, true),
    }
}

fn read_json(text: &str, comments: bool, commas: bool) -> Result<Node, Broken> {
    let options = ParseOptions {
        allow_comments: comments,
        allow_trailing_commas: commas,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = jsonc_parser::parse_to_ast(text, &CollectOptions::default(), &options).map_err(|error| {
        let range = error.range();
        let problem = error.kind().to_string();
        let mut letters = problem.chars();
        let first = letters.next().map(|letter| letter.to_ascii_lowercase());
        Broken { at: range.start..range.end, problem: first.into_iter().chain(letters).collect() }
    })?;
    match parsed.value {
        Some(value) => Ok(json(&value)),
        // An editor that reads comments takes an empty file for an empty object.
        None if commas => Ok(Node { at: 0..text.len(), value: Value::Map(Vec::new()) }),
        None => Err(Broken { at: 0..0, problem: "the file holds no value".to_owned() }),
    }
}

fn json(value: &ast::Value<'_>) -> Node {
    let at = span(value.range());
    let value = match value {
        ast::Value::StringLit(text) => Value::Text(text.value.to_string()),
        ast::Value::NumberLit(number) => Value::Number(number.value.to_owned()),
        ast::Value::BooleanLit(flag) => Value::Flag(flag.value),
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::Array(array) => Value::List(array.elements.iter().map(json).collect()),
        ast::Value::Object(object) => Value::Map(
            object
                .properties
                .iter()
                .map(|property| Member {
                    name: property.name.as_str().to_owned(),
                    at: span(property.name.range()),
                    node: json(&property.value),
                })
                .collect(),
        ),
    };
    Node { at, value }
}

fn span(range: jsonc_parser::common::Range) -> Range<usize> {
    range.start..range.end
}

fn read_toml(text: &str) -> Result<Node, Broken> {
    let table = DeTable::parse(text)
        .map_err(|error| Broken { at: error.span().unwrap_or(0..0), problem: first_line(error.message()) })?;
    let at = table.span();
    Ok(Node { at, value: map(table.get_ref()) })
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_owned()
}

fn toml_node(value: &Spanned<DeValue<'_>>) -> Node {
    let at = value.span();
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) => Value::Number(number.as_str().to_owned()),
        DeValue::Float(number) => Value::Number(number.as_str().to_owned()),
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Datetime(time) => Value::Text(time.to_string()),
        DeValue::Array(items) => Value::List(items.iter().map(toml_node).collect()),
        DeValue::Table(table) => map(table),
    };
    Node { at, value }
}

fn map(table: &DeTable<'_>) -> Value {
    let mut members: Vec<Member> = table
        .iter()
        .map(|(name, value)| Member { name: name.get_ref().to_string(), at: name.span(), node: toml_node(value) })
        .collect();
    // The parser's table is sorted by name.
    members.sort_by_key(|member| member.at.start);
    Value::Map(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(text: &str, dialect: Dialect) -> Broken {
        read(text, dialect).unwrap_err()
    }

    #[test]
    fn a_dialect_takes_what_it_takes() {
        let comment = "{\n  // why\n  \"a\": 1\n}";
        let comma = "{ \"a\": [1,], }";
        assert_eq!(broken(comment, Dialect::Json).at.start, 4);
        assert!(read(comment, Dialect::Comments).is_ok());
        assert_eq!(broken(comma, Dialect::Comments).problem, "trailing commas are not allowed");
        assert!(read(comma, Dialect::Jsonc).is_ok());
        for loose in ["{a: 1}", "{'a': 1}", "{\"a\": +1}", "{\"a\": 0x1}", "{\"a\": 1 \"b\": 2}", "{\"a\": NaN}", "1 2"]
        {
            assert!(read(loose, Dialect::Jsonc).is_err(), "{loose}");
        }
        assert!(read("", Dialect::Json).is_err());
        assert!(read("", Dialect::Jsonc).is_ok());
    }

    #[test]
    fn places_are_those_of_the_file() {
        let text = "{ \"mcpServers\": { \"a\\u0062\": { \"url\": \"x\" } } }";
        let root = read(text, Dialect::Json).unwrap();
        let servers = root.get("mcpServers").unwrap();
        let entry = &servers.node.members()[0];
        assert_eq!(entry.name, "ab");
        assert_eq!(&text[entry.at.clone()], "\"a\\u0062\"");
        assert_eq!(&text[entry.node.get("url").unwrap().node.at.clone()], "\"x\"");

        let text = "[mcp_servers.b]\nurl = 'x'\n[mcp_servers.a]\nurl = \"y\"\n";
        let root = read(text, Dialect::Toml).unwrap();
        let servers = &root.get("mcp_servers").unwrap().node;
        let names: Vec<&str> = servers.members().iter().map(|member| member.name.as_str()).collect();
        assert_eq!(names, ["b", "a"]);
        assert_eq!(&text[servers.members()[1].at.clone()], "a");
        assert_eq!(broken("a = 1\nb = ?\n", Dialect::Toml).at.start, 10);
    }

    #[test]
    fn depth_is_bounded() {
        for depth in [100_000, 600] {
            let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            assert!(broken(&text, Dialect::Jsonc).problem.contains("depth"));
            assert!(read(&format!("a = {text}"), Dialect::Toml).is_err());
        }
    }
}
