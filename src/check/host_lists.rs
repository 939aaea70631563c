//! Keywords of schemas that chosen hosts name in lists.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Context, Hit};
use crate::finding::Effect;
use crate::text::pointer::Pointer;

/// Where a keyword stands first in a tool, and how often.
struct Seen {
    at: Pointer,
    times: u64,
}

/// A hit for each keyword in the lists of the chosen hosts and each tool whose input schema has it: at its first place,
/// about the hosts that name it.
pub(super) fn minded_keywords(cx: &Context<'_>, rule: &str) -> Vec<Hit> {
    let mut minded: BTreeMap<&str, Vec<Arc<Effect>>> = BTreeMap::new();
    for limit in cx.limits(rule) {
        for keyword in limit.texts() {
            minded.entry(keyword).or_default().push(Arc::clone(&limit.effect));
        }
    }
    let mut hits = Vec::new();
    for input in cx.inputs() {
        let mut seen: BTreeMap<&str, Seen> = BTreeMap::new();
        let members = input.nodes.iter().filter_map(|node| Some((node, node.value.as_object()?)));
        for (node, keyword) in members.flat_map(|(node, members)| members.keys().map(move |key| (node, key.as_str()))) {
            if minded.contains_key(keyword) {
                seen.entry(keyword).or_insert_with(|| Seen { at: node.at.key(keyword), times: 0 }).times += 1;
            }
        }
        for (keyword, Seen { at, times }) in seen {
            let mut hit = Hit::tool(input.tool, at).fact("value", keyword).fact("occurrences", times);
            hit.minded = minded.get(keyword).cloned();
            hits.push(hit);
        }
    }
    hits
}
