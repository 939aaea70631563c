//! Calls that went well and gave no structured content although the tool declares what it looks like.

use super::super::{Context, Hit};
use crate::surface::asked::{Call, is_failed};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let lacks = |call: &Call<'_>| {
        let declares = cx.surface.tools.get(call.tool).and_then(|tool| tool.output_schema());
        let is_declared = declares.is_some_and(serde_json::Value::is_object);
        is_declared && call.done().is_some_and(|result| !is_failed(result) && result.get("structuredContent").is_none())
    };
    let calls = cx.surface.calls().into_iter().filter(lacks);
    calls.map(|call| Hit::tool(call.tool, Pointer::root().key("structuredContent"))).collect()
}
