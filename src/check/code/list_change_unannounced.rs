//! A list that changed within a session whose server promises to tell of changes, and did not.

use super::super::{Context, Hit, On};
use crate::spec::revision::Revision;
use crate::surface::dialogue::LISTEN;
use crate::surface::listing::{Axis, Listing};
use crate::surface::wire::Wire;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let binding = cx.surface.revision() >= Revision::V2026_07_28;
    for pair in cx.surface.listings().windows(2) {
        let [one, other] = pair else { continue };
        let promised = wire.declares_list_changed(one.session) == Some(true) && could_hear(wire, one, other);
        let alone = wire.axis(one, other) == Axis::Repetition && !wire.announced(one, other);
        // A call in between is `list-changes-by-side-effect`.
        let by_call = binding && one.names() != other.names() && wire.between(one, other).is_some();
        if !promised || !alone || by_call {
            continue;
        }
        let mut changed: Vec<&str> = one.names().symmetric_difference(&other.names()).copied().collect();
        changed.extend(one.redefined(other));
        if let Some(first) = changed.first() {
            let hit = Hit::new(On::Exchange, Pointer::root()).fact("value", *first);
            return vec![hit.fact("affected", changed)];
        }
    }
    Vec::new()
}

/// Whether we listened before the later list: always over standard streams and HTTP+SSE, over HTTP with a stream of its
/// own, and since 2026-07-28 with a subscription that the server took.
fn could_hear(wire: &Wire, one: &Listing<'_>, other: &Listing<'_>) -> bool {
    let session = one.session;
    if wire.modern_sessions().contains(&session) {
        let listening = |listen: &crate::surface::wire::Message| {
            listen.session == session && listen.body.pointer("/notifications/toolsListChanged") == Some(&true.into())
        };
        let refused = |listen: &crate::surface::wire::Message| wire.answer_to(listen).is_some();
        return wire
            .requests(LISTEN)
            .any(|(position, listen)| position < other.request && listening(listen) && !refused(listen));
    }
    let connect = wire.sessions.get(session).and_then(|session| session.connect.as_ref());
    connect.is_none_or(|connect| connect.sse)
        || wire.https.iter().any(|http| {
            http.session == session && http.ask.method == "GET" && http.status() == Some(200) && http.end.is_none()
        })
}
