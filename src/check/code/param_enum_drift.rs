//! Tools on one thing that offer different values for one parameter.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::super::verbs::Kind;
use super::super::words::words;
use super::super::{Context, Hit};
use crate::surface::Tool;
use crate::text::pointer::Pointer;

/// What makes two parameters one: the thing that the tool acts on, their name and their text.
type Key<'v> = (Vec<String>, &'v str, &'v str);

/// A parameter of one tool.
struct Use<'v> {
    tool: usize,
    name: &'v str,
    at: Pointer,
    values: BTreeSet<&'v str>,
}

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut uses: BTreeMap<Key<'_>, Vec<Use<'_>>> = BTreeMap::new();
    for input in cx.inputs() {
        let Some((name, thing)) = cx.surface.tools.get(input.tool).and_then(acts_on) else { continue };
        for node in input.nodes.iter().filter(|node| node.under == "properties" && node.depth == 1) {
            let text = node.value.get("description").and_then(Value::as_str);
            let values = node.value.get("enum").and_then(Value::as_array);
            let texts: Option<BTreeSet<&str>> = values.and_then(|values| values.iter().map(Value::as_str).collect());
            if let (Some(param), Some(text), Some(values)) = (node.name, text, texts) {
                let one = Use { tool: input.tool, name, at: node.at.clone(), values };
                uses.entry((thing.clone(), param, text.trim())).or_default().push(one);
            }
        }
    }
    uses.into_values().filter_map(|group| drift(&group)).collect()
}

/// The name of a tool, and its words without the verb.
fn acts_on(tool: &Tool) -> Option<(&str, Vec<String>)> {
    let name = tool.name()?;
    let is_verb = |word: &String| Kind::Reading.base(word).or_else(|| Kind::Writing.base(word)).is_some();
    let thing: Vec<String> = words(name).filter(|word| !is_verb(word)).collect();
    (!thing.is_empty()).then_some((name, thing))
}

/// A hit on the last use, where values drifted apart: two uses have some in common, and each has some of its own.
fn drift(group: &[Use<'_>]) -> Option<Hit> {
    let apart = |a: &Use<'_>, b: &Use<'_>| {
        !a.values.is_disjoint(&b.values) && !a.values.is_subset(&b.values) && !b.values.is_subset(&a.values)
    };
    let last = group.last()?;
    let others: Vec<&Use<'_>> = group.iter().filter(|one| one.tool != last.tool && apart(one, last)).collect();
    if others.is_empty() {
        return None;
    }
    let all: Vec<&Use<'_>> = others.iter().copied().chain([last]).collect();
    let mut only = Map::new();
    for one in &all {
        let elsewhere =
            |value: &&&str| all.iter().any(|other| other.tool != one.tool && other.values.contains(**value));
        let own: Vec<&str> = one.values.iter().filter(|value| !elsewhere(value)).copied().collect();
        only.insert(one.name.to_owned(), own.into());
    }
    let tools: Vec<&str> = all.iter().map(|one| one.name).collect();
    let hit = Hit::tool(last.tool, last.at.clone()).also(others.iter().map(|one| one.tool));
    Some(
        hit.fact("tools", tools)
            .fact("only", only)
            .fact("value", last.at.split_last().map_or_else(String::new, |(_, name)| name)),
    )
}
