//! Starts of the server's process, warm and cold, against what hosts allow.

use super::{Context, Hit};

/// The limit of a host that bounds a start.
const LIMIT: &str = "startup-ms";

/// One hit for each chosen host whose limit the slowest start, cold or warm, is above.
pub(super) fn over_limits(cx: &Context<'_>, cold: bool) -> Vec<Hit> {
    let starts = cx.surface.starts().into_iter().filter(|start| start.cold == cold);
    let Some(slowest) = starts.map(|start| start.ms).max() else { return Vec::new() };
    let limits = cx.settings.hosts.iter().filter_map(|host| Some((host, host.limit(LIMIT)?)));
    let over = limits.filter(|(_, limit)| slowest > limit.value);
    let hits = over.map(|(host, limit)| {
        let hit = Hit::server().fact("measured_ms", slowest).fact("limit_ms", limit.value);
        let hit = hit.fact("host", host.id.as_str()).fact("source", limit.source.as_str());
        hit.fact("date", limit.date.as_str()).fact("confidence", limit.confidence.as_str())
    });
    hits.collect()
}
