//! Tools that create something short-lived, whose handle other tools require, and that do not say how long it lives.
//! That a thing is short-lived is told from its name, so that records of a database are left alone.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::check::words::words;
use crate::check::{Context, Hit};
use crate::surface::Tool;
use crate::text::pointer::Pointer;

/// What lives no longer than the work for which it was made.
const THINGS: [&str; 9] =
    ["basket", "browser", "cart", "handle", "kernel", "lease", "sandbox", "session", "transaction"];

/// What ends it: where a tool does that, the end is told.
const ENDS: [&str; 12] = [
    "abort",
    "close",
    "commit",
    "delete",
    "destroy",
    "disconnect",
    "end",
    "kill",
    "release",
    "remove",
    "rollback",
    "stop",
];

/// What makes it.
const MAKES: [&str; 8] = ["acquire", "begin", "connect", "create", "launch", "new", "open", "start"];

/// Words that say how long something lives, or what ends it.
const LIFETIME: [&str; 32] = [
    "alive",
    "close",
    "closed",
    "closes",
    "day",
    "days",
    "destroyed",
    "end",
    "ended",
    "ends",
    "expire",
    "expired",
    "expires",
    "expiry",
    "hour",
    "hours",
    "idle",
    "kept",
    "lifetime",
    "minute",
    "minutes",
    "persist",
    "persists",
    "released",
    "second",
    "seconds",
    "stop",
    "stopped",
    "terminated",
    "timeout",
    "ttl",
    "until",
];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (n, tool) in cx.tools() {
        let name: Vec<String> = words(tool.name().unwrap_or_default()).collect();
        let makes = name.iter().any(|word| MAKES.contains(&word.as_str()));
        let Some(thing) = THINGS.into_iter().find(|thing| makes && name.iter().any(|word| word == thing)) else {
            continue;
        };
        let users = cx.tools().filter(|(other, _)| *other != n);
        let users: Vec<(usize, &str)> = users.filter_map(|(other, user)| Some((other, handle(user, thing)?))).collect();
        let is_ended = cx.tools().any(|(_, other)| {
            let name: Vec<String> = words(other.name().unwrap_or_default()).collect();
            name.iter().any(|word| word == thing) && name.iter().any(|word| ENDS.contains(&word.as_str()))
        });
        let Some((_, param)) = users.first().filter(|_| !is_ended && !says_lifetime(tool)) else { continue };
        let hit = Hit::tool(n, Pointer::from_text("/description")).fact("value", *param);
        hits.push(hit.also(users.iter().map(|(other, _)| *other)));
    }
    hits
}

/// The required parameter that takes the handle of a thing, such as `session_id`.
fn handle<'t>(tool: &'t Tool, thing: &str) -> Option<&'t str> {
    let required = tool.value.pointer("/inputSchema/required")?.as_array()?;
    required.iter().filter_map(Value::as_str).find(|param| {
        let words: Vec<String> = words(param).collect();
        let ends = words.last().is_some_and(|last| ["id", "handle", "token"].contains(&last.as_str()));
        words.iter().any(|word| word == thing) && (ends || words.len() == 1)
    })
}

/// Whether its text, or that of its schemas, says anything of how long the thing lives.
fn says_lifetime(tool: &Tool) -> bool {
    let mut texts = vec![tool.value.pointer("/description").and_then(Value::as_str).unwrap_or_default().to_owned()];
    texts.extend(["/inputSchema", "/outputSchema"].iter().filter_map(|at| Some(tool.value.pointer(at)?.to_string())));
    let said: BTreeSet<String> = texts.iter().flat_map(|text| words(text)).collect();
    LIFETIME.iter().any(|word| said.contains(*word))
}
