//! Answers to requests over HTTP that are neither a JSON document nor a stream of events. Only answers that say that
//! all went well: what stands before a server may refuse in words of its own.

use std::collections::BTreeSet;

use super::super::{Context, Hit, On};
use crate::surface::wire::{Side, Wire};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut seen = BTreeSet::new();
    let mut hits = Vec::new();
    // Who never sent a message is no MCP server, which is said elsewhere.
    if !cx.surface.wire.iter().flat_map(|wire| &wire.messages).any(|message| message.side == Side::Server) {
        return hits;
    }
    for asked in cx.surface.wire.iter().flat_map(Wire::asked) {
        // Over HTTP+SSE the answer comes in another stream, and the POST itself has none.
        let elsewhere = asked.answer.is_some_and(|answer| answer.http != asked.request.http);
        let head = asked.http.filter(|http| http.ask.method == "POST").and_then(|http| http.head.as_ref());
        let Some(head) = head.filter(|head| (200..300).contains(&head.status) && !elsewhere) else { continue };
        if cx.surface.wire.as_ref().is_some_and(|wire| wire.is_sse(asked.request.session)) {
            continue;
        }
        let found = head.media_type().unwrap_or_else(|| "no content type".to_owned());
        if !matches!(found.as_str(), "application/json" | "text/event-stream") && seen.insert(found.clone()) {
            let hit = Hit::new(On::Exchange, Pointer::root()).fact("value", asked.method()).fact("found", found);
            hits.push(hit.fact("expected", "application/json or text/event-stream"));
        }
    }
    hits
}
