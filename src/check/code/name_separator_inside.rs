//! The mark that a chosen host puts between server and tool, inside the name of a tool.

use super::super::minded::by_value;
use super::super::{Context, Hit};
use crate::surface::Tool;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for limits in by_value(cx, "name-separator-inside") {
        for mark in limits.first().into_iter().flat_map(|limit| limit.texts()) {
            let named = cx.tools().filter_map(|(n, tool)| Some((n, Tool::name(tool)?)));
            for (n, _) in named.filter(|(_, name)| name.contains(mark)) {
                let hit = Hit::tool(n, Pointer::root().key("name")).fact("value", mark);
                hits.push(hit.minded_by(limits.iter().copied()));
            }
        }
    }
    hits
}
