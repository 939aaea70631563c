//! Bounds from which a chosen host cannot build a grammar.

use super::super::minded::by_value;
use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for limits in by_value(cx, "schema-bound-too-large") {
        let bounds: Vec<(&str, f64)> = limits
            .first()
            .into_iter()
            .flat_map(|limit| limit.texts())
            .filter_map(|bound| bound.split_once(' ').and_then(|(keyword, most)| Some((keyword, most.parse().ok()?))))
            .collect();
        for input in cx.inputs() {
            for (node, (keyword, most)) in
                input.nodes.iter().flat_map(|node| bounds.iter().map(move |bound| (node, bound)))
            {
                let Some(stands) = node.value.get(*keyword).filter(|value| value.is_number()) else { continue };
                if stands.as_f64().is_some_and(|number| number > *most) {
                    let hit = Hit::tool(input.tool, node.at.key(keyword)).fact("value", format!("{keyword} {stands}"));
                    hits.push(hit.fact("measured", stands.clone()).minded_by(limits.iter().copied()));
                }
            }
        }
    }
    hits
}
