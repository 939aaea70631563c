//! Input schemas of which a converter left nothing but the name of the dialect. Tools whose text lists their parameters
//! have a finding of another rule.

use serde_json::Value;

use super::super::{Context, Hit};
use super::schema_empty_properties_suspect::names_lost;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let emptied = |tool: usize, root: &Value| {
        let is_told = cx.surface.tools.get(tool).is_some_and(|own| !names_lost(&own.value, root).is_empty());
        is_emptied(root) && !is_told
    };
    let mut found = cx.inputs().filter(|schema| emptied(schema.tool, schema.root));
    let Some(first) = found.next() else { return Vec::new() };
    let others: Vec<usize> = found.map(|schema| schema.tool).collect();
    let all = std::iter::once(first.tool).chain(others.iter().copied());
    let names: Vec<&str> = all.filter_map(|tool| cx.surface.tools.get(tool)?.name()).collect();
    let count = 1 + others.len();
    vec![Hit::tool(first.tool, first.at.clone()).fact("measured", count).fact("tools", names).also(others)]
}

/// Whether a schema names its dialect and says nothing else.
fn is_emptied(schema: &Value) -> bool {
    let members = schema.as_object();
    let is_note =
        |keyword: &String| matches!(keyword.as_str(), "$schema" | "$id" | "$comment" | "title" | "description");
    members.is_some_and(|members| members.contains_key("$schema") && members.keys().all(is_note))
}
