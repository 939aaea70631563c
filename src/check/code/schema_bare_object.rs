//! Objects inside an input schema that name no member. Left alone are maps, what only narrows an object that is
//! described elsewhere, and the outermost schema: a tool without parameters is none.

use serde_json::{Map, Value};

use super::super::{Context, Hit, context::Schema};
use crate::surface::schema::{Node, holders};

/// Keywords that say something of the members when they stand there at all.
const TELLING: [&str; 12] = [
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "enum",
    "const",
    "propertyNames",
    "extends",
];
/// Keywords that do when they name one.
const NAMING: [&str; 6] =
    ["properties", "patternProperties", "required", "dependentRequired", "dependentSchemas", "dependencies"];
/// What holds a schema that a model fills as such. All else tests or narrows a value, or holds the values of a map.
const FILLED: [&str; 7] = ["properties", "items", "prefixItems", "anyOf", "oneOf", "$defs", "definitions"];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    cx.inputs().flat_map(in_schema).collect()
}

fn in_schema(input: &Schema<'_>) -> Vec<Hit> {
    let bare = |node: &Node<'_>| FILLED.contains(&node.under) && node.value.as_object().is_some_and(is_bare);
    if !input.nodes.iter().any(bare) {
        return Vec::new();
    }
    let holders = holders(&input.nodes);
    let found =
        input.nodes.iter().enumerate().filter(|(n, node)| bare(node) && !is_told_above(*n, &input.nodes, &holders));
    found.map(|(_, node)| Hit::tool(input.tool, node.at.clone())).collect()
}

/// Whether a schema takes an object, and nothing else but null, and says nothing of its members.
fn is_bare(schema: &Map<String, Value>) -> bool {
    is_object(schema.get("type"))
        && !TELLING.iter().any(|keyword| schema.contains_key(*keyword))
        && !NAMING.iter().any(|keyword| schema.get(*keyword).is_some_and(holds_something))
        && ["additionalProperties", "unevaluatedProperties"].iter().all(|keyword| is_open(schema.get(*keyword)))
        && schema.get("maxProperties").and_then(Value::as_u64) != Some(0)
}

fn is_object(kind: Option<&Value>) -> bool {
    match kind {
        Some(Value::String(name)) => name == "object",
        Some(Value::Array(names)) => {
            names.iter().any(|name| name == "object") && names.iter().all(|name| name == "object" || name == "null")
        }
        _ => false,
    }
}

/// Whether other members are allowed without a word on them: a schema makes a map, and `false` leaves nothing to fill.
fn is_open(others: Option<&Value>) -> bool {
    others.is_none_or(|others| others == &Value::Bool(true))
}

fn holds_something(value: &Value) -> bool {
    match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    }
}

/// Whether it is a branch of a schema that speaks of the members itself, or tested only.
fn is_told_above(mut n: usize, nodes: &[Node<'_>], holders: &[Option<usize>]) -> bool {
    while let Some(node) = nodes.get(n).filter(|node| matches!(node.under, "anyOf" | "oneOf")) {
        let Some(above) = holders.get(n).copied().flatten() else { return false };
        let told = |node: &Node<'_>| NAMING.iter().any(|keyword| node.value.get(keyword).is_some_and(holds_something));
        if nodes.get(above).is_some_and(told) || !FILLED.contains(&node.under) {
            return true;
        }
        n = above;
    }
    nodes.get(n).is_some_and(|node| !node.under.is_empty() && !FILLED.contains(&node.under))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{hits_on, place};
    use super::*;

    fn places(schema: &str) -> Vec<String> {
        hits_on(check, schema).iter().map(|hit| place(hit).to_owned()).collect()
    }

    #[test]
    fn what_says_something_of_the_members_is_left_alone() {
        for quiet in [
            r#"{"type":"object"}"#,
            r#"{"properties":{"a":{"type":"object","additionalProperties":{"type":"string"}}}}"#,
            r#"{"properties":{"a":{"type":"object","additionalProperties":{}}}}"#,
            r#"{"properties":{"a":{"type":"object","additionalProperties":false}}}"#,
            r#"{"properties":{"a":{"type":"object","additionalProperties":{"type":"object"}}}}"#,
            r##"{"properties":{"a":{"type":"object","$ref":"#/$defs/b"}}}"##,
            r#"{"properties":{"a":{"type":"object","patternProperties":{"^x":{}}}}}"#,
            r#"{"properties":{"a":{"type":"object","required":["b"]}}}"#,
            r#"{"properties":{"a":{"type":["object","string"]}}}"#,
            r#"{"properties":{"a":{"properties":{"b":{}},"anyOf":[{"type":"object"},{"type":"null"}]}}}"#,
            r#"{"properties":{"a":{"not":{"type":"object"},"if":{"type":"object"}}}}"#,
            r#"{"properties":{"a":{"allOf":[{"type":"object"}]}}}"#,
        ] {
            assert!(places(quiet).is_empty(), "{quiet}");
        }
    }

    #[test]
    fn stands_at_the_object() {
        for (schema, at) in [
            (r#"{"properties":{"a":{"type":"object"}}}"#, "/properties/a"),
            (r#"{"properties":{"a":{"type":["object","null"],"properties":{}}}}"#, "/properties/a"),
            (r#"{"properties":{"a":{"type":"object","additionalProperties":true}}}"#, "/properties/a"),
            (r#"{"properties":{"a":{"items":{"type":"object"}}}}"#, "/properties/a/items"),
            (r#"{"properties":{"a":{"anyOf":[{"type":"object"},{"type":"null"}]}}}"#, "/properties/a/anyOf/0"),
            (r#"{"$defs":{"a":{"type":"object"}}}"#, "/$defs/a"),
        ] {
            assert_eq!(places(schema), [at], "{schema}");
        }
    }
}
