//! A list that changed before the time was over for which its server called it fresh.

use serde_json::Value;

use super::super::{Context, Hit, On};
use crate::surface::listing::Axis;
use crate::surface::wire::{Kind, Wire};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    for pair in cx.surface.listings().windows(2) {
        let [one, other] = pair else { continue };
        let same = one.names() == other.names() && one.redefined(other).is_none();
        if same || wire.announced(one, other) || wire.axis(one, other) == Axis::Authorization {
            continue;
        }
        let Some((ttl, received)) = freshness(wire, one.request) else { continue };
        let Some(asked) = wire.messages.get(other.request).and_then(|request| request.ms) else { continue };
        let passed = asked.saturating_sub(received);
        if passed < ttl {
            let hit = Hit::new(On::Exchange, Pointer::root()).fact("measured_ms", passed);
            return vec![hit.fact("limit_ms", ttl)];
        }
    }
    Vec::new()
}

/// How long the first page of a walk is fresh, and when it came, both in milliseconds.
fn freshness(wire: &Wire, request: usize) -> Option<(u64, u64)> {
    let answer = wire.answer_to(wire.messages.get(request)?)?;
    let ttl = answer.member("ttlMs").filter(|_| answer.kind == Kind::Result).and_then(Value::as_u64)?;
    Some((ttl, answer.ms?))
}
