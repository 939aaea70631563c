//! A `$schema` at the root of an input or output schema that names no published draft. Inside a schema it is left
//! alone: there it means something only beside an `$id`.

use serde_json::Value;

use super::super::{Context, Hit};
use crate::spec::dialect::Dialect;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for schema in cx.schemas() {
        let Some(named) = schema.root.get("$schema").and_then(Value::as_str) else { continue };
        if Dialect::from_uri(named).is_none() {
            hits.push(Hit::tool(schema.tool, schema.at.key("$schema")).fact("value", named));
        }
    }
    hits
}
