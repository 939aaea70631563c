//! Values of keywords that the metaschema of the dialect refuses, each schema looked at by itself. `required`, `type`
//! and patterns that do not compile have rules of their own.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::super::{
    Context, Hit,
    context::Schema,
    effort,
    schema::{Failure, is_under_metaschema, metaschema_failures},
};
use crate::spec::{dialect::Dialect, revision::Revision};
use crate::surface::assemble::kind_of;
use crate::text::pointer::Pointer;

/// Values of one schema whose faults are listed: metaschemas tell one for each item of a list.
const MOST_VALUES: usize = 1 << 16;
/// Every known dialect, the one whose words are used first.
const ALL: [Dialect; 5] = [Dialect::Draft2020, Dialect::Draft2019, Dialect::Draft7, Dialect::Draft6, Dialect::Draft4];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let default = cx.surface.revision() >= Revision::V2025_11_25;
    cx.schemas().filter(|schema| schema.root.is_object()).flat_map(|schema| hits(cx, schema, default)).collect()
}

/// `default`: whether the revision names 2020-12 as the dialect of a schema that names none.
fn hits(cx: &Context<'_>, schema: &Schema<'_>, default: bool) -> Vec<Hit> {
    let dialects = match schema.root.get("$schema").and_then(Value::as_str) {
        None if default => vec![Dialect::Draft2020],
        None => ALL.to_vec(),
        // Of an unknown dialect nothing is known but what all the others share.
        Some(named) => Dialect::from_uri(named).map_or_else(|| ALL.to_vec(), |one| vec![one]),
    };
    if dialects.iter().any(|dialect| is_under_metaschema(*dialect, schema.root)) {
        return Vec::new();
    }
    let places: BTreeSet<&Pointer> = schema.nodes.iter().map(|node| &node.at).collect();
    let mut hits = Vec::new();
    for node in &schema.nodes {
        let Value::Object(members) = node.value else { continue };
        let alone = alone(members, &node.at, &places);
        if effort::size(&alone) > MOST_VALUES {
            cx.bounds.leave_out(schema.tool, "a schema is too large to list what is wrong in it");
            continue;
        }
        for failure in failures(&dialects, &alone).into_values() {
            let found = found(failure.at.find(node.value), &failure);
            let hit = Hit::tool(schema.tool, node.at.join(&failure.at));
            hits.push(hit.fact("found", found).fact("expected", failure.expected));
        }
    }
    hits
}

/// A schema without what is inside the schemas that it holds: a fault in one of them is its own, and validating the
/// whole anew at each level would cost a hostile schema's size times its depth.
fn alone(members: &Map<String, Value>, at: &Pointer, places: &BTreeSet<&Pointer>) -> Value {
    let cut = |at: &Pointer, value: &Value| match value {
        Value::Object(_) if places.contains(at) => Value::Object(Map::new()),
        other => other.clone(),
    };
    let members = members.iter().map(|(keyword, value)| {
        let at = at.key(keyword);
        let value = match value {
            Value::Object(named) if !places.contains(&at) => {
                Value::Object(named.iter().map(|(name, value)| (name.clone(), cut(&at.key(name), value))).collect())
            }
            Value::Array(items) => {
                Value::Array(items.iter().enumerate().map(|(i, value)| cut(&at.index(i), value)).collect())
            }
            other => cut(&at, other),
        };
        (keyword.clone(), value)
    });
    Value::Object(members.collect())
}

/// One failure for each place that fails under all these dialects, in the words of the first.
fn failures(dialects: &[Dialect], schema: &Value) -> BTreeMap<Pointer, Failure> {
    let by_place = |dialect: &Dialect| {
        let mut places = BTreeMap::new();
        for failure in metaschema_failures(*dialect, schema).into_iter().filter(|failure| is_ours(failure, schema)) {
            let kept: &mut Failure = places.entry(failure.at.clone()).or_insert_with(|| failure.clone());
            if failure.keyword == "type" {
                *kept = failure;
            }
        }
        places
    };
    let mut all = dialects.iter().map(by_place);
    let mut shared = all.next().unwrap_or_default();
    for other in all {
        shared.retain(|place, _| other.contains_key(place));
    }
    shared
}

/// Whether no other rule speaks of it. At the schema itself stand only demands between keywords, as draft-04 has them.
fn is_ours(failure: &Failure, schema: &Value) -> bool {
    let Some(keyword) = failure.at.steps().next() else { return false };
    // Unknown names, and what is no list of names, have rules of their own; an empty or doubled list of types has not.
    match (keyword.as_str(), schema.get(&keyword).and_then(Value::as_array)) {
        ("type", Some(names)) => {
            names.is_empty() || names.iter().map(Value::to_string).collect::<BTreeSet<_>>().len() < names.len()
        }
        ("required", Some(names)) => names.is_empty(),
        ("type" | "required", None) => false,
        _ => true,
    }
}

