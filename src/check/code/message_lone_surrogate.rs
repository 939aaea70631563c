//! Half a surrogate pair in a string of a tool, as the parser noted it. In a member's name it stands at the object.

use std::collections::BTreeSet;

use super::super::{Context, Hit};
use crate::text::json::OddityKind;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (index, tool) in cx.tools() {
        // A string may hold several.
        let places: BTreeSet<_> =
            tool.oddities.iter().filter(|odd| odd.kind == OddityKind::LoneSurrogate).map(|odd| &odd.at).collect();
        hits.extend(places.into_iter().map(|at| Hit::tool(index, at.clone())));
    }
    hits
}
