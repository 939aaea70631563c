//! Runners that fetch whatever version is current.

use super::super::{Context, Hit, launch};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let hit = |(place, entry): ((usize, usize), &crate::input::hosts::Entry)| {
        let package = launch::command(&entry.command)?.package().filter(|package| !package.pinned)?;
        Some(Hit::entry(place, package.at).fact("value", package.spec))
    };
    cx.entries().filter_map(hit).collect()
}
