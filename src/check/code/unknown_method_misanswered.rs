//! Requests of a method that no revision has, and that were not refused as unknown.

use std::collections::BTreeSet;

use super::super::{Context, Hit};
use crate::surface::asked::{Asked, Spoken};

/// What the methods of the specification and of its extensions begin with.
const KNOWN: [&str; 14] = [
    "completion/",
    "elicitation/",
    "initialize",
    "logging/",
    "notifications/",
    "ping",
    "prompts/",
    "resources/",
    "roots/",
    "sampling/",
    "server/",
    "subscriptions/",
    "tasks/",
    "tools/",
];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let spoken = wire.spoken();
    let mut seen = BTreeSet::new();
    let mut hits = Vec::new();
    for asked in wire.asked().filter(|asked| !asked.is_turned_away()) {
        let method = asked.method();
        if KNOWN.into_iter().any(|known| method.starts_with(known)) {
            continue;
        }
        let Some((found, expected, weaker)) = fault(&asked, &spoken) else { continue };
        if seen.insert((found.clone(), expected)) {
            let hit = Hit::server().fact("value", method).fact("found", found).fact("expected", expected);
            hits.push(hit.weaker_if(weaker));
        }
    }
    hits
}

/// What came, what should have, and whether it is an error all the same, only of another code.
fn fault(asked: &Asked<'_>, spoken: &Spoken) -> Option<(String, &'static str, bool)> {
    let modern = spoken.modern && asked.revision().is_some();
    if asked.result().is_some() {
        return Some((asked.found()?, "error -32601", false));
    }
    // Codes of the specification's own say what else is wrong with the request.
    let of_its_own = modern && asked.code().is_some_and(|code| (-32022..=-32020).contains(&code));
    if modern && asked.http.is_some() {
        let right = asked.is_refused(-32601, 404) || of_its_own;
        return if right { None } else { Some((asked.found_or_status()?, "HTTP 404 and error -32601", false)) };
    }
    let other = asked.code().is_some_and(|code| code != -32601) && !of_its_own;
    if other { Some((asked.found()?, "error -32601", !modern)) } else { None }
}
