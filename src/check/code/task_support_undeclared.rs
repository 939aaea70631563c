//! Tools that are to be run as tasks, of a server that declares no tasks for calls.

use serde_json::Value;

use crate::check::{Context, Hit};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(capabilities) = &cx.surface.capabilities else { return Vec::new() };
    if capabilities.pointer("/tasks/requests/tools/call").is_some() {
        return Vec::new();
    }
    let at = Pointer::from_text("/execution/taskSupport");
    let hits = cx.tools().filter_map(|(n, tool)| {
        let value = tool.value.pointer("/execution/taskSupport").and_then(Value::as_str)?;
        let claims = matches!(value, "required" | "optional");
        let hit = Hit::tool(n, at.clone()).fact("value", value).fact("missing", vec!["tasks.requests.tools.call"]);
        claims.then(|| hit.weaker_if(value == "optional"))
    });
    hits.collect()
}
