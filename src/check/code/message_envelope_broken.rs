//! Messages of the server that are not JSON-RPC 2.0 in their outermost members.

use std::collections::BTreeMap;

use super::super::{Context, Hit, On};
use crate::surface::wire::{Kind, Message};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let mut faults: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, message) in wire.said() {
        if let Some(fault) = fault(message) {
            *faults.entry(fault).or_default() += 1;
        }
    }
    let hit = |(fault, count): (&str, usize)| {
        Hit::new(On::Exchange, Pointer::root()).fact("found", fault).fact("occurrences", count)
    };
    faults.into_iter().map(hit).collect()
}

/// What is wrong with the envelope of a message, as what was sent.
fn fault(message: &Message) -> Option<&'static str> {
    let has = |name: &str| message.members.iter().any(|member| member == name);
    let body = &message.body;
    if !has("jsonrpc") {
        return Some("a message without jsonrpc");
    }
    match message.kind {
        Kind::Error if has("result") => Some("an answer with both result and error"),
        // A body that is large may have been left out of the record, and is null then.
        Kind::Error if body.is_null() => None,
        Kind::Error if message.code().is_none() => Some("an error without an integer code"),
        Kind::Error if !message.member("message").is_some_and(serde_json::Value::is_string) => {
            Some("an error without a message")
        }
        Kind::Result if message.id.is_null() => Some("a result without an id"),
        // A list of this kind is `list-wrong-shape`.
        Kind::Result if message.method.as_deref() == Some("tools/list") => None,
        Kind::Result if !body.is_null() && !body.is_object() => Some("a result that is no object"),
        Kind::Broken => Some("a message that is neither request nor answer"),
        _ => None,
    }
}
