//! Containers that are started detached.

use super::super::{Context, Hit, launch};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let hit = |(place, entry): ((usize, usize), &crate::input::hosts::Entry)| {
        let container = launch::command(&entry.command)?.container()?;
        let (word, at) = container.detached?;
        Some(Hit::entry(place, at).fact("found", word).fact("value", container.step))
    };
    cx.entries().filter_map(hit).collect()
}
