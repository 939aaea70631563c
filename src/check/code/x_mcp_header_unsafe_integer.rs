//! Mirrored integers whose own bounds or values lie beyond what every client can hold exactly. An integer without bounds
//! is left alone: what a caller will send is not known.

use serde_json::Value;

use super::super::{Context, Hit};
use super::x_mcp_header_invalid::{KEY, is_reachable};

/// The largest integer that a double holds exactly together with all smaller ones.
const SAFE: f64 = 9_007_199_254_740_991.0;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for schema in cx.inputs() {
        let integers = schema.nodes.iter().filter(|node| {
            node.value.get(KEY).is_some_and(Value::is_string)
                && node.value.get("type").is_some_and(|kind| kind == "integer")
                && is_reachable(node)
        });
        for node in integers {
            for keyword in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "const", "default", "enum"] {
                let stated = node.value.get(keyword);
                let values = stated.and_then(Value::as_array).map(|items| items.iter().collect::<Vec<_>>());
                let values = values.unwrap_or_else(|| stated.into_iter().collect());
                if values.into_iter().filter_map(Value::as_f64).any(|value| value.abs() > limit(keyword)) {
                    hits.push(Hit::tool(schema.tool, node.at.key(keyword)).fact("value", keyword));
                }
            }
        }
    }
    hits
}

/// The largest amount that this keyword may name: an exclusive bound is no value.
fn limit(keyword: &str) -> f64 {
    if keyword.starts_with("exclusive") { SAFE + 1.0 } else { SAFE }
}
