//! Structured content of calls that went well, held against the output schema of the tool. Values are never told, only
//! their kinds: a result may hold anything.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::{
    Context, Hit,
    effort::Effort,
    fold,
    schema::{Failure, Validator},
};
use crate::surface::asked::is_failed;
use crate::surface::assemble::kind_of;
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
fn failures(cx: &Context<'_>, tool: usize, content: &Value) -> BTreeSet<Failure> {
    let Some((validator, effort)) = validator(cx, tool, content) else { return BTreeSet::new() };
    let failures = validator.mismatches(content, effort);
    if effort != Effort::All && !failures.is_empty() {
        cx.bounds.leave_out(tool, "a result may break its output schema in more places than can be listed");
    }
    failures
}

/// The output schema made ready for a structured content, and what it can tell of it.
pub(super) fn validator(cx: &Context<'_>, tool: usize, content: &Value) -> Option<(Validator, Effort)> {
    let schema = cx.surface.tools.get(tool)?.output_schema().filter(|schema| schema.is_object())?;
    let effort = Some(cx.bounds.effort(tool, schema, content)).filter(|effort| *effort != Effort::TooMuch)?;
    Some((Validator::of_server(schema)?, effort))
}
