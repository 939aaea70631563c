//! Tools that mean the same in every walk and are written differently in some.

use super::super::{Context, Hit};
use crate::surface::listing::{Listing, alike};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let listings = cx.surface.listings();
    let Some((first, later)) = listings.split_first() else { return Vec::new() };
    let (ours, theirs) = (first.unique(), later.iter().map(Listing::unique).collect::<Vec<_>>());
    let mut hits = Vec::new();
    for (index, tool) in cx.tools() {
        let Some(name) = tool.name().filter(|name| ours.contains_key(name)) else { continue };
        let others: Vec<_> = theirs.iter().filter_map(|tools| tools.get(name)).collect();
        let differs = others.iter().any(|other| other.text != tool.text);
        if differs && others.iter().all(|other| alike(&other.value, &tool.value)) {
            hits.push(Hit::tool(index, Pointer::root()).fact("value", name));
        }
    }
    hits
}
