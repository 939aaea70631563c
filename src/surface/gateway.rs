//! Gateways: a tool that reaches many others by name.
//!
//! Recognised by the simplest sign: a string parameter whose enum holds at least eight identifiers, beside an object
//! parameter for the arguments. A tool with many parameters of its own works by itself and is no gateway, whatever
//! its enums hold.

use serde_json::Value;

use super::Tool;

/// The fewest names that make an enum a catalogue.
const FEWEST: usize = 8;

/// The most parameters of a gateway: the name, the arguments, and a few switches.
const MOST_PARAMS: usize = 6;

/// The names that a tool reaches, when it is a gateway.
pub fn reached(tool: &Tool) -> Option<Vec<&str>> {
    let properties = tool.input_schema()?.get("properties")?.as_object()?;
    let has_object = properties.values().any(|value| value.get("type").is_some_and(|kind| kind == "object"));
    if !has_object || properties.len() > MOST_PARAMS {
        return None;
    }
    properties.values().find_map(|value| {
        let names: Vec<&str> = value.get("enum")?.as_array()?.iter().map(Value::as_str).collect::<Option<_>>()?;
        let all_identifiers = names.iter().all(|name| is_identifier(name));
        (names.len() >= FEWEST && all_identifiers).then_some(names)
    })
}

/// A letter or underscore first, then letters, digits, `_`, `-` and `.`.
fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || "_-.".contains(letter))
}
