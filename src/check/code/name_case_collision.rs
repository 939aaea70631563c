//! Names that are equal but for upper and lower case. The very same name twice counts once: it has a rule of its own.

use std::collections::BTreeMap;

use crate::check::{Context, Hit};
use crate::surface::Tool;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut groups: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
    for (n, tool) in cx.tools() {
        if let Some(name) = tool.name() {
            groups.entry(name.to_lowercase()).or_default().entry(name).or_insert(n);
        }
    }
    groups.into_values().filter(|names| names.len() > 1).filter_map(|names| hit(names, cx)).collect()
}

fn hit(names: BTreeMap<&str, usize>, cx: &Context<'_>) -> Option<Hit> {
    let mut tools: Vec<usize> = names.into_values().collect();
    tools.sort_unstable();
    let last = *tools.last()?;
    let names: Vec<&str> = tools.iter().filter_map(|n| cx.surface.tools.get(*n)).map(Tool::label).collect();
    let joined = names.join(", ");
    let hit = Hit::server().within(last, Pointer::root().key("name"));
    Some(hit.fact("tools", names).fact("value", joined).also(tools))
}
