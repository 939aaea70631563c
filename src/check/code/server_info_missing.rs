//! Results without the server's name in their `_meta`.

use std::collections::BTreeSet;

use super::super::{Context, Hit, On};
use crate::spec::meta::META_SERVER;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let nameless = wire.modern_results().filter(|(_, result)| {
        let named = result.meta(META_SERVER).and_then(|info| info.get("name"));
        result.body.is_object() && named.is_none()
    });
    let methods: BTreeSet<&str> = nameless.filter_map(|(request, _)| request.method.as_deref()).collect();
    if methods.is_empty() {
        return Vec::new();
    }
    // Libraries that name the server where a client asks who it is, and nowhere else, lose little.
    let asked = wire.modern_results().any(|(request, _)| request.method.as_deref() == Some("server/discover"));
    let named_once = asked && !methods.contains("server/discover");
    let shown = methods.iter().copied().collect::<Vec<_>>().join(", ");
    let methods: Vec<&str> = methods.into_iter().collect();
    let hit = Hit::new(On::Exchange, Pointer::root()).fact("value", shown).fact("affected", methods);
    vec![hit.weaker_if(named_once)]
}
