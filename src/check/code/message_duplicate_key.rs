//! Two members of one name in an object of a tool, as the parser noted them. What stands outside tools is left alone.

use std::collections::BTreeSet;

use super::super::{Context, Hit};
use crate::text::json::OddityKind;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (index, tool) in cx.tools() {
        // A name that comes three times is noted twice.
        let places: BTreeSet<_> =
            tool.oddities.iter().filter(|odd| odd.kind == OddityKind::DuplicateKey).map(|odd| &odd.at).collect();
        hits.extend(places.into_iter().map(|at| {
            let name = at.split_last().map_or_else(String::new, |(_, name)| name);
            Hit::tool(index, at.clone()).fact("value", name)
        }));
    }
    hits
}
