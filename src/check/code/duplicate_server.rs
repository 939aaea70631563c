//! Servers that show exactly the same tools.

use std::collections::BTreeMap;

use super::super::{Context, Hit, On};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let servers = cx.servers();
    let mut sets: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
    for (n, server) in servers.iter().enumerate() {
        let mut tools: Vec<&str> = server.tools.iter().map(|tool| tool.text.as_str()).collect();
        tools.sort_unstable();
        // Of those without tools nothing was seen, so nothing is known to be the same.
        if !tools.is_empty() {
            sets.entry(tools).or_default().push(n);
        }
    }
    let mut hits = Vec::new();
    for set in sets.into_values() {
        let profiles: Vec<Option<&str>> =
            set.iter().filter_map(|n| servers.get(*n)).map(|server| server.profile_of.as_deref()).collect();
        let is_one = profiles.first().is_some_and(|first| first.is_some() && profiles.iter().all(|one| one == first));
        let names: Vec<&str> = set.iter().filter_map(|n| Some(servers.get(*n)?.target.as_str())).collect();
        if let Some(last) = set.last().filter(|_| set.len() > 1 && !is_one) {
            let hit = Hit::new(On::ServerOf(*last), Pointer::root()).fact("names", names.join(", "));
            hits.push(hit.fact("servers", names));
        }
    }
    hits
}
