//! Defaults that are none of the values of the `enum` that holds for them.

use serde_json::Value;

use super::super::{
    Context, Hit,
    values::{are_same, is_nullable},
};
use super::schema_enum_type_mismatch::none_fits;
use crate::surface::refs::Refs;
use crate::text::safe;

/// Comparisons of a default with a value that are done for one list.
const MOST: usize = 1 << 22;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for schema in cx.schemas() {
        let refs = Refs::new(schema.root, &schema.nodes);
        let mut left = MOST;
        for node in &schema.nodes {
            let Some((default, values)) = outside(&refs, node.value, &mut left) else { continue };
            // The list itself is at fault where it is empty or nothing in it can be sent.
            if values.is_empty() || none_fits(node.value) {
                continue;
            }
            let listed: Vec<String> = values.iter().take(12).map(Value::to_string).collect();
            let hit = Hit::tool(schema.tool, node.at.key("default"));
            let hit = hit.fact("found", safe::clip(&default.to_string(), 40));
            let hit = hit.fact("expected", safe::clip(&listed.join(", "), 80));
            let is_plain = !default.is_array() && !default.is_object();
            hits.push(if is_plain { hit.fact("value", default.clone()) } else { hit });
        }
    }
    hits
}

/// The default of a schema and the list that it is not in; none where it is in all, or has none.
pub(super) fn outside<'s>(
    refs: &Refs<'_, 's>,
    schema: &'s Value,
    left: &mut usize,
) -> Option<(&'s Value, &'s Vec<Value>)> {
    let default = schema.get("default")?;
    if default.is_null() && is_nullable(schema) {
        return None;
    }
    let lists = refs.followed(schema).into_iter().chain(optional(schema).filter(|_| !default.is_null()));
    let mut lists = lists.filter_map(|part| part.get("enum")?.as_array());
    let list = lists.find(|values| {
        *left = left.saturating_sub(values.len());
        *left > 0 && !values.iter().any(|value| are_same(value, default))
    })?;
    Some((default, list))
}

/// The other one of two alternatives of which one is `null`, which is how an optional value is written.
fn optional(schema: &Value) -> Option<&Value> {
    let is_null = |part: &&Value| part.get("type").is_some_and(|name| name == "null");
    let parts = ["anyOf", "oneOf"].into_iter().find_map(|keyword| schema.get(keyword)?.as_array())?;
    match parts.as_slice() {
        [other, null] | [null, other] if is_null(&null) && !is_null(&other) => Some(other),
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
    fn the_list_that_holds_for_a_default() {
        for (schema, said) in [
            (r#"{"enum":["a"],"default":"b"}"#, &["/default"][..]),
            (r#"{"type":"string","enum":["a"],"default":null}"#, &["/default"]),
            (r##"{"$defs":{"e":{"enum":["a"]}},"allOf":[{"$ref":"#/$defs/e"}],"default":"b"}"##, &["/default"]),
            (r#"{"anyOf":[{"enum":["a"]},{"type":"null"}],"default":"b"}"#, &["/default"]),
            (r#"{"anyOf":[{"enum":["a"]},{"type":"null"}],"default":null}"#, &[]),
            (r#"{"anyOf":[{"enum":["a"]},{"type":"string"}],"default":"b"}"#, &[]),
            (r#"{"enum":[1,2],"default":2.0}"#, &[]),
            (r#"{"enum":["a"],"nullable":true,"default":null}"#, &[]),
            (r#"{"type":"string","enum":[1],"default":"b"}"#, &[]),
            (r#"{"enum":[],"default":"b"}"#, &[]),
        ] {
            assert_eq!(hits(schema), said, "{schema}");
        }
    }
}
