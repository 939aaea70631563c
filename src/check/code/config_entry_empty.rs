//! Servers with neither a command nor an address.

use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let hit = |(place, entry): ((usize, usize), &crate::input::hosts::Entry)| {
        let lack = entry.lack.as_ref()?;
        let hit = Hit::entry(place, lack.at.clone()).weaker_if(!lack.certain);
        Some(match &lack.meant {
            Some((found, meant)) => {
                hit.fact("found", found.as_str()).fact("expected", format!("write {meant} for {found}"))
            }
            None => hit.fact("expected", "give the command that starts it, or its address"),
        })
    };
    cx.entries().filter_map(hit).collect()
}
