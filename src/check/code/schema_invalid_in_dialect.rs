//! Input schemas that are valid under their own dialect and not under the one by which a chosen host checks.

use serde_json::Value;

use super::super::minded::by_value;
use super::super::schema::{is_under_metaschema, metaschema_failures};
use super::super::{Context, Hit};
use crate::spec::dialect::Dialect;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for limits in by_value(cx, "schema-invalid-in-dialect") {
        let Some(applied) = limits.first().and_then(|limit| Dialect::from_word(limit.text()?)) else { continue };
        for input in cx.inputs().filter(|input| input.root.is_object()) {
            let own = match input.root.get("$schema").and_then(Value::as_str) {
                None => Some(Dialect::Draft2020),
                Some(named) => Dialect::from_uri(named),
            };
            // What is invalid anyway is told by other rules.
            if own.is_none_or(|own| own == applied || !is_under_metaschema(own, input.root)) {
                continue;
            }
            for failure in metaschema_failures(applied, input.root) {
                let hit = Hit::tool(input.tool, input.at.join(&failure.at)).fact("expected", applied.as_str());
                hits.push(hit.minded_by(limits.iter().copied()));
            }
        }
    }
    hits
}
