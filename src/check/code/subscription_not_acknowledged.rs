//! Subscriptions on which something else came first, or nothing although a later request was answered.

use super::super::{Context, Hit, On};
use crate::spec::meta::META_SUBSCRIPTION;
use crate::surface::dialogue::LISTEN;
use crate::surface::wire::{Kind, Message, Side, Wire};
use crate::text::pointer::Pointer;

/// The notification that must come first.
const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let hits = wire.requests(LISTEN).filter_map(|(position, listen)| {
        if wire.answer_to(listen).is_some_and(|answer| answer.kind == Kind::Error) {
            return None;
        }
        let first = wire.said().find(|(at, message)| *at > position && belongs(message, listen, position));
        let first = first.map(|(_, message)| message);
        if first.is_some_and(|message| message.is_from_server(Kind::Notification, ACKNOWLEDGED)) {
            return None;
        }
        let (found, weaker) = match first {
            Some(message) if message.kind == Kind::Result => ("a result".to_owned(), false),
            Some(message) => (message.method.clone().unwrap_or_default(), false),
            None if overtaken(wire, position, listen) => ("nothing".to_owned(), true),
            None => return None,
        };
        Some(Hit::new(On::Exchange, Pointer::root()).fact("found", found).weaker_if(weaker))
    });
    hits.take(1).collect()
}

/// Whether a message came on a subscription: it names it, answers it, or stands in its stream.
fn belongs(message: &Message, listen: &Message, position: usize) -> bool {
    let id = message.meta(META_SUBSCRIPTION);
    message.session == listen.session
        && (id == Some(&listen.id)
            || message.to == Some(position)
            || (listen.http.is_some() && message.http == listen.http))
}

/// Whether a request that was sent later has been answered.
fn overtaken(wire: &Wire, position: usize, listen: &Message) -> bool {
    let later = wire.messages.iter().skip(position + 1);
    let requests = later.filter(|message| message.side == Side::Client && message.session == listen.session);
    requests.into_iter().any(|request| wire.answer_to(request).is_some())
}
