//! What must have been asked for a rule to see anything.
//!
//! A rule that could not look must not be counted among those that found nothing.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Context;
use crate::rule::{Meta, Need};
use crate::spec::revision::Revision;
use crate::surface::asked::Asked;
use crate::surface::wire::Wire;

/// Why a rule cannot look, if so.
pub(super) fn unmet(meta: &Meta, cx: &Context<'_>) -> Option<&'static str> {
    let need = meta.need()?;
    let wire = cx.surface.wire.as_ref();
    let is_met = match need {
        Need::Capabilities => cx.surface.capabilities.is_some(),
        Need::Wire => wire.is_some(),
        Need::Http => wire.is_some_and(|wire| !wire.https.is_empty()),
        Need::Walks => cx.surface.listings().len() > 1,
        Need::Probe => wire.is_some_and(|wire| is_probed(wire, cx)),
        Need::Calls => !cx.surface.calls().is_empty(),
    };
    (!is_met).then(|| need.unmet())
}

/// Whether anything was asked that must be refused. One such request stands for all: they are sent together.
fn is_probed(wire: &Wire, cx: &Context<'_>) -> bool {
    let served: BTreeSet<&str> = cx.served().iter().copied().collect();
    let foreign = |asked: &Asked<'_>| {
        asked.request.member("name").and_then(Value::as_str).is_none_or(|name| !served.contains(name))
    };
    let lists = || wire.said().filter_map(|(_, message)| message.member("nextCursor").and_then(Value::as_str));
    let cursors: BTreeSet<&str> = lists().collect();
    wire.asked().any(|asked| match asked.method() {
        "tools/call" => foreign(&asked),
        "tools/list" => {
            asked.request.member("cursor").and_then(Value::as_str).is_some_and(|one| !cursors.contains(one))
        }
        method => !Asked::is_known(method),
    }) || wire.asked().any(|asked| is_odd(&asked))
}

/// Whether a request comes from a foreign page, or in a version that is not there.
fn is_odd(asked: &Asked<'_>) -> bool {
    let sent = |name: &str| asked.http.and_then(|http| http.sent(name));
    let versions = [asked.revision(), sent("mcp-protocol-version")];
    let is_unknown = |version: &str| Revision::ALL.iter().all(|known| known.as_str() != version);
    sent("origin").is_some() || versions.into_iter().flatten().any(is_unknown)
}
