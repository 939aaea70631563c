//! Keywords that ask something of values that the `type` beside them rules out. `format` is none of them.

use serde_json::Value;

use super::super::{
    Context, Hit,
    values::{in_words, types},
};

/// Keywords of one kind of value, by the types that let it pass.
const OF: [(&[&str], &[&str]); 4] = [
    (&["string"], &["minLength", "maxLength", "pattern", "contentEncoding", "contentMediaType", "contentSchema"]),
    (&["integer", "number"], &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
    (
        &["array"],
        &[
            "items",
            "prefixItems",
            "additionalItems",
            "unevaluatedItems",
            "contains",
            "minContains",
            "maxContains",
            "minItems",
            "maxItems",
            "uniqueItems",
        ],
    ),
    (
        &["object"],
        &[
            "properties",
            "required",
            "additionalProperties",
            "unevaluatedProperties",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "dependentRequired",
            "dependentSchemas",
        ],
    ),
];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for schema in cx.schemas() {
        // Of the outermost schema another rule says that it is no object.
        for node in schema.nodes.iter().filter(|node| !node.under.is_empty()) {
            let Value::Object(members) = node.value else { continue };
            let Some(types) = types(node.value) else { continue };
            let others = OF.iter().filter(|(of, _)| !types.iter().any(|name| of.contains(name)));
            let others: Vec<_> = others.flat_map(|(of, words)| words.iter().map(move |word| (*word, *of))).collect();
            for (keyword, value) in members {
                let Some((_, of)) = others.iter().find(|(word, _)| word == keyword) else { continue };
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
            (r#"{"type":"string","properties":{"a":{}},"required":["a"]}"#, &["/items/properties", "/items/required"][..]),
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
