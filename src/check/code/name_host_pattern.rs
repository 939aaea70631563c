//! Names whose characters a chosen host does not take.

use regex::Regex;

use super::super::minded::by_value;
use super::super::{Context, Hit};
use crate::surface::Tool;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for limits in by_value(cx, "name-host-pattern") {
        // That the patterns of profiles compile is held by a test.
        let Some(pattern) = limits.first().and_then(|limit| Regex::new(limit.text()?).ok()) else { continue };
        for (n, name) in cx.tools().filter_map(|(n, tool)| Some((n, Tool::name(tool)?))) {
            if !name.is_empty() && !pattern.is_match(name) {
                let hit = Hit::tool(n, Pointer::root().key("name")).fact("value", name);
                hits.push(hit.minded_by(limits.iter().copied()));
            }
        }
    }
    hits
}
