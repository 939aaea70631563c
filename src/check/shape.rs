//! The shape of a schema: what it allows, as one text, without the words that only describe it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// Keywords that only describe.
const WORDS: [&str; 7] = ["$comment", "$schema", "description", "examples", "markdownDescription", "title", "x-order"];

/// Keywords whose members are names, which no keyword can be.
const NAMED: [&str; 6] =
    ["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"];

/// Compact JSON with sorted members; equal schemas give equal texts, however they are worded.
pub(super) fn of(schema: &Value) -> String {
    let mut text = String::new();
    write(schema, false, true, &mut text);
    text
}

/// Compact JSON with sorted members, the describing keywords too.
pub(super) fn exactly(value: &Value) -> String {
    let mut text = String::new();
    write(value, true, false, &mut text);
    text
}

fn write(value: &Value, is_named: bool, wordless: bool, text: &mut String) {
    match value {
        Value::Object(members) => {
            let kept = |name: &str| is_named || !wordless || !WORDS.contains(&name);
            let members: BTreeMap<&String, &Value> = members.iter().filter(|(name, _)| kept(name)).collect();
            text.push('{');
            for (n, (name, member)) in members.into_iter().enumerate() {
                text.push_str(if n > 0 { "," } else { "" });
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                // `required` says the same in any order.
                if let (false, "required" | "type", Value::Array(items)) = (is_named, name.as_str(), member) {
                    let items: BTreeSet<String> = items.iter().map(Value::to_string).collect();
                    text.push_str(&items.into_iter().collect::<Vec<_>>().join(","));
                    continue;
                }
                // What stands in an enum or a default is data, where a member called `title` counts.
                let data = matches!(name.as_str(), "enum" | "const" | "default") && !is_named;
                write(member, !is_named && NAMED.contains(&name.as_str()), wordless && !data, text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (n, item) in items.iter().enumerate() {
                text.push_str(if n > 0 { "," } else { "" });
                write(item, false, wordless, text);
            }
            text.push(']');
        }
        plain => text.push_str(&plain.to_string()),
    }
}

/// The top-level parameters of an input schema, by name.
pub(super) fn params(schema: Option<&Value>) -> BTreeMap<&str, &Value> {
    let members = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    members.into_iter().flatten().map(|(name, value)| (name.as_str(), value)).collect()
}

/// The names that an input schema requires.
pub(super) fn required(schema: Option<&Value>) -> BTreeSet<&str> {
    let names = schema.and_then(|schema| schema.get("required")).and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn words_do_not_count_but_names_do() {
        let one = json!({ "type": "object", "title": "A", "properties": { "title": { "type": "string" } },
            "required": ["a", "b"], "enum": [{ "title": 1 }] });
        let same = json!({ "required": ["b", "a"], "enum": [{ "title": 1 }], "properties":
            { "title": { "description": "T", "type": "string" } }, "type": "object" });
        assert_eq!(of(&one), of(&same));
        assert_ne!(exactly(&one), exactly(&same));
        let other = json!({ "type": "object", "properties": { "name": { "type": "string" } },
            "required": ["a", "b"], "enum": [{ "title": 1 }] });
        assert_ne!(of(&one), of(&other));
    }
}
