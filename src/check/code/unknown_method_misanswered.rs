//! Requests of a method that no revision has, and that were not refused as unknown.

use std::collections::BTreeSet;

use super::super::{Context, Hit};
use crate::spec::code;
use crate::surface::asked::Asked;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let spoken = wire.spoken();
    let mut seen = BTreeSet::new();
    let mut hits = Vec::new();
    for asked in wire.asked().filter(|asked| !asked.is_turned_away()) {
        let method = asked.method();
        let modern = spoken.modern && asked.revision().is_some();
        // The modern era has no `ping`; a server that answers it all the same does no harm.
        let is_removed = modern && method == "ping";
        if Asked::is_known(method) && !is_removed {
            continue;
        }
        let fault = if modern { modern_fault(&asked, is_removed) } else { legacy_fault(&asked) };
        let Some((found, expected, weaker)) = fault else { continue };
        if seen.insert((found.clone(), expected)) {
            let hit = Hit::server().fact("value", method).fact("found", found).fact("expected", expected);
            hits.push(hit.weaker_if(weaker));
        }
    }
    hits
}

/// What came, what should have, and whether it does little harm.
type Fault = (String, &'static str, bool);

fn modern_fault(asked: &Asked<'_>, is_removed: bool) -> Option<Fault> {
    let (status, expected) =
        if asked.http.is_some() { (404, "HTTP 404 and error -32601") } else { (0, "error -32601") };
    // Codes of the specification's own say what else is wrong with the request.
    let of_its_own = asked.code().is_some_and(code::is_modern);
    let right = asked.is_refused(-32601, status) || of_its_own;
    if right { None } else { Some((asked.found_or_status()?, expected, is_removed && asked.result().is_some())) }
}

/// A request that names its revision asks nothing of a legacy server, nor does one outside a session.
fn legacy_fault(asked: &Asked<'_>) -> Option<Fault> {
    let outside = asked.revision().is_some() || asked.status().is_some_and(|status| status != 200);
    if asked.result().is_none() && (outside || asked.code().is_none_or(|code| code == -32601)) {
        return None;
    }
    Some((asked.found()?, "error -32601", asked.result().is_none()))
}
