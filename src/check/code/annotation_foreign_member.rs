//! Members inside `annotations` that MCP does not define there.

use serde_json::Value;

use super::annotation_unknown_key::meant;
use crate::check::members::Members;
use crate::check::{Context, Hit};
use crate::surface::contract::HINTS;
use crate::text::pointer::Pointer;

/// What belongs to content, and means nothing on a tool.
const OF_CONTENT: [&str; 3] = ["audience", "priority", "lastModified"];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut members = Members::default();
    for (n, tool) in cx.tools() {
        let keys = tool.value.get("annotations").and_then(Value::as_object).into_iter().flatten().map(|(key, _)| key);
        for key in keys.filter(|key| !is_known(key)) {
            members.add(key, n);
        }
    }
    let hits = members.hits(&Pointer::root().key("annotations"), cx);
    hits.into_iter().map(|(member, hit)| hit.weaker_if(!OF_CONTENT.contains(&member))).collect()
}

/// Whether a key is defined, meant as one that is, or marked as an addition.
fn is_known(key: &str) -> bool {
    key == "title" || HINTS.contains(&key) || key == "_meta" || key.starts_with("x-") || meant(key).is_some()
}
