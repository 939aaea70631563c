//! Defaults that their own schemas refuse. What is told by the type alone is told at once; what hangs on references,
//! alternatives or bounds is left to a validator, all defaults of a schema together.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::super::{
    Context, Hit,
    context::Schema,
    effort::Effort,
    schema::{Failure, Validator, with_article},
    values::{is_nullable, is_of, types},
};
use super::schema_default_not_in_enum::outside;
use crate::spec::dialect::Dialect;
use crate::surface::refs::Refs;
use crate::surface::schema::{Node, nodes};
use crate::text::{pointer::Pointer, safe};

/// Comparisons of a default with a value that are done for one list.
const MOST: usize = 1 << 22;
/// Alternatives inside alternatives that are looked at without a validator.
const MOST_DEPTH: usize = 3;
/// Keywords that ask nothing of a value.
const NOTES: [&str; 13] = [
    "$comment",
    "$defs",
    "$id",
    "$schema",
    "default",
    "definitions",
    "deprecated",
    "description",
    "examples",
    "format",
    "readOnly",
    "title",
    "writeOnly",
];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    // What a client fills in are arguments; nobody fills in a result.
    let found = cx.schemas().map(|schema| (schema.is_input, hits(cx, schema)));
    found.flat_map(|(is_input, hits)| hits.into_iter().map(move |hit| hit.weaker_if(!is_input))).collect()
}

fn hits(cx: &Context<'_>, schema: &Schema<'_>) -> Vec<Hit> {
    let refs = Refs::new(schema.root, &schema.nodes);
    let (mut hits, mut open, mut left) = (Vec::new(), Vec::new(), MOST);
    for node in &schema.nodes {
        let Some(default) = node.value.get("default") else { continue };
        if default.is_null() && is_nullable(node.value) || outside(&refs, node.value, &mut left).is_some() {
            continue;
        }
        match types(node.value).filter(|types| !is_of(default, types)) {
            Some(types) => hits.push(hit(
                schema.tool,
                node,
                default,
                &Pointer::root(),
                &types.iter().map(|name| with_article(name)).collect::<Vec<_>>().join(" or "),
            )),
            None if takes(node.value, default, 0) => {}
            None => open.push((node, default)),
        }
    }
    hits.extend(validated(cx, schema, &open));
    hits
}

fn hit(tool: usize, node: &Node<'_>, default: &Value, below: &Pointer, expected: &str) -> Hit {
    let found = below.find(default).unwrap_or(default);
    let hit = Hit::tool(tool, node.at.key("default").join(below));
    let hit = hit.fact("found", safe::clip(&found.to_string(), 40)).fact("expected", expected);
    let is_plain = !found.is_array() && !found.is_object();
    if is_plain { hit.fact("value", found.clone()) } else { hit }
}

/// Whether a schema surely takes a value; what hangs on more than types, plain alternatives and plain bounds is not
/// sure.
fn takes(schema: &Value, value: &Value, depth: usize) -> bool {
    let members = match schema {
        Value::Object(members) => members,
        other => return *other == Value::Bool(true),
    };
    members.iter().all(|(keyword, stated)| match keyword.as_str() {
        "type" => types(schema).is_some_and(|types| is_of(value, &types)),
        // What does not hold the value was sorted out before, where this is the schema of the default itself.
        "enum" if depth == 0 => true,
        "anyOf" if depth < MOST_DEPTH => {
            stated.as_array().is_some_and(|parts| parts.iter().any(|part| takes(part, value, depth + 1)))
        }
        "minimum" => is_in_order(Some(stated), Some(value)),
        "maximum" => is_in_order(Some(value), Some(stated)),
        "items"
        | "properties"
        | "required"
        | "additionalProperties"
        | "minLength"
        | "maxLength"
        | "pattern"
        | "minItems"
        | "maxItems"
        | "uniqueItems" => speaks_of_others(keyword, value),
        keyword => NOTES.contains(&keyword) || keyword.starts_with("x-"),
    })
}

