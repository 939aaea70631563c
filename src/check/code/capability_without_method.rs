//! A session whose opening declares `tools`, and in which `tools/list` is an unknown method.

use super::super::{Context, Hit, On};
use crate::spec::code::METHOD_NOT_FOUND;
use crate::surface::wire::Kind;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let declares = |session| wire.capabilities(session).is_some_and(|declared| declared.get("tools").is_some());
    let modern = wire.modern_sessions();
    let refused = wire.requests("tools/list").find(|(_, request)| {
        let answer = wire.answer_to(request);
        let unknown = answer.is_some_and(|answer| answer.code() == Some(METHOD_NOT_FOUND));
        // Of a server that speaks both eras, the session shows one; a request of the other may be a probe.
        unknown && declares(request.session) && request.names_revision() == modern.contains(&request.session)
    });
    let listed = |session| {
        wire.said().any(|(_, answer)| answer.session == session && answer.is_from_server(Kind::Result, "tools/list"))
    };
    match refused {
        Some((_, request)) if !listed(request.session) => {
            vec![Hit::new(On::Exchange, Pointer::root()).fact("code", METHOD_NOT_FOUND)]
        }
        _ => Vec::new(),
    }
}
