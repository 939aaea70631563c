//! Names that are longer than a chosen host takes.

use super::super::minded::by_value;
use super::super::{Context, Hit};
use crate::surface::Tool;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for limits in by_value(cx, "name-too-long") {
        let Some(most) = limits.first().and_then(|limit| limit.number()) else { continue };
        for (n, name) in cx.tools().filter_map(|(n, tool)| Some((n, Tool::name(tool)?))) {
            let measured = name.chars().count() as u64;
            if measured > most {
                let hit = Hit::tool(n, Pointer::root().key("name")).fact("measured", measured);
                hits.push(hit.minded_by(limits.iter().copied()));
            }
        }
    }
    hits
}
