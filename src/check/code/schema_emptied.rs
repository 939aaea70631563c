//! Input schemas of which a converter left nothing but the name of the dialect. Tools whose text lists their parameters
//! have a finding of another rule.

use serde_json::Value;

use super::super::{Context, Hit};
use super::schema_empty_properties_suspect::names_lost;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let emptied = |tool: usize, root: &Value| {
        let is_told = cx.surface.tools.get(tool).is_some_and(|own| !names_lost(&own.value, root).is_empty());
        is_emptied(root) && !is_told
    };
    let found = cx.inputs().filter(|schema| emptied(schema.tool, schema.root)).map(|schema| schema.tool);
    let all = cx.by_name(found.collect());
    let Some((first, others)) = all.split_first() else { return Vec::new() };
    let names: Vec<&str> = all.iter().filter_map(|tool| cx.surface.tools.get(*tool)?.name()).collect();
    let hit = Hit::tool(*first, Pointer::root().key("inputSchema")).fact("measured", all.len());
    vec![hit.fact("tools", names).also(others.iter().copied())]
}

/// Whether a schema names its dialect and says nothing else.
fn is_emptied(schema: &Value) -> bool {
    let members = schema.as_object();
    let is_note =
        |keyword: &String| matches!(keyword.as_str(), "$schema" | "$id" | "$comment" | "title" | "description");
    members.is_some_and(|members| members.contains_key("$schema") && members.keys().all(is_note))
}
