//! Requests in a version that no revision has, and that were not refused as such.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::{Context, Hit};
use crate::spec::meta::META_CAPABILITIES;
use crate::spec::revision::Revision;
use crate::surface::asked::{Asked, Spoken};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let spoken = wire.spoken();
    let revision = cx.surface.revision();
    // The older transport has no such header.
    let has_header = |asked: &Asked<'_>| revision >= Revision::V2025_06_18 && !wire.is_sse(asked.request.session);
    let found = wire.asked().filter_map(|asked| found(&asked, &spoken, has_header(&asked)));
    let found: BTreeSet<(&str, String, &str)> = found.collect();
    let hits = found.into_iter().map(|(version, found, expected)| {
        Hit::server().fact("value", version).fact("found", found).fact("expected", expected)
    });
    hits.collect()
}

/// The version, what came of it, and what should have.
fn found<'w>(asked: &Asked<'w>, spoken: &Spoken, has_header: bool) -> Option<(&'w str, String, &'static str)> {
    let is_none =
        |version: &&str| !Revision::may_name(version) && !spoken.versions.iter().any(|known| known == version);
    let header = asked.http.and_then(|http| http.sent("mcp-protocol-version"));
    if asked.is_turned_away() {
        return None;
    }
    if asked.method() == "initialize" {
        let version = asked.request.member("protocolVersion").and_then(Value::as_str).filter(is_none)?;
        let given = asked.result()?.get("protocolVersion").and_then(Value::as_str);
        return (given == Some(version))
            .then(|| (version, "the same version".to_owned(), "a version that it supports"));
    }
    if let Some(version) = asked.revision() {
        let version = Some(version).filter(is_none).filter(|version| header.is_none_or(|header| header == *version))?;
        if !spoken.modern || asked.request.meta(META_CAPABILITIES).is_none() {
            return None;
        }
        if !asked.is_refused(-32022, 400) {
            let expected = if asked.http.is_some() { "HTTP 400 and error -32022" } else { "error -32022" };
            return Some((version, asked.found_or_status()?, expected));
        }
        let data = |name: &str| asked.error().and_then(|error| error.get("data")?.get(name));
        let supported = data("supported").and_then(Value::as_array).is_some_and(|versions| !versions.is_empty());
        let lacks = if supported { "requested" } else { "supported" };
        let complete = supported && data("requested").is_some_and(Value::is_string);
        return (!complete)
            .then(|| (version, format!("error -32022 without {lacks}"), "one with supported and requested"));
    }
    let version = header.filter(is_none)?;
    asked.result().filter(|_| has_header && !spoken.modern).map(|_| (version, "a result".to_owned(), "HTTP 400"))
}