/// What stands there in a few words.
fn found(value: Option<&Value>, failure: &Failure) -> String {
    match value {
        Some(Value::Array(items)) if items.is_empty() => "an empty array".to_owned(),
        Some(Value::Array(_)) if failure.keyword == "uniqueItems" => "an item twice".to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::String(text)) if failure.keyword == "pattern" => format!("\"{text}\""),
        Some(other) => kind_of(other).to_owned(),
        None => "nothing".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::told_of;
    use super::*;

    /// Place, found and expected of each hit.
    fn hits(schema: &str) -> Vec<String> {
        told_of(check, schema)
    }

    #[test]
    fn says_what_stands_there_and_what_belongs_there() {
        for (schema, said) in [
            (r#"{"exclusiveMinimum":true}"#, "/exclusiveMinimum: a boolean, not a number"),
            (
                r#"{"properties":{"a":{"items":[{},{"minLength":1}]}}}"#,
                "/properties/a/items: an array, not a boolean or an object",
            ),
            (r#"{"type":[]}"#, "/type: an empty array, not another kind of value"),
            (r#"{"properties":{"type":"string"}}"#, "/properties/type: a string, not a boolean or an object"),
            (r#"{"properties":[]}"#, "/properties: an empty array, not an object"),
            (r#"{"minLength":-1}"#, "/minLength: -1, not at least 0"),
            (r#"{"minItems":1.5}"#, "/minItems: 1.5, not an integer"),
            (r#"{"multipleOf":0}"#, "/multipleOf: 0, not more than 0"),
            (r#"{"anyOf":[]}"#, "/anyOf: an empty array, not at least 1 item"),
            (r#"{"pattern":5}"#, "/pattern: 5, not a string"),
            (r##"{"$id":"#a"}"##, "/$id: \"#a\", not another form"),
            (r#"{"dependentRequired":{"a":["b","b"]}}"#, "/dependentRequired/a: an item twice, not no item twice"),
            (r#"{"dependencies":{"a":5}}"#, "/dependencies/a: 5, not a boolean or an object or an array"),
            (r#"{"dependencies":{"a":[5]}}"#, "/dependencies/a/0: 5, not a string"),
            (
                r#"{"$schema":"http://json-schema.org/draft-07/schema#","items":"x"}"#,
                "/items: a string, not a boolean or an object or an array",
            ),
            (
                r#"{"$schema":"http://json-schema.org/draft-07/schema#","items":{"items":{"minimum":"1"}}}"#,
                "/items/items/minimum: a string, not a number",
            ),
            (
                r#"{"$schema":"http://json-schema.org/draft-04/schema#","exclusiveMinimum":1,"minimum":1}"#,
                "/exclusiveMinimum: 1, not a boolean",
            ),
            (
                r#"{"$schema":"paper","minLength":-1,"items":[{}],"exclusiveMinimum":true,"minimum":1}"#,
                "/minLength: -1, not at least 0",
            ),
        ] {
            assert_eq!(hits(schema), [said], "{schema}");
        }
    }

    #[test]
    fn what_is_right_or_has_a_rule_of_its_own_is_left_alone() {
        let nothing: [String; 0] = [];
        for schema in [
            r#"{"required":true,"type":"text","properties":{"a":{"required":["b","b"],"type":["string",5]}}}"#,
            r##"{"pattern":"(","patternProperties":{"*":{}},"$ref":"#/$defs/a b","format":"paper"}"##,
            r#"{"minLength":5.0,"maxLength":1e3,"minimum":12345678901234567890123,"maxItems":99999999999999999999}"#,
            r#"{"default":{"minLength":-1},"examples":[{"type":5}],"const":{"items":[]},"x-note":{"minimum":"1"}}"#,
            r##"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}],"pattern":"(","$ref":"#/a b"}"##,
            r#"{"$schema":"http://json-schema.org/draft-04/schema#","exclusiveMinimum":true,"minimum":1}"#,
            r#"{"properties":{"minimum":{"type":"boolean"},"required":true}}"#,
            r#""text""#,
        ] {
            assert_eq!(hits(schema), nothing, "{schema}");
        }
        let deep = format!("{}{{\"minLength\":-1}}{}", "{\"items\":".repeat(120), "}".repeat(120));
        assert_eq!(hits(&deep).len(), 1);
    }
}
