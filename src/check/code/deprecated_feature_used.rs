//! Deprecated features that a server advertises or asks its clients for.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::{Context, Hit};
use crate::surface::wire::Wire;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut used: BTreeSet<&str> = BTreeSet::new();
    if cx.surface.capabilities.as_ref().is_some_and(|capabilities| capabilities.get("logging").is_some()) {
        used.insert("logging");
    }
    for asked in cx.surface.wire.iter().flat_map(Wire::asked).filter(|asked| asked.revision().is_some()) {
        let needed = asked.error().filter(|_| asked.code() == Some(-32021));
        let needed = needed.and_then(|error| error.pointer("/data/requiredCapabilities")).and_then(Value::as_object);
        for capability in ["roots", "sampling"] {
            if needed.is_some_and(|needed| needed.contains_key(capability)) {
                used.insert(capability);
            }
        }
        let inputs = asked.result().and_then(|result| result.get("inputRequests")).and_then(Value::as_object);
        for request in inputs.into_iter().flat_map(|inputs| inputs.values()) {
            used.extend(match request.get("method").and_then(Value::as_str) {
                Some("roots/list") => Some("roots"),
                Some("sampling/createMessage") => Some("sampling"),
                _ => None,
            });
        }
    }
    used.into_iter().map(|feature| Hit::server().fact("value", feature)).collect()
}
