//! Requests for more input that a client cannot answer: with nothing to answer, of another kind, or of a kind that the
//! client did not say it has.

use serde_json::Value;

use super::super::{Context, Hit};
use crate::spec::meta::META_CAPABILITIES;
use crate::surface::asked::Asked;
use crate::surface::assemble::kind_of;
use crate::text::{pointer::Pointer, safe};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for call in cx.surface.calls() {
        let Some(result) = call.asked.result() else { continue };
        if result.get("resultType").is_none_or(|kind| kind != "input_required") {
            continue;
        }
        let faults = faults(&call.asked, result).into_iter();
        hits.extend(
            faults
                .map(|(at, found, expected)| Hit::tool(call.tool, at).fact("found", found).fact("expected", expected)),
        );
    }
    hits
}

/// Place, what stands there, and what should.
fn faults(asked: &Asked<'_>, result: &Value) -> Vec<(Pointer, String, &'static str)> {
    let at = Pointer::root().key("inputRequests");
    let mut faults = Vec::new();
    if let Some(state) = result.get("requestState").filter(|state| !state.is_string()) {
        faults.push((Pointer::root().key("requestState"), kind_of(state).to_owned(), "a string"));
    }
    match result.get("inputRequests") {
        Some(Value::Object(requests)) => {
            let told = requests.iter().filter_map(|(key, request)| Some((at.key(key), fault(asked, request)?)));
            faults.extend(told.map(|(at, (found, expected))| (at.key("method"), found, expected)));
        }
        Some(other) => faults.push((at, kind_of(other).to_owned(), "an object")),
        None if result.get("requestState").is_none() => {
            faults.push((at, "nothing".to_owned(), "inputRequests or requestState"));
        }
        None => {}
    }
    faults
}

fn fault(asked: &Asked<'_>, request: &Value) -> Option<(String, &'static str)> {
    let method = request.get("method").and_then(Value::as_str);
    let needed = match method {
        Some("elicitation/create") => "elicitation",
        Some("sampling/createMessage") => "sampling",
        Some("roots/list") => "roots",
        Some(other) => {
            return Some((safe::clip(other, 40), "a request for elicitation, sampling or roots"));
        }
        None => return Some(("nothing".to_owned(), "a request for elicitation, sampling or roots")),
    };
    // Without a word about its capabilities nothing is known of what the client can do.
    let declared = asked.request.meta(META_CAPABILITIES)?;
    let undeclared = declared.get(needed).is_none();
    undeclared.then(|| (method.unwrap_or_default().to_owned(), "what the client declared"))
}
