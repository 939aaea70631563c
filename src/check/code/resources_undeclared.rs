//! Embedded resources from a server that does not say that it has any.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::{Context, Hit};
use crate::surface::asked::Call;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let declared = cx.surface.capabilities.as_ref().and_then(Value::as_object);
    if declared.is_none_or(|declared| declared.contains_key("resources")) {
        return Vec::new();
    }
    let calls = cx.surface.calls();
    let found: BTreeSet<(usize, usize)> = calls.iter().filter_map(|call| Some((call.tool, embedded(call)?))).collect();
    let mut seen = BTreeSet::new();
    let first = found.into_iter().filter(|(tool, _)| seen.insert(*tool));
    first.map(|(tool, i)| Hit::tool(tool, Pointer::root().key("content").index(i))).collect()
}

/// The position of the first embedded resource in the result of a call.
fn embedded(call: &Call<'_>) -> Option<usize> {
    let blocks = call.done()?.get("content")?.as_array()?;
    blocks.iter().position(|block| block.get("type").is_some_and(|kind| kind == "resource"))
}
