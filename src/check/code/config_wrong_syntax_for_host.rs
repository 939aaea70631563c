//! Variables that their host takes literally: one finding for each of them.

use super::super::{Context, Hit};
use crate::input::hosts::State;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (place, entry) in cx.entries() {
        let Some(file) = cx.files().get(place.0) else { continue };
        for used in &entry.uses {
            let (expected, weaker) = match &used.state {
                State::Foreign { expected } => (expected.as_str(), !file.certain),
                State::NotLookedInto => ("the value itself", true),
                _ => continue,
            };
            let hit = Hit::entry(place, used.at.clone()).fact("found", used.text.as_str()).fact("expected", expected);
            hits.push(hit.fact("variable", used.name.as_str()).fact("reader", file.format.host()).weaker_if(weaker));
        }
    }
    hits
}
