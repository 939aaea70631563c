//! A `tools` capability that is no object, or whose `listChanged` is no boolean.

use super::super::{Context, Hit};
use crate::surface::assemble::kind_of;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(tools) = cx.surface.capabilities.as_ref().and_then(|declared| declared.get("tools")) else {
        return Vec::new();
    };
    let hit = |member: &str, found: &serde_json::Value, expected: &str| {
        let hit = Hit::server().fact("value", member).fact("found", kind_of(found));
        vec![hit.fact("expected", expected)]
    };
    match tools.get("listChanged") {
        _ if !tools.is_object() => hit("tools", tools, "an object"),
        Some(found) if !found.is_boolean() => hit("tools.listChanged", found, "a boolean"),
        _ => Vec::new(),
    }
}
