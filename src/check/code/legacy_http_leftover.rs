//! Parts of the older HTTP transport in a server that is known to speak nothing but the modern era.

use std::collections::BTreeSet;

use super::super::{Context, Hit};
use crate::surface::wire::Http;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = cx.surface.wire.as_ref().filter(|wire| wire.spoken().only_modern()) else { return Vec::new() };
    let posts = wire.https.iter().filter(|http| http.ask.method == "POST");
    let endpoints: BTreeSet<&str> = posts.map(|http| http.ask.url.as_str()).collect();
    let taken = |http: &&Http| {
        let refused = http.status().is_none_or(|status| matches!(status, 401 | 403 | 405 | 407 | 429 | 500..));
        ["GET", "DELETE"].contains(&http.ask.method.as_str()) && endpoints.contains(http.ask.url.as_str()) && !refused
    };
    let mut found: BTreeSet<(&str, String)> = BTreeSet::new();
    for http in wire.https.iter().filter(taken) {
        found.insert((&http.ask.method, format!("HTTP {}", http.status().unwrap_or_default())));
    }
    let mut heads = wire.https.iter().filter_map(|http| http.head.as_ref());
    if heads.any(|head| head.header("mcp-session-id").is_some()) {
        found.insert(("Mcp-Session-Id", "a session id".to_owned()));
    }
    let hits = found.into_iter().map(|(value, found)| {
        let expected = if value == "Mcp-Session-Id" { "no session id" } else { "HTTP 405" };
        Hit::server().fact("value", value).fact("found", found).fact("expected", expected)
    });
    hits.collect()
}
