//! Complete results without `ttlMs` or `cacheScope`. A saved list that shows no hint at all is a bare list.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Context, Hit};
use crate::surface::wire::Wire;

/// The members that must be there, in the order in which they are named.
const HINTS: [&str; 2] = ["ttlMs", "cacheScope"];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut missing: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let strict = cx.surface.is_modern_list();
    for page in &cx.surface.pages {
        let complete = page.hints.get("resultType").is_none_or(|kind| kind == "complete");
        let shows = strict || !page.hints.is_empty();
        if complete && shows {
            let absent = HINTS.into_iter().filter(|name| !page.hints.contains_key(*name));
            missing.entry("tools/list").or_default().extend(absent);
        }
    }
    for (request, result) in cx.surface.wire.iter().flat_map(Wire::modern_results) {
        let complete = result.member("resultType").is_none_or(|kind| kind == "complete");
        if request.method.as_deref() == Some("server/discover") && complete && result.body.is_object() {
            let absent = HINTS.into_iter().filter(|name| result.member(name).is_none());
            missing.entry("server/discover").or_default().extend(absent);
        }
    }
    let found = missing.into_iter().filter(|(_, absent)| !absent.is_empty());
    let hits = found.map(|(method, absent)| {
        let named: Vec<&str> = HINTS.into_iter().filter(|name| absent.contains(name)).collect();
        Hit::server().fact("value", method).fact("found", named.join(" and ")).fact("missing", named)
    });
    hits.collect()
}
