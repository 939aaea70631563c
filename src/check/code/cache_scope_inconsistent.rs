//! Pages of one list with different `cacheScope`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let scopes: BTreeSet<&str> =
        cx.surface.pages.iter().filter_map(|page| page.hints.get("cacheScope").and_then(Value::as_str)).collect();
    let both = scopes.contains("public") && scopes.contains("private");
    if both { vec![Hit::server().fact("measured", cx.surface.pages.len())] } else { Vec::new() }
}
