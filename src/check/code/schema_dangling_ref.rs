//! A `$ref` into its own document that finds nothing. Where it leads to is not looked at, nor is anything fetched.

use serde_json::Value;

use super::super::{Context, Hit};
use crate::surface::{refs::Refs, schema::Target};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    leading(cx, Target::Dangling)
}

/// A hit for each `$ref` of this outcome.
pub(super) fn leading(cx: &Context<'_>, wanted: Target<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for schema in cx.schemas() {
        let refs = Refs::new(schema.root, &schema.nodes);
        for node in &schema.nodes {
            let Some(reference) = node.value.get("$ref").and_then(Value::as_str) else { continue };
            let target = refs.lead(reference);
            if target == Target::Unsettled && wanted == Target::Dangling {
                cx.bounds.leave_out(schema.tool, "a reference could lead into too many schemas");
            }
            if target == wanted {
                hits.push(Hit::tool(schema.tool, node.at.key("$ref")).fact("value", reference));
            }
        }
    }
    hits
}
