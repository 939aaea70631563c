//! Streams of events that go on after the response to their request: with a message, or by staying open.

use std::collections::BTreeSet;

use super::super::{Context, Hit, On};
use crate::surface::asked::Asked;
use crate::surface::dialogue::LISTEN;
use crate::surface::wire::{Side, Wire};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let goes_on =
        |asked: &Asked<'_>| goes_on(wire, asked).unwrap_or_default() || stays_open(wire, asked).unwrap_or_default();
    let methods: BTreeSet<&str> = wire.asked().filter(goes_on).map(|asked| asked.method()).collect();
    methods.into_iter().map(|method| Hit::new(On::Exchange, Pointer::root()).fact("value", method)).collect()
}

/// How long a stream may stay open behind its response, in milliseconds.
const OPEN_MS: u64 = 1_000;

/// Whether the stream had not ended when something else of the session passed long after the response.
fn stays_open(wire: &Wire, asked: &Asked<'_>) -> Option<bool> {
    // A subscription ends when it likes.
    let (http, answer) = (asked.http?, asked.answer.filter(|_| asked.method() != LISTEN)?);
    let in_stream = answer.http == asked.request.http && http.head.as_ref()?.is_stream() && http.end.is_none();
    let same = wire.messages.iter().filter(|message| message.session == answer.session);
    let last = same.filter_map(|message| message.ms).max()?;
    Some(in_stream && last >= answer.ms?.saturating_add(OPEN_MS))
}

/// Whether a message of the server came in the same stream after the response; none without both.
fn goes_on(wire: &Wire, asked: &Asked<'_>) -> Option<bool> {
    let (http, answer) = (asked.request.http?, asked.request.answer?);
    let in_stream = asked.answer?.http == Some(http) && asked.http?.head.as_ref()?.is_stream();
    let later = wire.messages.iter().skip(answer + 1).filter(|message| message.http == Some(http));
    let mut calls =
        later.filter(|message| message.side == Side::Server && message.method.is_some() && message.to.is_none());
    Some(in_stream && calls.next().is_some())
}
