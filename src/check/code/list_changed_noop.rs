//! `notifications/tools/list_changed` between two walks that brought the same tools.

use super::super::{Context, Hit, On};
use crate::surface::dialogue::LIST_CHANGED;
use crate::surface::listing::Listing;
use crate::surface::wire::{Kind, Wire};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let listings = cx.surface.listings();
    let pairs = listings.windows(2).filter_map(|pair| match pair {
        [before, after] if before.session == after.session && same(before, after) => Some((before, after)),
        _ => None,
    });
    match pairs.map(|(before, after)| announced(wire, before, after)).sum::<usize>() {
        0 => Vec::new(),
        count => vec![Hit::new(On::Exchange, Pointer::root()).fact("occurrences", count)],
    }
}

/// How often a change was told of between two walks, after the first was over: a page that came later could hold the
/// change already.
fn announced(wire: &Wire, before: &Listing<'_>, after: &Listing<'_>) -> usize {
    let between = wire.messages.iter().take(after.request).skip(before.request);
    let own = between.filter(|message| message.session == before.session);
    own.fold(0, |count, message| {
        if message.is_from_server(Kind::Result, "tools/list") {
            0
        } else {
            count + usize::from(message.is_from_server(Kind::Notification, LIST_CHANGED))
        }
    })
}

fn same(before: &Listing<'_>, after: &Listing<'_>) -> bool {
    let counts = before.tools.len() == after.tools.len();
    counts && before.names() == after.names() && before.redefined(after).is_none()
}
