//! Tools that are served although the answer that opened the session shows capabilities without `tools`.

use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let declared = cx.surface.capabilities.as_ref().and_then(serde_json::Value::as_object);
    let missing = declared.is_some_and(|declared| !declared.contains_key("tools"));
    let served = cx.surface.tools.len();
    if missing && served > 0 { vec![Hit::server().fact("measured", served)] } else { Vec::new() }
}
