//! Servers with a command and an address. Where the host refuses the whole file for it, a server that is switched off
//! counts too.

use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let counts = |file: usize, enabled: bool| {
        enabled || cx.files().get(file).is_some_and(|file| file.format.refuses_mixed())
    };
    let hit = |(place, entry): ((usize, usize), &crate::input::hosts::Entry)| {
        let url = entry.url.as_ref().filter(|_| !entry.command.is_empty())?;
        counts(place.0, entry.enabled).then(|| Hit::entry(place, url.at.clone()).fact("found", "command, url"))
    };
    cx.all_entries().filter_map(hit).collect()
}
