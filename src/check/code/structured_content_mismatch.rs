//! Structured content of calls that went well, held against the output schema of the tool. Values are never told, only
//! their kinds: a result may hold anything.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::{
    Context, Hit, effort, fold,
    schema::{Failure, Validator},
};
use crate::surface::assemble::kind_of;
use crate::surface::asked::is_failed;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (tool, content) in contents(cx, false) {
        for (failure, occurrences) in fold::by_row(failures(cx, tool, content)) {
            let lacks = failure.keyword == "required";
            let found = if lacks { "nothing" } else { failure.at.find(content).map_or("nothing", kind_of) };
            let hit = Hit::tool(tool, Pointer::root().key("structuredContent").join(&failure.at));
            hits.push(hit.fact("found", found).fact("expected", failure.expected).fact("occurrences", occurrences));
        }
    }
    hits
}

/// The structured content of the calls of tools with an output schema, of those that failed or of the others.
pub(super) fn contents<'a>(cx: &Context<'a>, failed: bool) -> Vec<(usize, &'a Value)> {
    let calls = cx.surface.calls().into_iter();
    calls
        .filter_map(|call| {
            let result = call.done().filter(|result| is_failed(result) == failed)?;
            Some((call.tool, result.get("structuredContent")?))
        })
        .collect()
}

/// What of a structured content breaks the output schema; nothing where that cannot be told.
pub(super) fn failures(cx: &Context<'_>, tool: usize, content: &Value) -> BTreeSet<Failure> {
    let schema = cx.surface.tools.get(tool).and_then(|tool| tool.output_schema()).filter(|schema| schema.is_object());
    let schema = schema.filter(|schema| effort::is_bearable(schema, content));
    let validator = schema.and_then(Validator::of_server);
    validator.map(|validator| validator.mismatches(content)).unwrap_or_default()
}
