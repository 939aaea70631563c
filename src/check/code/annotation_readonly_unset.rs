//! Tools that read by name and text and do not say so, in one line for the whole list.

use crate::check::effects::{acting, one_for, reads};
use crate::check::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let values = acting(cx);
    let silent = cx.tools().filter(|(n, tool)| {
        let given = tool.value.pointer("/annotations/readOnlyHint").is_some();
        // Who marks a tool as destructive has said that it does more than read.
        let meant = tool.hint("destructiveHint") == Some(true);
        !given && !meant && reads(cx, tool, values.contains_key(n)).is_some()
    });
    one_for(cx, &silent.map(|(n, _)| n).collect::<Vec<_>>())
}
