//! Results without `resultType`: on the wire those of requests that name their revision, in a saved list those that hold
//! other members of this revision.

use std::collections::BTreeMap;

use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut missing: BTreeMap<&str, usize> = BTreeMap::new();
    if let Some(wire) = &cx.surface.wire {
        for (request, result) in wire.modern_results() {
            if result.body.is_object() && result.member("resultType").is_none() {
                *missing.entry(request.method.as_deref().unwrap_or_default()).or_default() += 1;
            }
        }
    }
    if !cx.surface.is_modern_list() {
        let bare =
            |page: &&crate::surface::wire::Page| !page.hints.is_empty() && !page.hints.contains_key("resultType");
        let count = cx.surface.pages.iter().filter(bare).count();
        if count > 0 {
            missing.insert("tools/list", count);
        }
    }
    missing.into_iter().map(|(method, count)| Hit::server().fact("value", method).fact("occurrences", count)).collect()
}
