//! Variables and inputs without a value: one finding for each variable of a server.

use std::collections::BTreeSet;

use super::super::{Context, Hit};
use crate::input::hosts::State;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (place, entry) in cx.entries() {
        let mut seen = BTreeSet::new();
        for used in &entry.uses {
            let missing = matches!(used.state, State::Unset | State::UnsetOptional | State::NoInput);
            if !missing || !seen.insert(&used.name) {
                continue;
            }
            let hit = Hit::entry(place, used.at.clone()).fact("variable", used.name.as_str());
            let hit = hit.fact("found", used.text.as_str()).weaker_if(used.state == State::UnsetOptional);
            let input = used.state == State::NoInput;
            hits.push(if input { hit.fact("input", used.name.as_str()) } else { hit });
        }
    }
    hits
}
