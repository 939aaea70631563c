//! A list that is called public and is another one for other credentials.

use super::super::{Context, Hit, On};
use crate::surface::listing::{Axis, Listing};
use crate::surface::wire::Wire;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    for pair in cx.surface.listings().windows(2) {
        let [one, other] = pair else { continue };
        let same = one.names() == other.names() && one.redefined(other).is_none();
        let public = is_public(wire, one) && is_public(wire, other);
        if !same && public && wire.axis(one, other) == Axis::Authorization && !wire.announced(one, other) {
            let mut changed: Vec<&str> = one.names().symmetric_difference(&other.names()).copied().collect();
            changed.extend(one.redefined(other));
            let hit = Hit::new(On::Exchange, Pointer::root()).fact("axis", Axis::Authorization.as_str());
            return vec![hit.fact("affected", changed)];
        }
    }
    Vec::new()
}

/// Whether the first page of a walk is called public; the others must be called the same.
fn is_public(wire: &Wire, listing: &Listing<'_>) -> bool {
    let answer = wire.messages.get(listing.request).and_then(|request| wire.answer_to(request));
    answer.and_then(|answer| answer.member("cacheScope")).is_some_and(|scope| scope == "public")
}