/// Whether a keyword says nothing of a value of this kind.
fn speaks_of_others(keyword: &str, value: &Value) -> bool {
    match keyword {
        "properties" | "required" | "additionalProperties" => !value.is_object(),
        "minLength" | "maxLength" | "pattern" => !value.is_string(),
        _ => !value.as_array().is_some_and(|items| keyword != "items" || !items.is_empty()),
    }
}

/// Whether one number is not above another; what is no number is in order.
fn is_in_order(low: Option<&Value>, high: Option<&Value>) -> bool {
    match (low.and_then(Value::as_f64), high.and_then(Value::as_f64)) {
        (Some(low), Some(high)) => low <= high,
        _ => !(low.is_some_and(Value::is_number) && high.is_some_and(Value::is_number)),
    }
}

/// What a validator says of these defaults.
fn validated(cx: &Context<'_>, schema: &Schema<'_>, open: &[(&Node<'_>, &Value)]) -> Vec<Hit> {
    if open.is_empty() {
        return Vec::new();
    }
    let Some(together) = together(schema, open) else { return Vec::new() };
    let values: Map<String, Value> =
        open.iter().enumerate().map(|(n, (_, default))| (n.to_string(), (*default).clone())).collect();
    let values = Value::Object(values);
    let effort = cx.bounds.effort(schema.tool, &together, &values);
    if effort == Effort::TooMuch {
        return Vec::new();
    }
    let Some(validator) = Validator::of_server(&together) else { return Vec::new() };
    let failures = validator.mismatches(&values, effort);
    if effort != Effort::All && !failures.is_empty() {
        cx.bounds.leave_out(schema.tool, "defaults may break their schemas in more places than can be listed");
    }
    let mut by_default: BTreeMap<usize, Vec<Failure>> = BTreeMap::new();
    for failure in failures {
        let number = failure.at.steps().next().and_then(|step| step.parse().ok());
        if let Some(n) = number {
            by_default.entry(n).or_default().push(failure);
        }
    }
    let told = |(n, failures): (usize, Vec<Failure>)| {
        let (node, default) = open.get(n)?;
        let whole = Pointer::root();
        let (below, expected) = match failures.as_slice() {
            [only] => (only.at.below(&Pointer::root().index(n))?, only.expected.as_str()),
            _ => (whole, "what several of its keywords demand"),
        };
        Some(hit(schema.tool, node, default, &below, expected))
    };
    by_default.into_iter().filter_map(told).collect()
}

/// One schema that holds each default against its own schema, as a member named by its number. The schema of the tool
/// stands inside as a shared body, references into it moved along; none where it has resources or dynamic references,
/// which cannot be moved.
fn together(schema: &Schema<'_>, open: &[(&Node<'_>, &Value)]) -> Option<Value> {
    let dialect = match schema.root.get("$schema") {
        None => Dialect::Draft2020,
        Some(named) => Dialect::from_uri(named.as_str()?)?,
    };
    let shared = if dialect >= Dialect::Draft2019 { "$defs" } else { "definitions" };
    let base = format!("#/{shared}/tool");
    let mut body = schema.root.clone();
    for node in nodes(schema.root) {
        let is_moved = node.under.is_empty();
        let has = |keyword: &str| node.value.get(keyword).is_some_and(Value::is_string);
        if !is_moved && (has("$id") || has("id")) || has("$dynamicRef") || has("$recursiveRef") {
            return None;
        }
        let Some(inner) = node.value.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix('#')) else {
            continue;
        };
        if inner.is_empty() || inner.starts_with('/') {
            let members = body.pointer_mut(node.at.as_str())?.as_object_mut()?;
            members.insert("$ref".to_owned(), Value::String(format!("{base}{inner}")));
        }
    }
    if let Some(members) = body.as_object_mut() {
        members.retain(|keyword, _| !matches!(keyword.as_str(), "$schema" | "$id" | "id"));
    }
    let refer = |n: usize, node: &Node<'_>| {
        let place = node.at.below(&schema.at)?;
        Some((n.to_string(), json!({ "$ref": format!("{base}{}", percent_encoded(place.as_str())) })))
    };
    let properties: Option<Map<String, Value>> = open.iter().enumerate().map(|(n, (node, _))| refer(n, node)).collect();
    let mut together = json!({ shared: { "tool": body }, "properties": properties? });
    if let (Some(named), Some(members)) = (schema.root.get("$schema"), together.as_object_mut()) {
        members.insert("$schema".to_owned(), named.clone());
    }
    Some(together)
}

