//! Names that many servers have, for hosts that show tools under their bare names.

use super::super::minded::by_value;
use super::super::{Context, Hit};
use crate::surface::Tool;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for limits in by_value(cx, "name-generic") {
        let known = |name: &str| {
            limits.first().is_some_and(|limit| limit.texts().any(|known| known.eq_ignore_ascii_case(name)))
        };
        let named = cx.tools().filter_map(|(n, tool)| Some((n, Tool::name(tool)?)));
        for (n, name) in named.filter(|(_, name)| known(name)) {
            let hit = Hit::tool(n, Pointer::root().key("name")).fact("value", name);
            hits.push(hit.minded_by(limits.iter().copied()));
        }
    }
    hits
}
