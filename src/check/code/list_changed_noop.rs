//! `notifications/tools/list_changed` between two walks that brought the same tools.

use super::super::{Context, Hit, On};
use crate::surface::dialogue::LIST_CHANGED;
use crate::surface::listing::Listing;
use crate::surface::wire::{Kind, Wire};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let listings = cx.surface.listings();
    let idle = wire.said().filter(|(position, message)| {
        message.is_from_server(Kind::Notification, LIST_CHANGED)
            && around(&listings, *position, message.session)
                .is_some_and(|(before, after)| done(wire, *position, after) && same(before, after))
    });
    match idle.count() {
        0 => Vec::new(),
        count => vec![Hit::new(On::Exchange, Pointer::root()).fact("occurrences", count)],
    }
}

/// The last walk of a session that began before a position, and the first that began after it.
fn around<'l, 's>(
    listings: &'l [Listing<'s>],
    position: usize,
    session: usize,
) -> Option<(&'l Listing<'s>, &'l Listing<'s>)> {
    let own = || listings.iter().filter(move |listing| listing.session == session);
    Some((own().rfind(|listing| listing.request < position)?, own().find(|listing| listing.request > position)?))
}

/// Whether no page of the earlier walk came after the notification: it could hold the change already.
fn done(wire: &Wire, position: usize, after: &Listing<'_>) -> bool {
    let between = wire.messages.iter().take(after.request).skip(position);
    !between.into_iter().any(|message| message.is_from_server(Kind::Result, "tools/list"))
}

fn same(before: &Listing<'_>, after: &Listing<'_>) -> bool {
    let counts = before.tools.len() == after.tools.len();
    counts && before.names() == after.names() && before.redefined(after).is_none()
}
