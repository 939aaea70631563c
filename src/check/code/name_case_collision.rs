//! Names that are equal but for upper and lower case. The very same name twice counts once: it has a rule of its own.

use std::collections::BTreeMap;

use crate::check::{Context, Hit};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut groups: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
    for (n, tool) in cx.tools() {
        if let Some(name) = tool.name() {
            groups.entry(name.to_lowercase()).or_default().entry(name).or_insert(n);
        }
    }
    groups.into_values().filter(|names| names.len() > 1).filter_map(hit).collect()
}

fn hit(names: BTreeMap<&str, usize>) -> Option<Hit> {
    // In order of letters, so that nothing hangs on the order of the list.
    let last = *names.values().next_back()?;
    let listed: Vec<&str> = names.keys().copied().collect();
    let joined = listed.join(", ");
    let hit = Hit::tool(last, Pointer::root().key("name"));
    Some(hit.fact("tools", listed).fact("value", joined).also(names.into_values()))
}
