//! Servers that their host reaches over HTTP+SSE.

use super::super::{Context, Hit};
use crate::input::hosts::Transport;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let hit = |(place, entry): ((usize, usize), &crate::input::hosts::Entry)| {
        let (transport, at) = &entry.transport;
        // What has a command and an address is another fault, and it is not known which of them counts.
        let legacy = *transport == Transport::Sse && entry.command.is_empty() && entry.url.is_some();
        legacy.then(|| Hit::entry(place, at.clone()).fact("found", "sse"))
    };
    cx.entries().filter_map(hit).collect()
}
