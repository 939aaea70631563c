//! Texts of tools and parameters that are longer than a chosen host keeps.

use super::super::minded::by_value;
use super::super::{Context, Hit};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for limits in by_value(cx, "description-truncated") {
        let Some((first, most)) = limits.first().and_then(|first| Some((first, first.number()?))) else { continue };
        let own = cx.tools().filter_map(|(n, tool)| Some((n, Pointer::root().key("description"), tool.description()?)));
        let inside = cx.inputs().flat_map(|input| {
            let texts = input.nodes.iter().filter_map(|node| {
                Some((input.tool, node.at.key("description"), node.value.get("description")?.as_str()?))
            });
            texts.collect::<Vec<_>>()
        });
        for (n, at, text) in own.chain(inside).filter(|(_, at, _)| first.covers(at)) {
            let measured = text.chars().count() as u64;
            if measured > most {
                let hit = Hit::tool(n, at).fact("measured", measured);
                hits.push(hit.minded_by(limits.iter().copied()));
            }
        }
    }
    hits
}
