//! Requests that were answered more than once.

use super::super::{Context, Hit, On};
use crate::surface::dialogue::Stray;
use crate::text::{pointer::Pointer, safe};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let again = wire.strays().into_iter().filter(|(_, stray)| *stray == Stray::Repeated);
    let answers: Vec<_> = again.filter_map(|(position, _)| wire.messages.get(position)).collect();
    let Some(first) = answers.first() else { return Vec::new() };
    let hit = Hit::new(On::Exchange, Pointer::root()).fact("value", safe::clip(&first.id.to_string(), 40));
    vec![hit.fact("occurrences", answers.len())]
}
