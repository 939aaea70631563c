//! Containers whose standard input is closed.

use super::super::{Context, Hit, launch};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let hit = |(place, entry): ((usize, usize), &crate::input::hosts::Entry)| {
        let container = launch::command(&entry.command)?.container()?;
        let closed = container.interactive == Some(false);
        closed.then(|| Hit::entry(place, container.at).fact("found", container.step).fact("expected", "-i"))
    };
    // With an address beside the command it is not known that the server speaks over its streams.
    cx.entries().filter(|(_, entry)| entry.url.is_none()).filter_map(hit).collect()
}
