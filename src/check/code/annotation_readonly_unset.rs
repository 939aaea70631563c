//! Tools that read by name and text and do not say so, in one line for the whole list.

use crate::check::effects::{acting, one_for, reads};
use crate::check::verbs::Kind;
use crate::check::{Context, Hit};
use crate::surface::Tool;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let values = acting(cx);
    let hint = |tool: &Tool| tool.value.pointer("/annotations/readOnlyHint").and_then(serde_json::Value::as_bool);
    // A tool without a text has only its name.
    let by_name = |tool: &Tool| tool.description().is_none() && cx.prefixes().verb(tool, Kind::Reading).is_some();
    // Who marks a tool as destructive has said that it does more than read.
    let reading = cx.tools().filter(|(n, tool)| {
        let writes = values.contains_key(n);
        tool.hint("destructiveHint") != Some(true) && (reads(cx, tool, writes).is_some() || (by_name(tool) && !writes))
    });
    let (mut silent, mut denied) = (Vec::new(), Vec::new());
    for (n, tool) in reading {
        match hint(tool) {
            None => silent.push(n),
            Some(false) => denied.push(n),
            Some(true) => {}
        }
    }
    // The author has said something there; only a host that asks before each call makes it worth a word.
    let limits: Vec<_> = cx.limits("annotation-readonly-unset").collect();
    let denied = if limits.is_empty() { Vec::new() } else { one_for(cx, &denied) };
    let denied = denied.into_iter().map(|hit| hit.minded_by(limits.iter().copied()));
    one_for(cx, &silent).into_iter().chain(denied).collect()
}
