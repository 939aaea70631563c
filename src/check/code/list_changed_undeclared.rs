//! `notifications/tools/list_changed` in a session whose opening does not declare `tools.listChanged`.

use std::collections::BTreeMap;

use super::super::{Context, Hit, On};
use crate::surface::dialogue::LIST_CHANGED;
use crate::surface::wire::Kind;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for (_, message) in wire.said().filter(|(_, message)| message.is_from_server(Kind::Notification, LIST_CHANGED)) {
        *counts.entry(message.session).or_default() += 1;
    }
    counts.retain(|session, _| wire.declares_list_changed(*session) == Some(false));
    match counts.values().sum::<usize>() {
        0 => Vec::new(),
        count => vec![Hit::new(On::Exchange, Pointer::root()).fact("occurrences", count)],
    }
}
