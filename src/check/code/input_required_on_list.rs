//! `input_required` as the type of a result whose request cannot be answered so.

use super::super::{Context, Hit, On};
use crate::text::pointer::Pointer;

/// The requests that may be answered with a wish for input.
const ALLOWED: [&str; 3] = ["tools/call", "prompts/get", "resources/read"];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let mut methods: Vec<&str> = wire
        .modern_results()
        .filter(|(_, result)| result.member("resultType").is_some_and(|kind| kind == "input_required"))
        .filter_map(|(request, _)| request.method.as_deref())
        // Extensions may add requests of their own; the core ones are named with a slash and no further prefix.
        .filter(|method| CORE.contains(method) && !ALLOWED.contains(method))
        .collect();
    methods.sort_unstable();
    methods.dedup();
    methods.into_iter().map(|method| Hit::new(On::Exchange, Pointer::root()).fact("value", method)).collect()
}

/// The requests of the core protocol that an audit may send beside those.
const CORE: [&str; 7] = [
    "completion/complete",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "server/discover",
    "subscriptions/listen",
    "tools/list",
];
