//! A GET at the endpoint of a legacy server that opened no stream and was not refused as a method either.

use std::collections::BTreeSet;

use super::super::{Context, Hit};
use crate::surface::wire::{Http, Wire};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let found = wire.https.iter().filter(|http| is_listening(wire, http)).find_map(found);
    found.map(|found| Hit::server().fact("found", found).fact("expected", "HTTP 405")).into_iter().collect()
}

/// Whether it is a GET that may ask for a stream: at an address that takes messages, and with the session's id where
/// there is one.
fn is_listening(wire: &Wire, http: &Http) -> bool {
    let posts = wire.https.iter().filter(|other| other.ask.method == "POST" && other.session == http.session);
    let endpoints: BTreeSet<&str> = posts.map(|other| other.ask.url.as_str()).collect();
    let heads = wire.https.iter().filter_map(|other| other.head.as_ref());
    let has_sessions = heads.into_iter().any(|head| head.header("mcp-session-id").is_some());
    let is_known = !has_sessions || http.sent("mcp-session-id").is_some();
    http.ask.method == "GET" && !wire.is_sse(http.session) && endpoints.contains(http.ask.url.as_str()) && is_known
}

fn found(http: &Http) -> Option<String> {
    let head = http.head.as_ref()?;
    match head.status {
        200 if !head.is_stream() => {
            Some(format!("HTTP 200 and {}", head.media_type().unwrap_or_else(|| "no content type".to_owned())))
        }
        // A session that is over is answered with 404, and what stands before the server with words of its own.
        404 if http.sent("mcp-session-id").is_some() => None,
        200 | 401 | 403 | 405 | 407 | 429 | 500.. => None,
        status => Some(format!("HTTP {status}")),
    }
}
