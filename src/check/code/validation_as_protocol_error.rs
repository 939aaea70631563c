//! Calls whose arguments break the input schema and that got an error of the protocol, which a model may never see.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::super::{Context, Hit, effort::Effort, schema::Validator};
use crate::spec::revision::Revision;
use crate::surface::asked::Call;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    // The newest schema calls this code right for invalid arguments, its prose does not.
    let is_disputed = cx.surface.revision() >= Revision::V2026_07_28;
    let calls = cx.surface.calls().into_iter().filter(|call| call.asked.code() == Some(-32602));
    let tools: BTreeSet<usize> = calls.filter(|call| breaks_schema(cx, call)).map(|call| call.tool).collect();
    let hit = |tool| Hit::tool(tool, Pointer::root()).fact("code", -32602).weaker_if(is_disputed);
    tools.into_iter().map(hit).collect()
}

fn breaks_schema(cx: &Context<'_>, call: &Call<'_>) -> bool {
    let none = Value::Object(Map::new());
    let arguments = call.arguments().unwrap_or(&none);
    let schema = cx.surface.tools.get(call.tool).and_then(|tool| tool.input_schema());
    let Some(schema) = schema.filter(|_| arguments.is_object()) else { return false };
    cx.bounds.effort(call.tool, schema, arguments) != Effort::TooMuch
        && Validator::of_server(schema).is_some_and(|validator| validator.refuses(arguments))
}
