//! Requests without metadata that every request must have, and that were not refused for it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::{Context, Hit};
use crate::spec::revision::Revision;
use crate::surface::asked::{Asked, Spoken};

/// The required keys, without their prefix.
const KEYS: [&str; 2] = ["protocolVersion", "clientCapabilities"];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let spoken = wire.spoken();
    let mut seen = BTreeSet::new();
    let mut hits = Vec::new();
    for asked in wire.asked().filter(|asked| spoken.modern && !asked.is_turned_away()) {
        let missing = missing(&asked, &spoken);
        // A request that lacks them in its body does not match its headers either.
        let is_refused = asked.is_refused(-32602, 400) || (asked.http.is_some() && asked.is_refused(-32020, 400));
        let Some(found) = asked.found_or_status().filter(|_| !missing.is_empty() && !is_refused) else { continue };
        if seen.insert((missing.clone(), found.clone())) {
            let expected = if asked.http.is_some() { "HTTP 400 and error -32602" } else { "error -32602" };
            let hit = Hit::server().fact("value", missing.join(" and ")).fact("missing", missing);
            hits.push(hit.fact("found", found).fact("expected", expected));
        }
    }
    hits
}

/// The required keys that a request lacks; none when it is known to be no request of the modern era.
fn missing(asked: &Asked<'_>, spoken: &Spoken) -> Vec<&'static str> {
    let meta = |name: &str| asked.request.meta(&format!("io.modelcontextprotocol/{name}"));
    let is_there = |name: &str| match name {
        "protocolVersion" => meta(name).is_some_and(Value::is_string),
        _ => meta(name).is_some_and(Value::is_object),
    };
    // A server of both eras takes a request without any of them for a legacy one.
    let is_modern = spoken.only_modern() || KEYS.into_iter().any(|name| meta(name).is_some());
    let is_known = matches!(asked.method(), "tools/list" | "tools/call" | "server/discover");
    // What is wrong with a version that does not exist is another thing.
    let exists = asked.revision().is_none_or(Revision::may_name);
    if !is_modern || !is_known || !exists {
        return Vec::new();
    }
    KEYS.into_iter().filter(|name| !is_there(name)).collect()
}
