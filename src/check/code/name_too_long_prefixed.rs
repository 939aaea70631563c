//! Names that are too long once a chosen host has put the server's id before them.

use super::super::minded::by_value;
use super::super::{Context, Hit};
use crate::rule::host::Limit;
use crate::surface::Tool;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    // The shortest id that a user can give.
    let server = cx.surface.id.as_deref().unwrap_or("x");
    let mut hits = Vec::new();
    for limits in by_value(cx, "name-too-long-prefixed") {
        let Some((most, form)) = limits.first().and_then(|limit| Some((limit.number()?, limit.prefix.as_deref()?)))
        else {
            continue;
        };
        let of_host = |limit: &&Limit| limits.iter().any(|own| own.effect.host == limit.effect.host);
        let alone = cx.limits("name-too-long").filter(of_host).filter_map(Limit::number).min();
        for (n, name) in cx.tools().filter_map(|(n, tool)| Some((n, Tool::name(tool)?))) {
            let built = form.replace("{server}", server).replace("{tool}", name);
            let (bare, measured) = (name.chars().count() as u64, built.chars().count() as u64);
            // What is too long by itself is told by `name-too-long`.
            if measured > most && alone.is_none_or(|alone| bare <= alone) {
                let hit = Hit::tool(n, Pointer::root().key("name")).fact("measured", measured).fact("value", built);
                hits.push(hit.minded_by(limits.iter().copied()));
            }
        }
    }
    hits
}
