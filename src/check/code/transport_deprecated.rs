//! Servers that were reached over HTTP+SSE alone. Whether they have the newer transport somewhere is only known where
//! the same address refused it.

use std::collections::BTreeSet;

use super::super::{Context, Hit};
use crate::surface::wire::{Http, Side, Wire};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let answered = wire.messages.iter().filter(|message| message.side == Side::Server).map(|message| message.session);
    // What only refused to open its stream is no such server.
    let opened = |session: usize| wire.https.iter().any(|http| http.session == session && http.is_open_stream());
    let answered: BTreeSet<usize> = answered.filter(|session| !wire.is_sse(*session) || opened(*session)).collect();
    if answered.is_empty() || !answered.iter().all(|session| wire.is_sse(*session)) {
        return Vec::new();
    }
    vec![Hit::server().fact("expected", "Streamable HTTP").weaker_if(!is_refused(wire))]
}

/// Whether the address of the stream refused a POST.
fn is_refused(wire: &Wire) -> bool {
    let of = |method: &'static str| wire.https.iter().filter(move |http| http.ask.method == method);
    let streams: BTreeSet<&str> = of("GET").map(|http| http.ask.url.as_str()).collect();
    let refused = |http: &Http| http.status().is_some_and(|status| matches!(status, 400 | 404 | 405));
    of("POST").any(|http| streams.contains(http.ask.url.as_str()) && refused(http))
}
