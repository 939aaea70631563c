//! Hints that a chosen directory demands and a tool does not carry.

use serde_json::Value;

use super::super::{Context, Hit};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for limit in cx.limits("annotation-hint-missing") {
        for wanted in limit.texts() {
            for (n, tool) in cx.tools() {
                let annotations = tool.value.get("annotations");
                let hint = |name: &str| annotations.and_then(|all| all.get(name)).and_then(Value::as_bool);
                // `a|b`: one of them must be true. A single one must be there, true or false.
                let carried = if wanted.contains('|') {
                    wanted.split('|').any(|name| hint(name) == Some(true))
                } else {
                    hint(wanted).is_some()
                };
                if !carried {
                    let at = Pointer::root().key("annotations");
                    hits.push(
                        Hit::tool(n, at)
                            .fact("hint", wanted.replace('|', " or "))
                            .fact("expected", expected(wanted))
                            .minded_by([limit]),
                    );
                }
            }
        }
    }
    hits
}

/// What a directory wants to see, in words.
fn expected(wanted: &str) -> String {
    match wanted.split_once('|') {
        Some((one, other)) => format!("{one} or {other} that is true"),
        None => wanted.to_owned(),
    }
}
