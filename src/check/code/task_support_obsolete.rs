//! `execution.taskSupport` under a revision that dropped it, in one line for the list.

use crate::check::effects::one_for;
use crate::check::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    // A bare list is judged by the newest revision and may be of an older one, where the member is at home.
    if cx.surface.negotiated.is_none() && cx.surface.judged_by.is_none() && !cx.surface.is_modern_list() {
        return Vec::new();
    }
    let with = cx.tools().filter(|(_, tool)| tool.value.pointer("/execution/taskSupport").is_some());
    one_for(cx, &with.map(|(n, _)| n).collect::<Vec<_>>())
}
