//! Requests whose headers do not say what their body says, or do not say it at all, and that were not refused for it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::{Context, Hit};
use crate::spec::meta::META_CAPABILITIES;
use crate::surface::asked::{Asked, Spoken};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let spoken = wire.spoken();
    let mut seen = BTreeSet::new();
    let mut hits = Vec::new();
    for asked in wire.asked().filter(|asked| spoken.modern && !asked.is_turned_away()) {
        let Some((header, is_missing)) = mismatch(&asked, &spoken) else { continue };
        let Some(found) = asked.found_or_status() else { continue };
        // Of two versions, the header's may be one that the server does not support, or serves in the legacy way.
        let other_version = header == "MCP-Protocol-Version" && asked.result().is_none() && !spoken.only_modern();
        let unsupported = header == "MCP-Protocol-Version" && asked.code() == Some(-32022);
        if asked.is_refused(-32020, 400)
            || other_version
            || unsupported
            // Nobody knows the tool that was named: to say so first shows nothing of those that exist.
            || header == "Mcp-Name" && asked.code() == Some(-32602)
            || !seen.insert((header, is_missing, found.clone()))
        {
            continue;
        }
        let problem = if is_missing { "missing" } else { "not that of its body" };
        let hit = Hit::server().fact("value", header).fact("problem", problem).fact("found", found);
        hits.push(hit.fact("expected", "HTTP 400 and error -32020"));
    }
    hits
}

/// The first header that does not say what the body says, and whether it is missing.
fn mismatch(asked: &Asked<'_>, spoken: &Spoken) -> Option<(&'static str, bool)> {
    let http = asked.http.filter(|http| http.ask.method == "POST")?;
    let revision = asked.revision()?;
    // Without it the request is refused for its metadata.
    asked.request.meta(META_CAPABILITIES)?;
    let named = match asked.method() {
        "tools/call" | "prompts/get" => asked.request.member("name").and_then(Value::as_str),
        "resources/read" => asked.request.member("uri").and_then(Value::as_str),
        _ => None,
    };
    let wanted = [("MCP-Protocol-Version", Some(revision)), ("Mcp-Method", Some(asked.method())), ("Mcp-Name", named)];
    wanted.into_iter().find_map(|(header, body)| match (http.sent(header), body) {
        // An encoded value is not compared.
        (Some(sent), Some(body)) => (sent != body && !sent.starts_with("=?base64?")).then_some((header, false)),
        // Whoever serves clients of before 2025-06-18 may take a request without a version for one of theirs.
        (None, Some(_)) if header == "MCP-Protocol-Version" => spoken.only_modern().then_some((header, true)),
        (None, Some(_)) => Some((header, true)),
        (_, None) => None,
    })
}
