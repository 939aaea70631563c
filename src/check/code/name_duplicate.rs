//! Names that stand twice on one page of the list. What comes back on a later page is a fault of the pages.

use std::collections::BTreeMap;

use crate::check::{Context, Hit};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut places: BTreeMap<&str, BTreeMap<usize, Vec<usize>>> = BTreeMap::new();
    for (n, tool) in cx.tools() {
        if let Some(name) = tool.name() {
            places.entry(name).or_default().entry(tool.page).or_default().push(n);
        }
    }
    let hit = |(name, pages): (&str, BTreeMap<usize, Vec<usize>>)| {
        // Of several pages the first that has the name twice; one finding for a name.
        let (second, times) = pages.into_values().find_map(|tools| Some((*tools.get(1)?, tools.len())))?;
        Some(Hit::tool(second, Pointer::root().key("name")).fact("value", name).fact("measured", times))
    };
    places.into_iter().filter_map(hit).collect()
}
