//! Keys under `_meta` that have not the form of one.

use serde_json::Value;

use crate::check::members::Members;
use crate::check::{Context, Hit, meta_key};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut members = Members::default();
    for (n, tool) in cx.tools() {
        let keys = tool.value.get("_meta").and_then(Value::as_object).into_iter().flatten().map(|(key, _)| key);
        for key in keys.filter(|key| meta_key::fault(key).is_some()) {
            members.add(key, n);
        }
    }
    let hits = members.hits(&Pointer::root().key("_meta"), cx).into_iter();
    hits.map(|(key, hit)| hit.fact("problem", meta_key::fault(key).unwrap_or_default())).collect()
}
