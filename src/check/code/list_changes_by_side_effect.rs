//! A list that is another one after a request that had nothing to do with it, in the same session.

use super::super::{Context, Hit, On};
use crate::surface::listing::Axis;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    for pair in cx.surface.listings().windows(2) {
        let [one, other] = pair else { continue };
        if wire.axis(one, other) != Axis::Repetition || one.names() == other.names() {
            continue;
        }
        if let Some(method) = wire.between(one, other) {
            let changed: Vec<&str> = one.names().symmetric_difference(&other.names()).copied().collect();
            return vec![Hit::new(On::Exchange, Pointer::root()).fact("value", method).fact("affected", changed)];
        }
    }
    Vec::new()
}
