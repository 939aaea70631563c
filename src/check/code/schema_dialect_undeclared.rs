//! Keywords of older drafts that the dialect in force passes over. What it refuses is `schema-keyword-wrong-type`.

use serde_json::{Map, Value};

use super::super::{Context, Hit};
use crate::spec::dialect::Dialect;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for schema in cx.schemas() {
        let in_force = match schema.root.get("$schema") {
            None => Dialect::Draft2020,
            // Of an unknown dialect nothing is known.
            Some(named) => match named.as_str().and_then(Dialect::from_uri) {
                Some(named) => named,
                None => continue,
            },
        };
        for node in &schema.nodes {
            let Some(members) = node.value.as_object() else { continue };
            for (keyword, draft) in
                members.keys().filter_map(|keyword| Some((keyword, of(keyword, members, in_force)?)))
            {
                let hit = Hit::tool(schema.tool, node.at.key(keyword));
                hits.push(hit.fact("value", keyword.as_str()).fact("found", draft).fact("dialect", in_force.as_str()));
            }
        }
    }
    hits
}

/// The last draft that knew a keyword which the dialect in force does not, and which would have an effect under it.
fn of(keyword: &str, members: &Map<String, Value>, in_force: Dialect) -> Option<&'static str> {
    let value = members.get(keyword)?;
    let holds_something = value.as_object().is_some_and(|members| !members.is_empty());
    match keyword {
        "dependencies" if in_force >= Dialect::Draft2019 && holds_something => Some(Dialect::Draft7.as_str()),
        // Beside a list under `items` it is the same slip a second time; without one no draft gives it an effect.
        "additionalItems" if in_force == Dialect::Draft2020 && members.contains_key("prefixItems") => {
            let narrows = value == &Value::Bool(false) || holds_something;
            narrows.then_some(Dialect::Draft2019.as_str())
        }
        "$recursiveRef" if in_force != Dialect::Draft2019 && value.is_string() => Some(Dialect::Draft2019.as_str()),
        "divisibleBy" if value.is_number() => Some(BEFORE),
        "disallow" if value.is_string() || value.is_array() => Some(BEFORE),
        "extends" if holds_something || value.is_array() => Some(BEFORE),
        _ => None,
    }
}

/// A draft that no `$schema` known here names any more.
const BEFORE: &str = "draft-03";

#[cfg(test)]
mod tests {
    use super::super::tests::{hits_on, place};
    use super::*;

    #[test]
    fn only_what_is_passed_over() {
        for (schema, at) in [
            (r#"{"dependencies":{"a":["b"]}}"#, "/dependencies"),
            (
                r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","dependencies":{"a":["b"]}}"#,
                "/dependencies",
            ),
            (r#"{"properties":{"a":{"divisibleBy":5}}}"#, "/properties/a/divisibleBy"),
            (r#"{"prefixItems":[{}],"additionalItems":false}"#, "/additionalItems"),
            (r##"{"items":{"$recursiveRef":"#"}}"##, "/items/$recursiveRef"),
        ] {
            let hits = hits_on(check, schema);
            assert_eq!(hits.iter().map(place).collect::<Vec<_>>(), [at], "{schema}");
        }
        for schema in [
            r#"{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["b"]}}"#,
            r#"{"$schema":"https://rules.example.test/own","dependencies":{"a":["b"]}}"#,
            r##"{"$schema":"https://json-schema.org/draft/2019-09/schema","items":{"$recursiveRef":"#"}}"##,
            r#"{"properties":{"dependencies":{"type":"object"},"extends":{"type":"string"}},"dependencies":{}}"#,
            r#"{"items":[{}],"additionalItems":false,"definitions":{"a":{}}}"#,
            r#"{"items":{},"additionalItems":false,"exclusiveMinimum":true}"#,
        ] {
            assert!(hits_on(check, schema).is_empty(), "{schema}");
        }
    }
}
