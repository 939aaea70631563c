//! Log messages in a session of the modern era in which nobody asked for any.

use super::super::{Context, Hit, On};
use crate::surface::wire::{Kind, Message, Side, Wire};
use crate::text::pointer::Pointer;

/// The key by which a request asks for log messages.
const META_LEVEL: &str = "io.modelcontextprotocol/logLevel";

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let logs = wire.said().filter(|(position, message)| {
        message.is_from_server(Kind::Notification, "notifications/message")
            && wire.is_modern(message.session)
            && !asked(wire, *position, message)
    });
    match logs.count() {
        0 => Vec::new(),
        count => vec![Hit::new(On::Exchange, Pointer::root()).fact("occurrences", count)],
    }
}

/// Whether a request before it asked for log messages: over HTTP the one whose answer carries it, else any of the session.
fn asked(wire: &Wire, position: usize, log: &Message) -> bool {
    wire.messages.iter().take(position).any(|request| {
        let carries = log.http.is_none() || request.http == log.http;
        request.side == Side::Client
            && request.session == log.session
            && carries
            && request.meta(META_LEVEL).is_some()
    })
}
