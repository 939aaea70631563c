//! Object schemas whose members stand beside `type` instead of under `properties`.

use serde_json::Value;

use super::super::{Context, Hit, keywords::children};
use crate::text::safe;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for schema in cx.schemas() {
        for node in &schema.nodes {
            let Value::Object(members) = node.value else { continue };
            let names = children(members);
            if !names.is_empty() {
                let value = safe::clip(&names.join(", "), 60);
                hits.push(Hit::tool(schema.tool, node.at.clone()).fact("value", value).fact("affected", names));
            }
        }
    }
    hits
}
