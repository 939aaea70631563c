//! Starts of the server's process, warm and cold, against what hosts allow.

use super::{Context, Hit};
use crate::surface::launch::downloads;
use crate::surface::wire::Wire;

/// The limit of a host that bounds a start.
const LIMIT: &str = "startup-ms";

/// Whether everything that a start needs is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// It is.
    Warm,
    /// It may have to be downloaded: the first start by a package runner or of a container.
    Cold,
}

/// One hit for each chosen host whose limit the slowest start of this kind is above.
pub(super) fn over_limits(cx: &Context<'_>, kind: Start) -> Vec<Hit> {
    let Some(slowest) = cx.surface.wire.as_ref().and_then(|wire| slowest(wire, kind)) else { return Vec::new() };
    let limits = cx.settings.hosts.iter().filter_map(|host| Some((host, host.limit(LIMIT)?)));
    let over = limits.filter(|(_, limit)| slowest > limit.value);
    let hits = over.map(|(host, limit)| {
        let hit = Hit::server().fact("measured_ms", slowest).fact("limit_ms", limit.value);
        let hit = hit.fact("host", host.id.as_str()).fact("source", limit.source.as_str());
        hit.fact("date", limit.date.as_str()).fact("confidence", limit.confidence.as_str())
    });
    hits.collect()
}

fn slowest(wire: &Wire, kind: Start) -> Option<u64> {
    let starts = wire.sessions.iter().filter(|session| session.is_start).enumerate();
    let of_kind = starts.filter(|(n, _)| {
        let cold = *n == 0 && downloads(&wire.command);
        cold == (kind == Start::Cold)
    });
    of_kind.filter_map(|(_, session)| session.opened).max()
}
