//! Dialects that a chosen host does not take.

use serde_json::Value;

use super::super::minded::by_value;
use super::super::{Context, Hit};
use crate::spec::dialect::Dialect;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for limits in by_value(cx, "schema-dialect-refused") {
        let Some(first) = limits.first() else { continue };
        for schema in cx.schemas() {
            let Some(named) = schema.root.get("$schema").and_then(Value::as_str) else { continue };
            let word = Dialect::from_uri(named).map(Dialect::as_str);
            let at = schema.at.key("$schema");
            if first.covers(&at) && !first.texts().any(|taken| word == Some(taken)) {
                hits.push(Hit::tool(schema.tool, at).fact("value", named).minded_by(limits.iter().copied()));
            }
        }
    }
    hits
}
