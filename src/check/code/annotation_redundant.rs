//! `idempotentHint` on tools that are marked read-only, counted over the list.

use crate::check::effects::one_for;
use crate::check::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let redundant = cx.tools().filter(|(_, tool)| {
        // `destructiveHint` says nothing there either, but directories of hosts demand it.
        tool.hint("readOnlyHint") == Some(true) && tool.hint("idempotentHint").is_some()
    });
    one_for(cx, &redundant.map(|(n, _)| n).collect::<Vec<_>>())
}
