//! Keywords that ask something of values that the `type` beside them rules out. `format` is none of them.

use serde_json::Value;

use super::super::{
    Context, Hit,
    values::{in_words, types},
};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for schema in cx.schemas() {
        // Of the outermost schema another rule says that it is no object.
        for node in schema.nodes.iter().filter(|node| !node.under.is_empty()) {
            let Value::Object(members) = node.value else { continue };
            let Some(types) = types(node.value) else { continue };
            for (keyword, value) in members {
                let Some(of) = applies_to(keyword) else { continue };
                if types.iter().any(|name| of.contains(name)) {
                    continue;
                }
                // A flag in a property is a habit with a rule of its own.
                if keyword == "required" && !value.is_array() {
                    continue;
                }
                let hit = Hit::tool(schema.tool, node.at.key(keyword)).fact("value", keyword.as_str());
                hits.push(hit.fact("found", in_words(&types)).fact("expected", in_words(of)));
            }
        }
    }
    hits
}

/// The types to whose values alone a keyword applies, if it is one of one kind of value.
fn applies_to(keyword: &str) -> Option<&'static [&'static str]> {
    match keyword {
        "minLength" | "maxLength" | "pattern" | "contentEncoding" | "contentMediaType" | "contentSchema" => {
            Some(&["string"])
        }
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => Some(&["integer", "number"]),
        "items" | "prefixItems" | "additionalItems" | "unevaluatedItems" | "contains" | "minContains"
        | "maxContains" | "minItems" | "maxItems" | "uniqueItems" => Some(&["array"]),
        "properties"
        | "required"
        | "additionalProperties"
        | "unevaluatedProperties"
        | "patternProperties"
        | "propertyNames"
        | "minProperties"
        | "maxProperties"
        | "dependentRequired"
        | "dependentSchemas" => Some(&["object"]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{hits_on, place};
    use super::*;

    fn hits(schema: &str) -> Vec<String> {
        hits_on(check, schema).iter().map(|hit| place(hit).to_owned()).collect()
    }

    #[test]
    fn only_a_declared_type_rules_out() {
        for (part, said) in [
            (
                r#"{"type":"string","properties":{"a":{}},"required":["a"]}"#,
                &["/items/properties", "/items/required"][..],
            ),
            (r#"{"type":"integer","maxLength":3,"format":"int32"}"#, &["/items/maxLength"]),
            (r#"{"type":["string","null"],"minItems":1}"#, &["/items/minItems"]),
            (r#"{"type":["string","array"],"items":{},"pattern":"a"}"#, &[]),
            (r#"{"items":{},"pattern":"a"}"#, &[]),
            (r#"{"type":"text","minItems":1}"#, &[]),
            (r#"{"type":"string","required":true}"#, &[]),
        ] {
            assert_eq!(hits(&format!("{{\"type\":\"array\",\"items\":{part}}}")), said, "{part}");
        }
    }
}
