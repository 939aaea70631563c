//! Walks through the list with other names: neighbours in the order of the tape are compared, one finding for each axis.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::super::{Context, Hit, On};
use crate::spec::revision::Revision;
use crate::surface::listing::{Axis, Listing};
use crate::surface::wire::Wire;
use crate::text::{pointer::Pointer, safe};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let binding = cx.surface.revision() >= Revision::V2026_07_28;
    let mut seen: BTreeSet<Axis> = BTreeSet::new();
    let mut hits = Vec::new();
    let listings = cx.surface.listings();
    let any_modern = listings.iter().any(|listing| listing.is_modern);
    for pair in listings.windows(2) {
        let [one, other] = pair else { continue };
        // Beside the modern era, sessions of the legacy one are judged by their own.
        let binding = binding && (one.is_modern || other.is_modern || !any_modern);
        let axis = wire.axis(one, other);
        // Credentials may change the list, and a change that is announced is no variation.
        let allowed = axis == Axis::Authorization || wire.announced(one, other);
        if allowed
            || one.names() == other.names()
            || is_older(wire, &listings, one, other, axis)
            || told_elsewhere(wire, one, other, axis, binding)
        {
            continue;
        }
        if seen.insert(axis) {
            let only = only(wire, one, other, axis);
            let differs: Vec<&str> = one.names().symmetric_difference(&other.names()).copied().collect();
            let weaker = !binding || matches!(axis, Axis::Repetition | Axis::Era);
            let hit = Hit::new(On::Exchange, Pointer::root()).fact("axis", axis.as_str()).fact("only", only);
            let hit = hit.fact("differs", some(&differs));
            hits.push(hit.weaker_if(weaker));
        }
    }
    hits
}

/// Whether a session changed its list while it was open, which is judged for itself, and the next one begins as it did
/// or after a call that may have changed it.
fn is_older(wire: &Wire, all: &[Listing<'_>], one: &Listing<'_>, other: &Listing<'_>, axis: Axis) -> bool {
    let known = |listing: &Listing<'_>| listing.session == one.session && listing.names() == other.names();
    axis != Axis::Repetition && (all.iter().any(known) || wire.called(one, other))
}

/// The first of these names, and how many more there are.
fn some(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(2).map(|name| safe::clip(name, 20)).collect();
    let left = names.len().saturating_sub(2);
    if left > 0 { format!("{} and {left} more", shown.join(", ")) } else { shown.join(", ") }
}

/// In one session a call in between is `list-changes-by-side-effect`, a promise to tell of changes that is not kept is
/// `list-change-unannounced`, and a list that says how long it holds may change: `list-changed-within-ttl`.
fn told_elsewhere(wire: &Wire, one: &Listing<'_>, other: &Listing<'_>, axis: Axis, binding: bool) -> bool {
    let called = binding && wire.between(one, other).is_some();
    let promised = wire.declares_list_changed(one.session) == Some(true);
    axis == Axis::Repetition && (wire.called(one, other) || called || promised || wire.freshness(one, other).is_some())
}

/// What each of two walks alone has, by its label.
fn only(wire: &Wire, one: &Listing<'_>, other: &Listing<'_>, axis: Axis) -> Map<String, Value> {
    let (ours, theirs) = (one.names(), other.names());
    let mut only = Map::new();
    for (listing, alone) in [(one, &ours - &theirs), (other, &theirs - &ours)] {
        if !alone.is_empty() {
            only.insert(wire.label(listing, axis), alone.into_iter().collect());
        }
    }
    only
}
