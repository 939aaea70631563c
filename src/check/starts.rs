//! Starts of the server's process, warm and cold, against what hosts allow.

use super::{Context, Hit, minded};

/// A hit for each limit of the chosen hosts, in milliseconds, that the slowest start, cold or warm, is above.
pub(super) fn over_limits(cx: &Context<'_>, rule: &str, cold: bool) -> Vec<Hit> {
    let starts = cx.surface.starts().into_iter().filter(|start| start.cold == cold);
    let Some(slowest) = starts.map(|start| start.ms).max() else { return Vec::new() };
    let mut hits = Vec::new();
    for limits in minded::by_value(cx, rule) {
        let Some(limit) = limits.first().and_then(|first| first.number()).filter(|limit| slowest > *limit) else {
            continue;
        };
        hits.push(Hit::server().fact("measured_ms", slowest).fact("limit_ms", limit).minded_by(limits));
    }
    hits
}
