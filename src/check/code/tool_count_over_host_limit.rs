//! More tools than a chosen host sends or accepts, over one server or all of a run.

use super::super::minded::by_value;
use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let measured: u64 = cx.servers().iter().map(|server| server.tools.len() as u64).sum();
    let mut hits = Vec::new();
    for limits in by_value(cx, "tool-count-over-host-limit") {
        if limits.first().and_then(|limit| limit.number()).is_some_and(|most| measured > most) {
            hits.push(Hit::server().fact("measured", measured).minded_by(limits));
        }
    }
    hits
}
