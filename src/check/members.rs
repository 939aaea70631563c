//! Members that stand on many tools of a list, told once each.

use std::collections::BTreeMap;

use super::{Context, Hit};
use crate::text::pointer::Pointer;

/// Members told per list; a hostile one has a new member on each tool.
const MOST_MEMBERS: usize = 200;

/// The tools of each member, in the order of the names.
#[derive(Default)]
pub(super) struct Members<'a>(BTreeMap<&'a str, Vec<usize>>);

impl<'a> Members<'a> {
    /// Remembers that the tool at this position has a member.
    pub(super) fn add(&mut self, member: &'a str, tool: usize) {
        self.0.entry(member).or_default().push(tool);
    }

    /// A hit for each member on the first tool by name that has it, below `at`; the other tools come along.
    pub(super) fn hits(self, at: &Pointer, cx: &Context<'_>) -> Vec<(&'a str, Hit)> {
        let told = self.0.into_iter().take(MOST_MEMBERS).filter_map(|(member, tools)| {
            let tools = cx.by_name(tools);
            let (first, others) = tools.split_first()?;
            let hit = Hit::tool(*first, at.key(member)).fact("value", member);
            let hit = hit.fact("measured", tools.len());
            Some((member, hit.also(others.iter().copied())))
        });
        told.collect()
    }
}
