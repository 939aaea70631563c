//! Requests of the server in a session of the modern era.

use super::super::{Context, Hit, On};
use crate::surface::wire::Kind;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let requests = wire.said().map(|(_, message)| message).filter(|message| message.kind == Kind::Request);
    let mut methods: Vec<&str> = requests
        .filter(|message| wire.is_modern(message.session))
        .filter_map(|message| message.method.as_deref())
        .collect();
    methods.sort_unstable();
    methods.dedup();
    methods.into_iter().map(|method| Hit::new(On::Exchange, Pointer::root()).fact("value", method)).collect()
}
