//! Output schemas of another root than `object`, of a server that has shown that it serves both eras.

use super::super::{Context, Hit};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let spoken = cx.surface.wire.as_ref().map(crate::surface::wire::Wire::spoken);
    if !spoken.is_some_and(|spoken| spoken.legacy) {
        return Vec::new();
    }
    let mut hits = Vec::new();
    for (index, tool) in cx.tools() {
        let Some(root) = tool.output_schema().filter(|root| root.is_object()) else { continue };
        let at = Pointer::root().key("outputSchema");
        match root.get("type") {
            Some(kind) if kind == "object" => {}
            Some(kind) => hits
                .push(Hit::tool(index, at.key("type")).fact("found", crate::text::safe::clip(&kind.to_string(), 80))),
            None => hits.push(Hit::tool(index, at).fact("found", "no type")),
        }
    }
    hits
}
