//! Input schemas that are nested deeper than a chosen host takes.

use super::super::minded::by_value;
use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for limits in by_value(cx, "schema-too-deep") {
        let Some(most) = limits.first().and_then(|limit| limit.number()) else { continue };
        for input in cx.inputs() {
            let depth = input.nodes.iter().map(|node| node.depth).max().unwrap_or_default();
            let deepest = input.nodes.iter().find(|node| node.depth == depth);
            if let Some(node) = deepest.filter(|_| depth > most) {
                let hit = Hit::tool(input.tool, node.at.clone()).fact("measured", depth);
                hits.push(hit.minded_by(limits.iter().copied()));
            }
        }
    }
    hits
}
