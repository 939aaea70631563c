//! Enums of many or long values in input schemas. What stands under `$defs` is counted where it stands, once.

use serde_json::Value;

use crate::check::{Context, Hit};
use crate::measure::tokens::Encoding;
use crate::spec::threshold::threshold;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    let (most_values, most_tokens) = (threshold("huge-enum.values"), threshold("huge-enum.tokens"));
    for input in cx.inputs() {
        for node in &input.nodes {
            let Some(values) = node.value.get("enum").and_then(Value::as_array) else { continue };
            let (measured, limit, unit) = if values.len() as u64 >= most_values {
                (values.len() as u64, most_values, "values")
            } else {
                (tokens(values, most_tokens), most_tokens, "tokens")
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
fn tokens(values: &[Value], most: u64) -> u64 {
    let texts: Vec<String> = values.iter().map(Value::to_string).collect();
    let text = format!("[{}]", texts.join(","));
    // A token is a byte at least.
    if (text.len() as u64) < most { 0 } else { Encoding::O200kBase.count(&text) as u64 }
}
