//! `destructiveHint: false` and `idempotentHint` on tools that are marked read-only, counted over the list.

use crate::check::effects::one_for;
use crate::check::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let redundant = cx.tools().filter(|(_, tool)| {
        // Both hints true together contradict each other, which is another matter.
        tool.hint("readOnlyHint") == Some(true)
            && tool.hint("destructiveHint") != Some(true)
            && (tool.hint("destructiveHint").is_some() || tool.hint("idempotentHint").is_some())
    });
    one_for(cx, &redundant.map(|(n, _)| n).collect::<Vec<_>>())
}
