//! Keys under `_meta` whose prefix is kept for MCP.

use serde_json::Value;

use crate::check::members::Members;
use crate::check::{Context, Hit, meta_key};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let revision = cx.surface.revision();
    let mut members = Members::default();
    for (n, tool) in cx.tools() {
        let keys = tool.value.get("_meta").and_then(Value::as_object).into_iter().flatten().map(|(key, _)| key);
        for key in keys.filter(|key| meta_key::is_reserved(key, revision)) {
            members.add(key, n);
        }
    }
    let hits = members.hits(&Pointer::root().key("_meta"), cx).into_iter();
    hits.map(|(_, hit)| hit).collect()
}
