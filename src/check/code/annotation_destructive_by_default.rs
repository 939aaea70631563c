//! Annotated tools that may write and leave `destructiveHint` to its default, which is true.

use crate::check::effects::one_for;
use crate::check::verbs::Kind;
use crate::check::{Context, Hit};
use crate::surface::{Tool, contract::HINTS};

/// Verbs for which the default is the honest answer.
const DESTRUCTIVE: [&str; 14] = [
    "clear",
    "delete",
    "destroy",
    "drop",
    "erase",
    "kill",
    "overwrite",
    "purge",
    "remove",
    "replace",
    "reset",
    "revoke",
    "truncate",
    "uninstall",
];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let honest = |tool: &Tool| cx.prefixes().verb(tool, Kind::Writing).is_some_and(|verb| DESTRUCTIVE.contains(&verb));
    let silent = cx.tools().filter(|(_, tool)| {
        let annotations = tool.value.get("annotations").and_then(serde_json::Value::as_object);
        let given = |hint: &str| annotations.is_some_and(|members| members.contains_key(hint));
        let annotated = HINTS.into_iter().any(given);
        annotated && tool.hint("readOnlyHint") != Some(true) && !given("destructiveHint") && !honest(tool)
    });
    one_for(cx, &silent.map(|(n, _)| n).collect::<Vec<_>>())
}
