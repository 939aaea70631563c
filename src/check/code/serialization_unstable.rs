//! Tools that mean the same in two walks and are written differently. Eras and transports may each have their own way
//! to write; a walk is compared with the first one of its own.

use super::super::{Context, Hit};
use crate::surface::Tool;
use crate::surface::listing::{Axis, Listing, alike};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let listings = cx.surface.listings();
    let same_way =
        |one: &Listing<'_>, other: &Listing<'_>| !matches!(wire.axis(one, other), Axis::Era | Axis::Transport);
    let pairs = listings.iter().enumerate().filter_map(|(n, later)| {
        let first = listings.iter().take(n).find(|earlier| same_way(earlier, later))?;
        Some((first.unique(), later.unique()))
    });
    let pairs: Vec<_> = pairs.collect();
    let mut hits = Vec::new();
    for (index, tool) in cx.tools() {
        let Some(name) = tool.name() else { continue };
        let both = pairs.iter().filter_map(|(ours, theirs)| Some((*ours.get(name)?, *theirs.get(name)?)));
        let seen: Vec<(&Tool, &Tool)> = both.collect();
        let differs = seen.iter().any(|(ours, theirs)| ours.text != theirs.text);
        if differs && seen.iter().all(|(ours, theirs)| alike(&ours.value, &theirs.value)) {
            hits.push(Hit::tool(index, Pointer::root()).fact("value", name));
        }
    }
    hits
}
