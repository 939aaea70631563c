//! Groups of tools that say the same verb and take the same parameters, so that the kind could be one more parameter.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::check::synonyms::Parts;
use crate::check::{Context, Hit, shape};
use crate::surface::Tool;
use crate::text::pointer::Pointer;

/// From how many on a group is worth a word.
const LEAST: usize = 3;

/// By name: where a tool stands, and what its verb acts on.
type Named<'t> = BTreeMap<&'t str, (usize, Vec<String>)>;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut groups: BTreeMap<(String, Vec<String>, String), Named<'_>> = BTreeMap::new();
    for (n, tool) in cx.tools() {
        let Some((name, parts)) = tool.name().map(|name| (name, Parts::of(name))) else { continue };
        let (Some(verb), Some(schema)) = (parts.sure_verb().map(str::to_owned), tool.input_schema()) else { continue };
        // Without a parameter nothing is shared but the verb.
        if parts.object.is_empty() || shape::params(Some(schema)).is_empty() {
            continue;
        }
        // What stands before the verb is a source or a section of its own.
        let key = (verb, parts.before, format!("{}\n{}", shape::of(schema), promises(tool)));
        groups.entry(key).or_default().entry(name).or_insert((n, parts.object));
    }
    groups.into_iter().filter_map(|((verb, ..), tools)| hit(&verb, &tools)).collect()
}

/// What a tool promises besides: its hints and its result. One tool can promise one thing only.
fn promises(tool: &Tool) -> String {
    const HINTS: [&str; 4] = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
    let hints = HINTS.map(|hint| tool.hint(hint).map_or('?', |set| if set { 'y' } else { 'n' }));
    let output = tool.output_schema().filter(|schema| schema.as_object().is_some_and(|members| !members.is_empty()));
    let output = output.map(shape::of).unwrap_or_default();
    hints.iter().chain(&['\n']).copied().chain(output.chars()).collect()
}

fn hit(verb: &str, tools: &Named<'_>) -> Option<Hit> {
    // Names that differ in more than the thing, or not even there, are variants of one tool.
    let things: BTreeSet<&Vec<String>> = tools.values().map(|(_, object)| object).collect();
    if things.len() < LEAST {
        return None;
    }
    let (first, _) = tools.values().next()?;
    let names: Vec<Value> = tools.keys().map(|name| Value::from(*name)).collect();
    let hit = Hit::tool(*first, Pointer::root()).fact("measured", names.len()).fact("tools", names);
    Some(hit.fact("value", verb).also(tools.values().map(|(n, _)| *n)))
}
