//! Results without the server's name in their `_meta`.

use std::collections::BTreeSet;

use super::super::{Context, Hit, On};
use crate::surface::assemble::META_SERVER;
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
    let shown = methods.iter().copied().collect::<Vec<_>>().join(", ");
    let methods: Vec<&str> = methods.into_iter().collect();
    vec![Hit::new(On::Exchange, Pointer::root()).fact("value", shown).fact("affected", methods)]
}
