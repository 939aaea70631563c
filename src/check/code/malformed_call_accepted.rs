//! Calls that are none, since they lack a name or have arguments of another form, and that brought a result.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::{Context, Hit};
use crate::surface::asked::{Asked, is_failed};
use crate::surface::wire::Wire;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let calls = cx.surface.wire.iter().flat_map(Wire::asked).filter(|asked| asked.method() == "tools/call");
    let found: BTreeSet<(&str, bool)> =
        calls.filter_map(|asked| Some((fault(&asked)?, is_failed(asked.result()?)))).collect();
    let hits = found.into_iter().map(|(fault, failed)| {
        let found = if failed { "a result with `isError`" } else { "a result that went well" };
        let hit = Hit::server().fact("value", fault).fact("found", found);
        hit.fact("expected", "a JSON-RPC error").weaker_if(failed)
    });
    hits.collect()
}

/// What is wrong with a call, if anything is.
fn fault(asked: &Asked<'_>) -> Option<&'static str> {
    match (asked.request.member("name"), asked.request.member("arguments")) {
        (None, _) => Some("no name"),
        (Some(Value::String(_)), None | Some(Value::Object(_) | Value::Null)) => None,
        (Some(Value::String(_)), Some(_)) => Some("arguments that are no object"),
        (Some(_), _) => Some("a name that is no string"),
    }
}
