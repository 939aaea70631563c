//! Enums with more values than a chosen host serves.

use serde_json::Value;

use super::super::minded::by_value;
use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for limits in by_value(cx, "schema-enum-too-large") {
        let Some(most) = limits.first().and_then(|limit| limit.number()) else { continue };
        for input in cx.inputs() {
            for node in &input.nodes {
                let values = node.value.get("enum").and_then(Value::as_array).map_or(0, Vec::len) as u64;
                if values > most {
                    let hit = Hit::tool(input.tool, node.at.key("enum")).fact("measured", values);
                    hits.push(hit.minded_by(limits.iter().copied()));
                }
            }
        }
    }
    hits
}
