//! Tools of one name that two neighbouring walks define differently, without a word that the list changed.

use std::collections::BTreeMap;

use super::super::{Context, Hit};
use crate::surface::Tool;
use crate::surface::listing::{Axis, alike};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let mut found: BTreeMap<&str, (Axis, String)> = BTreeMap::new();
    for pair in cx.surface.listings().windows(2) {
        let [one, other] = pair else { continue };
        let axis = wire.axis(one, other);
        let promised = axis == Axis::Repetition && wire.declares_list_changed(one.session) == Some(true);
        // Credentials and the era may change a text; within a session `list-change-unannounced` speaks.
        if promised || matches!(axis, Axis::Authorization | Axis::Era) || wire.announced(one, other) {
            continue;
        }
        let theirs = other.unique();
        for (name, ours) in one.unique() {
            if let Some(member) = theirs.get(name).and_then(|theirs| member(ours, theirs)) {
                found.entry(name).or_insert((axis, member));
            }
        }
    }
    let hits = cx.tools().filter_map(|(index, tool)| {
        let (axis, member) = found.remove(tool.name()?)?;
        let hit = Hit::tool(index, Pointer::root().key(&member)).fact("axis", axis.as_str());
        Some(hit.fact("value", member))
    });
    hits.collect()
}

/// The first member that differs in meaning.
fn member(ours: &Tool, theirs: &Tool) -> Option<String> {
    if ours.text == theirs.text {
        return None;
    }
    let (ours, theirs) = (ours.value.as_object()?, theirs.value.as_object()?);
    let differs = |name: &&String| match (ours.get(*name), theirs.get(*name)) {
        (Some(ours), Some(theirs)) => !alike(ours, theirs),
        _ => true,
    };
    ours.keys().chain(theirs.keys()).find(differs).cloned()
}
