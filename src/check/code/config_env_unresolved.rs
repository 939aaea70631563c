//! Variables without a value: one finding for each variable of a server. Inputs are asked for by the host.

use std::collections::BTreeSet;

use super::super::{Context, Hit};
use crate::input::hosts::State;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (place, entry) in cx.entries() {
        let mut seen = BTreeSet::new();
        for used in entry.uses.iter().filter(|used| matches!(used.state, State::Unset | State::UnsetOptional)) {
            if seen.insert(&used.name) {
                let hit = Hit::entry(place, used.at.clone()).fact("variable", used.name.as_str());
                let hit = hit.fact("found", used.text.as_str()).weaker_if(used.state == State::UnsetOptional);
                hits.push(hit);
            }
        }
    }
    hits
}
