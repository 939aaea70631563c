//! Instructions of the server that are longer than a chosen host keeps.

use super::super::minded::by_value;
use super::super::{Context, Hit, On};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(text) = cx.surface.instructions.as_deref() else { return Vec::new() };
    let measured = text.chars().count() as u64;
    let mut hits = Vec::new();
    for limits in by_value(cx, "instructions-truncated") {
        if limits.first().and_then(|limit| limit.number()).is_some_and(|most| measured > most) {
            let at = Pointer::root().key("initialize").key("instructions");
            hits.push(Hit::new(On::Server, at).fact("measured", measured).minded_by(limits));
        }
    }
    hits
}