/// A pointer as it stands in the fragment of a reference.
fn percent_encoded(pointer: &str) -> String {
    let mut text = String::with_capacity(pointer.len());
    for byte in pointer.bytes() {
        match byte {
            b'/' | b'~' | b'$' | b'-' | b'.' | b'_' => text.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::tests::{hits_on, told_of};
    use super::*;

    #[test]
    fn told_by_the_type_or_by_a_validator() {
        for (schema, said) in [
            (r#"{"type":"number","default":null}"#, "/default: null, not a number"),
            (r#"{"type":["integer","null"],"default":"20"}"#, "/default: \"20\", not an integer or null"),
            (r#"{"type":"integer","maximum":50,"default":51}"#, "/default: 51, not what `maximum` demands"),
            (r#"{"type":"integer","exclusiveMinimum":0,"default":0}"#, "/default: 0, not more than 0"),
            (r#"{"type":"array","items":{"type":"string"},"default":["a",1]}"#, "/default/1: 1, not a string"),
            (
                r#"{"anyOf":[{"type":"integer"},{"type":"null"}],"default":"x"}"#,
                "/default: \"x\", not an integer or null",
            ),
            (
                r##"{"$id":"https://x.test/a","$defs":{"a b%":{"type":"string"}},"properties":{"c d":{"$ref":"#/$defs/a%20b%25","default":5}}}"##,
                "/properties/c d/default: 5, not a string",
            ),
            (
                r##"{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"a":{"type":"string"}},"properties":{"é":{"allOf":[{"$ref":"#/definitions/a"}],"default":5}}}"##,
                "/properties/é/default: 5, not a string",
            ),
            (
                r##"{"type":"object","properties":{"a":{"$ref":"#","default":{"a":1}}}}"##,
                "/properties/a/default/a: 1, not an object",
            ),
        ] {
            assert_eq!(told_of(check, schema), [said], "{schema}");
        }
    }

    #[test]
    fn what_fits_or_cannot_be_told_is_left_alone() {
        for schema in [
            r#"{"type":"integer","minimum":1,"maximum":50,"default":1.0}"#,
            r#"{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}],"default":null}"#,
            r#"{"type":"string","nullable":true,"default":null}"#,
            r#"{"type":"string","enum":["a"],"default":"b"}"#,
            r#"{"type":"string","format":"date","default":"today"}"#,
            r#"{"type":"string","pattern":"^(?!a)","default":"a"}"#,
            r#"{"type":"array","items":{"type":"string"},"default":[]}"#,
            r##"{"properties":{"a":{"$ref":"#/$defs/gone","default":5}}}"##,
            r#"{"$schema":"paper","properties":{"a":{"pattern":"^b","default":"a"}}}"#,
            r#"{"properties":{"default":{"type":"string"}}}"#,
            r#"{"type":"text","default":5}"#,
        ] {
            assert!(hits_on(check, schema).is_empty(), "{schema}");
        }
    }

    #[test]
    fn many_defaults_are_quick() {
        let open: Vec<String> = (0..5_000)
            .map(|n| format!("\"p{n}\":{{\"type\":\"string\",\"maxLength\":3,\"default\":\"abcd\"}}"))
            .collect();
        let schema = format!("{{\"properties\":{{{}}}}}", open.join(","));
        let started = std::time::Instant::now();
        assert_eq!(hits_on(check, &schema).len(), 5_000);
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }
}
