//! Formats that a chosen host does not take.

use serde_json::Value;

use super::super::minded::by_value;
use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for limits in by_value(cx, "schema-unsupported-format") {
        let takes = |format: &str| limits.first().is_some_and(|limit| limit.texts().any(|known| known == format));
        for input in cx.inputs() {
            for node in &input.nodes {
                let format = node.value.get("format").and_then(Value::as_str);
                if let Some(format) = format.filter(|format| !takes(format)) {
                    let hit = Hit::tool(input.tool, node.at.key("format")).fact("value", format);
                    hits.push(hit.minded_by(limits.iter().copied()));
                }
            }
        }
    }
    hits
}
