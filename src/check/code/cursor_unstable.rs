//! A cursor that was followed twice in one session and led to other tools, or to an error.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::{Context, Hit, On};
use crate::surface::dialogue::LIST_CHANGED;
use crate::surface::wire::{Kind, Message, Wire};
use crate::surface::{Surface, Tool};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let mut asked: BTreeMap<&str, Vec<(usize, &Message)>> = BTreeMap::new();
    for (position, request) in wire.requests("tools/list") {
        if let Some(cursor) = request.member("cursor").and_then(Value::as_str) {
            asked.entry(cursor).or_default().push((position, request));
        }
    }
    for page in &cx.surface.pages {
        let Some(cursor) = page.cursor.as_deref() else { continue };
        let Some([(first, request), later @ ..]) = asked.get(cursor).map(Vec::as_slice) else { continue };
        let again = later.iter().find(|(_, again)| again.session == request.session);
        let Some((second, again)) = again else { continue };
        let answer = wire.answer_to(again);
        let Some(answer) = answer.filter(|_| !page.nothing_new && !changed(wire, *first, *second)) else { continue };
        let hit = Hit::new(On::Exchange, Pointer::root()).fact("cursor", cursor);
        if let Some(code) = answer.code().filter(|_| answer.kind == Kind::Error) {
            return vec![hit.fact("found", format!("error {code}")).fact("code", code)];
        }
        let before: Vec<&str> = names(cx.surface, page.tools.clone());
        // The tools of a page that was only asked for again are still in its message.
        let after = answer.member("tools").and_then(Value::as_array);
        let differs = after.is_some_and(|tools| names_of(tools) != before);
        if differs {
            return vec![hit.fact("found", "other tools")];
        }
    }
    Vec::new()
}

fn names(surface: &Surface, tools: std::ops::Range<usize>) -> Vec<&str> {
    surface.tools.get(tools).unwrap_or_default().iter().filter_map(Tool::name).collect()
}

fn names_of(tools: &[Value]) -> Vec<&str> {
    tools.iter().filter_map(|tool| tool.get("name")?.as_str()).collect()
}

/// Whether the list was said to have changed, or was begun anew, between two requests.
fn changed(wire: &Wire, first: usize, second: usize) -> bool {
    let begins = |message: &Message| {
        message.kind == Kind::Request
            && message.method.as_deref() == Some("tools/list")
            && message.member("cursor").is_none()
    };
    let between = wire.messages.iter().take(second).skip(first + 1);
    between.into_iter().any(|message| message.is_from_server(Kind::Notification, LIST_CHANGED) || begins(message))
}
