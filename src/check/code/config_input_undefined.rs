//! Inputs that the file uses and does not declare: one finding for each input of a server.

use std::collections::BTreeSet;

use super::super::{Context, Hit};
use crate::input::hosts::State;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (place, entry) in cx.entries() {
        let mut seen = BTreeSet::new();
        for used in entry.uses.iter().filter(|used| used.state == State::Undeclared) {
            if seen.insert(&used.name) {
                let hit = Hit::entry(place, used.at.clone()).fact("found", used.text.as_str());
                hits.push(hit.fact("input", used.name.as_str()));
            }
        }
    }
    hits
}
