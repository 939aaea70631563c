//! The same names in another order: of all walks with the names of the first one.

use std::collections::BTreeSet;

use super::super::{Context, Hit, On};
use crate::surface::Tool;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let listings = cx.surface.listings();
    let Some(first) = listings.first() else { return Vec::new() };
    let same =
        listings.iter().filter(|listing| listing.tools.len() == first.tools.len() && listing.names() == first.names());
    let orders = same.map(|listing| listing.tools.iter().filter_map(Tool::name).collect());
    let distinct: BTreeSet<Vec<&str>> = orders.collect();
    if distinct.len() < 2 {
        return Vec::new();
    }
    let hit = Hit::new(On::Exchange, Pointer::root()).fact("distinct", distinct.len());
    vec![hit.fact("measured", listings.len())]
}
