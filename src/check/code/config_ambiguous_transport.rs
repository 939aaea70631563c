//! Servers with a command and an address. Where the host leaves out the whole file for it, a server that is switched off
//! counts too.

use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let hit = |(place, entry): ((usize, usize), &crate::input::hosts::Entry)| {
        let url = entry.url.as_ref().filter(|_| !entry.command.is_empty())?;
        let format = cx.files().get(place.0)?.format;
        let counts = entry.enabled || (!format.mixes() && format.refuses_files());
        counts.then(|| Hit::entry(place, url.at.clone()).fact("found", "command, url"))
    };
    cx.all_entries().filter_map(hit).collect()
}
