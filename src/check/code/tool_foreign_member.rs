//! Members of a tool object that no revision of MCP defines.

use crate::check::members::Members;
use crate::check::{Context, Hit};
use crate::surface::contract::HINTS;
use crate::text::pointer::Pointer;

/// The members of `Tool` in any revision; a later one in an earlier revision is foresight.
const KNOWN: [&str; 9] =
    ["_meta", "annotations", "description", "execution", "icons", "inputSchema", "name", "outputSchema", "title"];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut members = Members::default();
    for (n, tool) in cx.tools() {
        let keys = tool.value.as_object().into_iter().flatten().map(|(key, _)| key.as_str());
        // Hints in the wrong place have a rule of their own.
        let known = |key: &str| KNOWN.contains(&key) || HINTS.contains(&key) || key.starts_with("x-");
        for key in keys.filter(|key| !known(key)) {
            members.add(key, n);
        }
    }
    members.hits(&Pointer::root(), cx).into_iter().map(|(_, hit)| hit).collect()
}
