//! Calls that gave structured content although the tool declares none.

use super::super::{Context, Hit};
use crate::surface::asked::{Call, is_failed};
use crate::surface::contract::{Output, output};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let undeclared = |call: &Call<'_>| {
        let is_absent = cx.surface.tools.get(call.tool).is_some_and(|tool| output(tool) == Output::Absent);
        let gives = |result: &serde_json::Value| {
            !is_failed(result) && result.get("structuredContent").is_some_and(|content| !content.is_null())
        };
        is_absent && call.done().is_some_and(gives)
    };
    cx.surface.calls().into_iter().filter(undeclared).map(|call| Hit::tool(call.tool, Pointer::root())).collect()
}
