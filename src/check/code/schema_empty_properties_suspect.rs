//! Input schemas without any parameter, of tools whose text lists some.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use super::super::{Context, Hit};
use crate::text::safe;

/// A heading, then a name with what it means behind a sign.
static LIST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let heading = r"(?i:\b(?:parameters?|params?|args|arguments|inputs)\b[ \t]*[*_]{0,2}[ \t]*:[*_]{0,2}\s*)";
    Regex::new(&format!(r"{heading}(?P<list>{NAME})")).ok()
});
/// A tag of a documentation comment.
static TAG: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?m)@param[ \t]+(?:\{[^}\n]*\}[ \t]*)?\[?(?P<name>[A-Za-z_][\w.]*)").ok());
/// The next name of a list.
static ITEM: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!(r"(?m)(?:^|[,;\n])[ \t]*{NAME}")).ok());
/// A name in a list.
const NAME: &str =
    r#"(?:[-*•+][ \t]+|\d+[.)][ \t]+)?[`"'*]{0,2}(?P<name>[A-Za-z_][\w.-]*)[`"'*]{0,2}[ \t]*(?:\(|:|=|[-–—][ \t])"#;
/// Where a list ends at the latest.
const ENDS: [&str; 7] = ["\n\n", "\nReturn", "\nOutput", "\nExample", "\nRaises", "\nNote", "\n@"];
/// Words in the place of a name that name none.
const NO_NAMES: [&str; 16] = [
    "all", "any", "empty", "json", "n", "na", "nil", "no", "none", "not", "nothing", "null", "optional", "required",
    "see", "zero",
];
/// Bytes of a description that are read: a list of parameters stands in front of a manual.
const MOST_BYTES: usize = 1 << 16;
/// Names that are told.
const MOST_NAMES: usize = 20;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for schema in cx.inputs() {
        let Some(tool) = cx.surface.tools.get(schema.tool) else { continue };
        let names = names_lost(&tool.value, schema.root);
        if names.is_empty() {
            continue;
        }
        let has_properties = schema.root.get("properties").is_some();
        let at = if has_properties { schema.at.key("properties") } else { schema.at.clone() };
        let value = safe::clip(&names.join(", "), 60);
        hits.push(Hit::tool(schema.tool, at).fact("value", value).fact("only_in_text", names));
    }
    hits
}

/// The parameters that the text of a tool lists although its schema, which allows none by name, has none.
pub(super) fn names_lost(tool: &Value, schema: &Value) -> Vec<String> {
    let text = tool.get("description").and_then(Value::as_str).unwrap_or_default();
    if !has_no_parameter(schema) {
        return Vec::new();
    }
    names_in(text.get(..text.floor_char_boundary(MOST_BYTES)).unwrap_or(text))
}

/// Whether a schema gives no parameter in any way.
fn has_no_parameter(schema: &Value) -> bool {
    let Value::Object(members) = schema else { return false };
    members.iter().all(|(keyword, value)| match keyword.as_str() {
        "properties" => value.as_object().is_some_and(Map::is_empty),
        "additionalProperties" => value.as_object().is_none_or(Map::is_empty),
        "required" => value.as_array().is_none_or(Vec::is_empty),
        "type" => value == "object",
        "$schema" | "$id" | "id" | "$comment" | "title" | "description" | "$defs" | "definitions" => true,
        _ => false,
    })
}

/// The names that a text lists as parameters.
fn names_in(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let add = |name: Option<regex::Match<'_>>, names: &mut Vec<String>| {
        let Some(name) = name.map(|name| name.as_str()) else { return };
        let is_new = names.len() < MOST_NAMES && !names.iter().any(|known| known == name);
        if is_new && !NO_NAMES.contains(&name.to_lowercase().as_str()) {
            names.push(name.to_owned());
        }
    };
    if let Some(tag) = TAG.as_ref() {
        tag.captures_iter(text).for_each(|found| add(found.name("name"), &mut names));
    }
    let first = LIST.as_ref().and_then(|list| list.captures(text));
    let Some(first) = first else { return names };
    let before = names.len();
    add(first.name("name"), &mut names);
    // A word such as "none" in the first place makes it no list.
    let Some(start) = first.name("list").map(|list| list.start()).filter(|_| names.len() > before) else {
        return names;
    };
    let list = text.get(start..).unwrap_or_default();
    let end = ENDS.iter().filter_map(|end| list.find(end)).min().unwrap_or(list.len());
    if let Some(item) = ITEM.as_ref() {
        let items = item.captures_iter(list.get(..end).unwrap_or_default());
        items.for_each(|found| add(found.name("name"), &mut names));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_of_parameters() {
        for (text, names) in [
            (
                "Adds up. Parameters: lengths (list of numbers in cm), round (whole cm, default true).",
                &["lengths", "round"][..],
            ),
            (
                "Mows.\n\nArgs:\n    lawn: Which one.\n    height (int): In cm.\n\nReturns:\n    state: Done.",
                &["lawn", "height"],
            ),
            ("**Parameters:**\n- `lawn` - which one\n- `height`: in cm", &["lawn", "height"]),
            ("Mows.\n@param {string} lawn Which one\n@param height In cm", &["lawn", "height"]),
            ("Parameters:\n    (no parameters needed)", &[]),
            ("Parameters: none - mows all.", &[]),
            ("Parameters: None (this tool asks nothing), see: manual", &[]),
            ("Takes no arguments. Returns: state (text).", &[]),
            ("Lists tools with names, descriptions, parameters, and rights.", &[]),
            ("Waits for input\n - Runtime: how long", &[]),
            ("Inputs: see the manual (long)", &[]),
        ] {
            assert_eq!(names_in(text), names, "{text}");
        }
    }

    #[test]
    fn only_where_the_schema_has_none() {
        for none in [
            json!({}),
            json!({ "type": "object", "additionalProperties": {} }),
            json!({ "$schema": "x", "properties": {} }),
        ] {
            assert!(has_no_parameter(&none), "{none}");
        }
        for some in [
            json!({ "type": "object", "properties": { "a": {} } }),
            json!({ "$ref": "#/$defs/a" }),
            json!({ "type": "object", "additionalProperties": { "type": "string" } }),
            json!({ "anyOf": [{}] }),
            json!({ "type": "array" }),
        ] {
            assert!(!has_no_parameter(&some), "{some}");
        }
    }
}
