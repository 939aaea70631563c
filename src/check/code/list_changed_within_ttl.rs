//! A list that changed before the time was over for which its server called it fresh.

use super::super::{Context, Hit, On};
use crate::surface::listing::Axis;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    for pair in cx.surface.listings().windows(2) {
        let [one, other] = pair else { continue };
        let same = one.names() == other.names() && one.redefined(other).is_none();
        if same || wire.announced(one, other) || matches!(wire.axis(one, other), Axis::Authorization | Axis::Era) {
            continue;
        }
        let Some((fresh, passed)) = wire.freshness(one, other) else { continue };
        if passed < fresh {
            let hit = Hit::new(On::Exchange, Pointer::root()).fact("measured_ms", passed);
            return vec![hit.fact("limit_ms", fresh)];
        }
    }
    Vec::new()
}
