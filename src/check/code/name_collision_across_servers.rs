//! Names of tools that several servers show together.

use std::collections::BTreeMap;

use super::super::{Context, Hit, On};
use crate::surface::Tool;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let servers = cx.servers();
    let mut holders: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
    for (s, server) in servers.iter().enumerate() {
        for (t, name) in server.tools.iter().enumerate().filter_map(|(t, tool)| Some((t, Tool::name(tool)?))) {
            let held = holders.entry(name).or_default();
            // Twice in one list is another rule's fault.
            if held.last().is_none_or(|(last, _)| *last != s) {
                held.push((s, t));
            }
        }
    }
    let mut hits = Vec::new();
    for held in holders.into_values() {
        let of = |s: usize| servers.get(s).map(|server| (server.profile_of.as_deref(), server.target.as_str()));
        let Some(first) = held.first().and_then(|(s, _)| of(*s)) else { continue };
        let is_one = |one: (Option<&str>, &str)| one.0.is_some() && one.0 == first.0;
        let shown: Vec<&str> = held.iter().filter_map(|(s, _)| Some(of(*s)?.1)).collect();
        let all_one = held.iter().filter_map(|(s, _)| of(*s)).all(is_one);
        if shown.len() < 2 || all_one {
            continue;
        }
        if let Some((s, t)) = held.last() {
            let hit = Hit::new(On::ToolOf(*s, *t), Pointer::root());
            let hit = hit.fact("count", shown.len()).fact("names", shown.join(", "));
            hits.push(hit.fact("servers", shown));
        }
    }
    hits
}
