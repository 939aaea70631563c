//! A cursor that the server never handed out, and that brought anything but an error about its parameters.

use std::collections::BTreeSet;

use super::super::{Context, Hit, On};
use crate::spec::code::INVALID_PARAMS;
use crate::surface::wire::{Kind, Message, Wire};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let listed = wire.said().map(|(_, message)| message);
    let results = listed.filter(|message| message.is_from_server(Kind::Result, "tools/list"));
    let handed_out: BTreeSet<&str> = results.filter_map(|result| result.member("nextCursor")?.as_str()).collect();
    for (position, request) in wire.requests("tools/list") {
        let Some(cursor) = request.member("cursor").and_then(serde_json::Value::as_str) else { continue };
        // A tape that begins in the middle of a list does not show who handed out its cursor.
        let known = handed_out.contains(cursor) || cx.surface.request.is_none_or(|first| first >= position);
        if known {
            continue;
        }
        if let Some((found, code)) = mishandled(wire, request) {
            let hit = Hit::new(On::Exchange, Pointer::root()).fact("cursor", cursor).fact("found", found);
            let hit = hit.fact("expected", INVALID_PARAMS);
            let hit = code.map_or_else(|| hit.clone(), |code| hit.clone().fact("code", code));
            // A server that never pages may not look at cursors at all.
            return vec![hit.weaker_if(handed_out.is_empty() && code.is_none())];
        }
    }
    Vec::new()
}

/// What came instead of the error, and its code if it was another one.
fn mishandled(wire: &Wire, request: &Message) -> Option<(String, Option<i64>)> {
    match wire.answer_to(request) {
        Some(answer) if answer.kind == Kind::Result => Some(("a result".to_owned(), None)),
        Some(answer) => {
            let code = answer.code().filter(|code| *code != INVALID_PARAMS)?;
            Some((format!("error {code}"), Some(code)))
        }
        None => {
            let ended = wire.sessions.get(request.session).is_some_and(|session| session.exit.is_some());
            let last = wire.requests("tools/list").last().is_some_and(|(_, last)| last.id == request.id);
            (ended && last).then(|| ("the end of the process".to_owned(), None))
        }
    }
}
