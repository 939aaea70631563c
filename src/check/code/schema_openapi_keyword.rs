//! Keywords that `OpenAPI` adds to JSON Schema, in every input and output schema. What both define is left alone.

use serde_json::{Map, Value};

use super::super::{Context, Hit};

/// Places of a parameter, as `OpenAPI` and Swagger name them.
const PLACES: [&str; 6] = ["query", "path", "header", "cookie", "body", "formData"];
/// Ways to write a list or an object as one.
const STYLES: [&str; 7] = ["matrix", "label", "form", "simple", "spaceDelimited", "pipeDelimited", "deepObject"];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for schema in cx.schemas() {
        for node in &schema.nodes {
            let Some(members) = node.value.as_object() else { continue };
            for (keyword, value) in members {
                let Some(advice) = advice(keyword, value) else { continue };
                let hit = Hit::tool(schema.tool, node.at.key(keyword));
                let narrows = keyword == "nullable" && allows_null(value, members);
                hits.push(hit.fact("value", keyword.as_str()).fact("advice", advice).weaker_if(!narrows));
            }
        }
    }
    hits
}

/// What to write instead of a keyword of `OpenAPI`.
fn advice(keyword: &str, value: &Value) -> Option<&'static str> {
    let is_one_of = |words: &[&str]| value.as_str().is_some_and(|value| words.contains(&value));
    match keyword {
        "nullable" if value == &Value::Bool(true) => Some("add `null` to the type, or let the member be left out"),
        "nullable" if value.is_boolean() => Some("leave it out: without it null is not allowed either"),
        "discriminator" if value.is_object() || value.is_string() => {
            Some("give the member that tells the alternatives apart a `const` in each of them")
        }
        "example" => Some("write the value into `examples`, which is a list"),
        "externalDocs" if value.is_object() => Some("write the address into `description`"),
        "xml" if value.is_object() => Some("leave it out: arguments are JSON"),
        "collectionFormat" if value.is_string() => Some("leave it out: arguments are JSON, and so are lists in them"),
        "allowEmptyValue" | "allowReserved" | "explode" if value.is_boolean() => {
            Some("leave it out: it is about addresses, and arguments are JSON")
        }
        "in" if is_one_of(&PLACES) => Some("leave it out: a tool has arguments, whatever its server does with them"),
        "style" if is_one_of(&STYLES) => Some("leave it out: it is about addresses, and arguments are JSON"),
        _ => None,
    }
}

/// Whether `nullable` lets null in under `OpenAPI` 3.0 where the other keywords do not: it needs a type beside it, and a
/// closed choice without null stays closed.
fn allows_null(nullable: &Value, members: &Map<String, Value>) -> bool {
    let refuses_null = match members.get("type") {
        Some(Value::String(name)) => name != "null",
        Some(Value::Array(names)) => !names.iter().any(|name| name == "null"),
        _ => false,
    };
    let choice = members.get("enum").and_then(Value::as_array);
    let is_closed = choice.is_some_and(|values| !values.contains(&Value::Null))
        || members.get("const").is_some_and(|value| !value.is_null());
    nullable == &Value::Bool(true) && refuses_null && !is_closed
}

#[cfg(test)]
mod tests {
    use super::super::tests::{hits_on, place};
    use super::*;

    /// Place of each hit, with `?` where it is weaker.
    fn hits(schema: &str) -> Vec<String> {
        let said = |hit: &Hit| format!("{}{}", place(hit), if hit.weaker { "?" } else { "" });
        hits_on(check, schema).iter().map(said).collect()
    }

    #[test]
    fn warns_where_it_changes_what_is_allowed() {
        for (schema, said) in [
            (r#"{"type":"string","nullable":true}"#, "/nullable"),
            (r#"{"type":["string"],"enum":["a",null],"nullable":true}"#, "/nullable"),
            (r#"{"type":"string","nullable":false}"#, "/nullable?"),
            (r#"{"type":["string","null"],"nullable":true}"#, "/nullable?"),
            (r##"{"$ref":"#/$defs/a","nullable":true}"##, "/nullable?"),
            (r#"{"type":"string","enum":["a"],"nullable":true}"#, "/nullable?"),
            (r#"{"type":"string","example":"a"}"#, "/example?"),
            (r#"{"oneOf":[],"discriminator":{"propertyName":"kind"}}"#, "/discriminator?"),
            (r#"{"properties":{"a":{"type":"string","in":"query"}}}"#, "/properties/a/in?"),
        ] {
            assert_eq!(hits(schema), [said], "{schema}");
        }
    }

    #[test]
    fn what_both_define_or_neither_is_left_alone() {
        for schema in [
            r#"{"deprecated":true,"readOnly":true,"writeOnly":true,"default":1,"format":"int32","examples":[1]}"#,
            r#"{"minimum":0,"exclusiveMinimum":true,"x-nullable":true,"in":"the yard","style":"loud"}"#,
            r#"{"properties":{"nullable":{"type":"boolean"},"example":{"type":"string"},"xml":{}}}"#,
            r#"{"default":{"nullable":true},"const":{"example":1}}"#,
        ] {
            assert!(hits(schema).is_empty(), "{schema}");
        }
    }
}
