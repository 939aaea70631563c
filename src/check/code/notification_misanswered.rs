//! Notifications over HTTP that were taken with another status than 202, or with a body. One that was refused got what
//! it should: an error status.

use std::collections::BTreeSet;

use super::super::{Context, Hit, On};
use crate::surface::wire::{Kind, Side};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let mut seen = BTreeSet::new();
    let mut hits = Vec::new();
    let ours = wire.messages.iter().filter(|message| message.side == Side::Client);
    for message in ours.filter(|message| message.kind == Kind::Notification && !wire.is_sse(message.session)) {
        let Some(http) = message.http.and_then(|http| wire.https.get(http)) else { continue };
        let Some(status) = http.status().filter(|status| (200..300).contains(status)) else { continue };
        let has_body = http.messages > 0 || http.text.is_some();
        let found = match status {
            202 if has_body => "HTTP 202 and a body".to_owned(),
            202 => continue,
            _ => format!("HTTP {status}"),
        };
        let method = message.method.as_deref().unwrap_or_default();
        if seen.insert((method, found.clone())) {
            let hit = Hit::new(On::Exchange, Pointer::root()).fact("value", method).fact("found", found);
            hits.push(hit.fact("expected", "HTTP 202 without a body").weaker_if(status == 202));
        }
    }
    hits
}
