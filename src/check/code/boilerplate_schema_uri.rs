//! `$schema` at the root of every schema of a list, and what it costs.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::check::{Context, Hit, lighter};
use crate::text::pointer::Pointer;

/// Tools from which on a member of each is boilerplate.
const LEAST: usize = 3;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut places: Vec<(usize, Vec<Pointer>)> = Vec::new();
    let mut dialects: BTreeSet<&str> = BTreeSet::new();
    let (mut inputs, mut named) = (0, 0);
    for (n, _) in cx.tools() {
        let mut found = Vec::new();
        for schema in cx.schemas_of(n) {
            inputs += usize::from(schema.is_input);
            if let Some(dialect) = schema.root.get("$schema").and_then(Value::as_str) {
                named += usize::from(schema.is_input);
                dialects.insert(dialect);
                found.push(schema.at.key("$schema"));
            }
        }
        if !found.is_empty() {
            places.push((n, found));
        }
    }
    // Where one tool differs from the others, the name tells something; where none does, it tells nothing.
    if inputs < LEAST || named != inputs || dialects.len() != 1 {
        return Vec::new();
    }
    let occurrences: usize = places.iter().map(|(_, places)| places.len()).sum();
    let (saved, all) = lighter::saved(cx, &places);
    let dialect = dialects.into_iter().next().unwrap_or_default();
    let hit = Hit::server().fact("measured", saved).fact("unit", "tokens").fact("payload", all);
    vec![hit.fact("occurrences", occurrences).fact("value", dialect)]
}
