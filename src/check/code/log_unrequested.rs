//! Log messages in a session of the modern era in which nobody asked for any.

use super::super::{Context, Hit, On};
use crate::surface::wire::{Message, Side};
use crate::text::pointer::Pointer;

/// The key by which a request asks for log messages.
const META_LEVEL: &str = "io.modelcontextprotocol/logLevel";

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let asked: Vec<(usize, &Message)> = wire
        .messages
        .iter()
        .enumerate()
        .filter(|(_, request)| request.side == Side::Client && request.meta(META_LEVEL).is_some())
        .collect();
    let wanted = |position: usize, log: &Message| {
        asked.iter().any(|(at, request)| {
            // Over HTTP that request counts whose answer carries the message.
            let carries = log.http.is_none() || request.http == log.http;
            *at < position && request.session == log.session && carries
        })
    };
    let logs = wire
        .modern_notifications()
        .filter(|(position, log, method)| *method == "notifications/message" && !wanted(*position, log));
    match logs.count() {
        0 => Vec::new(),
        count => vec![Hit::new(On::Exchange, Pointer::root()).fact("occurrences", count)],
    }
}
