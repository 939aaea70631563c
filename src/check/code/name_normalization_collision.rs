//! Names that are one once signs are replaced by an underscore, as hosts do that build identifiers of them.

use std::collections::BTreeMap;

use crate::check::{Context, Hit};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut groups: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
    for (n, tool) in cx.tools() {
        // A name of nothing but signs has no other name behind it.
        if let Some(name) = tool.name().filter(|name| name.contains(char::is_alphanumeric)) {
            groups.entry(replaced(name)).or_default().entry(name).or_insert(n);
        }
    }
    let groups = groups.into_iter().filter(|(_, names)| names.len() > 1);
    groups.filter_map(|(replaced, names)| hit(&replaced, &names)).collect()
}

/// Letters of all scripts stay: whole lists are written in them, and names of equal length are not alike for that.
fn replaced(name: &str) -> String {
    name.chars().map(|sign| if sign.is_alphanumeric() { sign } else { '_' }).collect()
}

fn hit(replaced: &str, names: &BTreeMap<&str, usize>) -> Option<Hit> {
    let later = names.values().max()?;
    let listed: Vec<&str> = names.keys().copied().collect();
    let joined = listed.join(", ");
    let hit = Hit::tool(*later, Pointer::root().key("name")).fact("tools", listed).fact("value", joined);
    Some(hit.fact("found", replaced).also(names.values().copied()))
}
