//! Ids of extensions that have not the form of one.

use serde_json::Value;

use crate::check::{Context, Hit, meta_key};

/// Ids told of one server.
const MOST: usize = 50;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let extensions = cx.surface.capabilities.as_ref().and_then(|capabilities| capabilities.get("extensions"));
    let ids = extensions.and_then(Value::as_object).into_iter().flatten().map(|(id, _)| id);
    let hits = ids.filter_map(|id| {
        let bare = (!meta_key::has_prefix(id)).then_some("it has no prefix");
        let problem = bare.or_else(|| meta_key::fault(id))?;
        Some(Hit::server().fact("value", id.as_str()).fact("problem", problem))
    });
    hits.take(MOST).collect()
}
