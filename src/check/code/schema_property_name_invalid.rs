//! Names of a tool's own parameters that a chosen host does not take.

use regex::Regex;

use super::super::minded::by_value;
use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for limits in by_value(cx, "schema-property-name-invalid") {
        // That the patterns of profiles compile is held by a test.
        let Some(pattern) = limits.first().and_then(|limit| Regex::new(limit.text()?).ok()) else { continue };
        for input in cx.inputs() {
            let own = input.nodes.iter().filter(|node| node.under == "properties" && node.depth == 1);
            for (node, name) in own.filter_map(|node| Some((node, node.name?))) {
                if !pattern.is_match(name) {
                    let hit = Hit::tool(input.tool, node.at.clone()).fact("value", name);
                    hits.push(hit.minded_by(limits.iter().copied()));
                }
            }
        }
    }
    hits
}
