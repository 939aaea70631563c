//! Input schemas with parameters that take further ones. What stands inside them is left alone, and so are maps, where
//! a schema says what every further argument is.

use serde_json::Value;

use super::super::{Context, Hit};
use crate::surface::schema::is_closed;
use crate::surface::scope::{Budget, Tree};

/// Keywords that can bring parameters.
const BRINGING: [&str; 7] = ["properties", "patternProperties", "required", "$ref", "allOf", "anyOf", "oneOf"];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for input in cx.inputs() {
        if input.root.get("type").is_none_or(|kind| kind != "object") || is_closed(input.root) || is_map(input.root) {
            continue;
        }
        if !is_meant(input.root) || is_closed_elsewhere(input.root, &input.nodes) {
            continue;
        }
        hits.push(Hit::tool(input.tool, input.at.clone()));
    }
    hits
}

/// Whether something is listed, or said to be open: what lists nothing and says nothing is `schema-no-params-form`.
fn is_meant(root: &Value) -> bool {
    let holds_something = |value: &Value| match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => !items.is_empty(),
        other => other.is_string(),
    };
    BRINGING.iter().any(|keyword| root.get(keyword).is_some_and(holds_something))
        || root.get("additionalProperties").is_some()
        || root.get("unevaluatedProperties").is_some()
}

fn is_map(root: &Value) -> bool {
    let says = |keyword: &str| root.get(keyword).and_then(Value::as_object).is_some_and(|members| !members.is_empty());
    says("additionalProperties") || says("unevaluatedProperties")
}

/// Whether a body that the root refers to, or a part that holds with it, closes the object, or may do so out of reach.
fn is_closed_elsewhere<'s>(root: &'s Value, nodes: &[crate::surface::schema::Node<'s>]) -> bool {
    if !["$ref", "$dynamicRef", "allOf"].iter().any(|keyword| root.get(keyword).is_some()) {
        return false;
    }
    // A budget for each: what is said of one tool hangs on no other.
    Tree::new(root, nodes).scope(0, &mut Budget::default()).is_none_or(|scope| scope.closed)
}

#[cfg(test)]
mod tests {
    use super::super::tests::hits_on;
    use super::*;

    #[test]
    fn only_an_open_root_with_parameters() {
        for (schema, open) in [
            (r#"{"type":"object","properties":{"a":{}}}"#, true),
            (r#"{"type":"object","properties":{"a":{}},"additionalProperties":{}}"#, true),
            (r#"{"type":"object","additionalProperties":true}"#, true),
            (r#"{"type":"object","oneOf":[{"properties":{"a":{}},"additionalProperties":false}]}"#, true),
            (r#"{"type":"object"}"#, false),
            (r#"{"type":"object","properties":{}}"#, false),
            (r#"{"type":"object","properties":{"a":{}},"additionalProperties":false}"#, false),
            (r#"{"type":"object","properties":{"a":{}},"unevaluatedProperties":false}"#, false),
            (
                r#"{"type":"object","properties":{"a":{"type":"object","properties":{"b":{}}}},"additionalProperties":false}"#,
                false,
            ),
            (r#"{"type":"object","additionalProperties":{"type":"string"}}"#, false),
            (
                r##"{"type":"object","$ref":"#/$defs/a","$defs":{"a":{"properties":{"b":{}},"additionalProperties":false}}}"##,
                false,
            ),
            (r##"{"type":"object","$ref":"#/$defs/a","$defs":{"a":{"properties":{"b":{}}}}}"##, true),
            (r#"{"properties":{"a":{}}}"#, false),
            ("[]", false),
        ] {
            assert_eq!(!hits_on(check, schema).is_empty(), open, "{schema}");
        }
    }
}
