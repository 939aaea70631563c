//! Requests of the server in a session of the modern era.

use std::collections::BTreeSet;

use super::super::{Context, Hit, On};
use crate::surface::wire::Kind;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let modern = wire.modern_sessions();
    let requests =
        wire.said().filter(|(_, message)| message.kind == Kind::Request && modern.contains(&message.session));
    let methods: BTreeSet<&str> = requests.filter_map(|(_, message)| message.method.as_deref()).collect();
    methods.into_iter().map(|method| Hit::new(On::Exchange, Pointer::root()).fact("value", method)).collect()
}
