//! Calls of tools that are on no list, and that were not refused by an error of the protocol.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::{Context, Hit};
use crate::spec::code;
use crate::surface::Tool;
use crate::surface::asked::{Asked, is_failed};
use crate::surface::wire::{Page, Wire};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let surface = cx.surface;
    // What a list that was not followed to its end does not name may still be served.
    let whole = surface.pages.last().is_some_and(|page: &Page| page.next_cursor().is_none());
    if !whole || surface.tools.is_empty() {
        return Vec::new();
    }
    let later = surface.later.iter().flat_map(|walk| &walk.tools).filter_map(Tool::name);
    let served: BTreeSet<&str> = cx.served().iter().copied().chain(later).collect();
    let mut seen = BTreeSet::new();
    let mut hits = Vec::new();
    let calls = surface.wire.iter().flat_map(Wire::asked).filter(|asked| asked.method() == "tools/call");
    for asked in calls.filter(|asked| !asked.is_turned_away()) {
        let name = asked.request.member("name").and_then(Value::as_str).filter(|name| !served.contains(name));
        let Some((name, (found, is_refused))) = name.zip(found(&asked)) else { continue };
        if seen.insert((name, found.clone())) {
            let hit = Hit::server().fact("value", name).fact("found", found).fact("expected", "error -32602");
            hits.push(hit.weaker_if(is_refused));
        }
    }
    hits
}

/// What came in place of the error, and whether it says at least that something went wrong.
fn found(asked: &Asked<'_>) -> Option<(String, bool)> {
    match (asked.result(), asked.code()) {
        (Some(result), _) if is_failed(result) => Some(("a result with `isError`".to_owned(), true)),
        (Some(_), _) => Some(("a result that went well".to_owned(), false)),
        // Codes of the specification's own say what else is wrong with the request.
        (None, Some(code)) if code != -32602 && !code::is_modern(code) => Some((format!("error {code}"), true)),
        _ => None,
    }
}
