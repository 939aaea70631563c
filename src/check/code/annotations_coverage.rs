//! Tools that carry none of the four hints, in one line for the whole list. A hint of the wrong type counts: that
//! fault has a rule of its own.

use serde_json::Value;

use crate::check::{Context, Hit};
use crate::surface::{Tool, contract::HINTS};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let tools = &cx.surface.tools;
    let missing: Vec<&str> = tools.iter().filter(|tool| !is_annotated(tool)).map(Tool::label).collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let measured = format!("{}/{}", tools.len() - missing.len(), tools.len());
    vec![Hit::server().fact("measured", measured).fact("missing", missing)]
}

fn is_annotated(tool: &Tool) -> bool {
    let annotations = tool.value.get("annotations").and_then(Value::as_object);
    annotations.is_some_and(|members| HINTS.into_iter().any(|hint| members.contains_key(hint)))
}
