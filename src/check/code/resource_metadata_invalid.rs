//! Metadata of a protected resource that names no server where one gets authorized, or is none at all.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::{Context, Hit};
use crate::surface::challenge::{Challenge, WELL_KNOWN};
use crate::surface::wire::{Http, Wire};

/// Characters that the wire keeps of a text; one that is longer is not whole.
const KEPT: usize = 2_000;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let named = named(wire);
    let gets = wire.https.iter().filter(|http| http.ask.method == "GET");
    let hits = gets.filter_map(|http| {
        let is_named = named.contains(http.ask.url.as_str());
        let missing = fault(http, is_named).filter(|_| is_named || http.ask.url.contains(WELL_KNOWN))?;
        let problem = match missing {
            "document" => format!("is not to be had: HTTP {}", http.status().unwrap_or_default()),
            "JSON object" => "is no JSON object".to_owned(),
            member => format!("lacks {member}"),
        };
        let hit = Hit::server().fact("value", http.ask.url.as_str()).fact("missing", vec![missing]);
        Some(hit.fact("found", missing).fact("problem", problem))
    });
    hits.take(1).collect()
}

/// The addresses that the challenges name.
fn named(wire: &Wire) -> BTreeSet<String> {
    let heads = wire.https.iter().filter_map(|http| http.head.as_ref());
    let challenges = heads.filter_map(|head| Challenge::read(head.header("www-authenticate")?));
    challenges.filter_map(|challenge| challenge.resource_metadata().map(str::to_owned)).collect()
}

/// What the document lacks. A page that stands at an address that was only guessed is no document.
fn fault(http: &Http, is_named: bool) -> Option<&'static str> {
    let status = http.status()?;
    if status != 200 {
        return (is_named && matches!(status, 401 | 403 | 404 | 410)).then_some("document");
    }
    let text = http.text.as_deref().unwrap_or_default();
    if text.chars().count() >= KEPT {
        return None;
    }
    let Ok(Value::Object(document)) = serde_json::from_str(text) else { return is_named.then_some("JSON object") };
    let servers = document.get("authorization_servers").and_then(Value::as_array);
    if servers.is_none_or(|servers| !servers.iter().any(Value::is_string)) {
        return Some("authorization_servers");
    }
    document.get("resource").is_none_or(|resource| !resource.is_string()).then_some("resource")
}
