//! Enums of many or long values in input schemas. What stands under `$defs` is counted where it stands, once.

use serde_json::Value;

use crate::check::{Context, Hit};
use crate::measure::tokens::Encoding;

/// Values from which on an enum is huge.
const VALUES: usize = 50;
/// Tokens from which on it is huge with fewer values.
const TOKENS: usize = 500;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for input in cx.inputs() {
        for node in &input.nodes {
            let Some(values) = node.value.get("enum").and_then(Value::as_array) else { continue };
            let (measured, limit, unit) = if values.len() >= VALUES {
                (values.len(), VALUES, "values")
            } else {
                (tokens(values), TOKENS, "tokens")
            };
            if measured >= limit {
                let hit = Hit::tool(input.tool, node.at.key("enum"));
                hits.push(hit.fact("measured", measured).fact("limit", limit).fact("unit", unit));
            }
        }
    }
    hits
}

/// Tokens of the array, or nought where it is too short to have many.
fn tokens(values: &[Value]) -> usize {
    let texts: Vec<String> = values.iter().map(Value::to_string).collect();
    let text = format!("[{}]", texts.join(","));
    // A token is a byte at least.
    if text.len() < TOKENS { 0 } else { Encoding::O200kBase.count(&text) }
}
