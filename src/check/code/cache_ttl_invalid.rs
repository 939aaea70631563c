//! A `ttlMs` that is no whole number from 0.

use serde_json::Value;

use super::super::{Context, Hit};
use crate::surface::assemble::kind_of;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let wrong = cx.surface.hints("ttlMs").find(|(_, ttl)| !is_valid(ttl));
    wrong.map_or_else(Vec::new, |(method, ttl)| {
        let found = if ttl.is_number() { ttl.to_string() } else { kind_of(ttl).to_owned() };
        let hit = Hit::server().fact("value", method).fact("found", found);
        vec![hit.fact("expected", "a whole number of milliseconds from 0")]
    })
}

/// Whole by value: `1.0` is an integer to JSON Schema.
fn is_valid(ttl: &Value) -> bool {
    ttl.as_f64().is_some_and(|ttl| ttl >= 0.0 && ttl.fract() == 0.0)
}
