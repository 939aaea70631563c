//! Notifications of a change that no subscription of the session asked for.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::{Context, Hit, On};
use crate::spec::meta::META_SUBSCRIPTION;
use crate::surface::dialogue::LISTEN;
use crate::surface::wire::Message;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let listens: Vec<(usize, &Message)> = wire.requests(LISTEN).collect();
    let unwanted = wire.modern_notifications().filter(|(position, message, method)| {
        filter_of(method).is_some_and(|filter| !asked(&listens, *position, message, filter))
    });
    let methods: BTreeSet<&str> = unwanted.map(|(_, _, method)| method).collect();
    methods.into_iter().map(|method| Hit::new(On::Exchange, Pointer::root()).fact("value", method)).collect()
}

/// The member of a subscription that asks for a notification.
fn filter_of(method: &str) -> Option<&'static str> {
    Some(match method {
        "notifications/tools/list_changed" => "toolsListChanged",
        "notifications/prompts/list_changed" => "promptsListChanged",
        "notifications/resources/list_changed" => "resourcesListChanged",
        "notifications/resources/updated" => "resourceSubscriptions",
        _ => return None,
    })
}

/// Whether a subscription asked for it: the one that it names, else any of the session.
fn asked(listens: &[(usize, &Message)], position: usize, message: &Message, filter: &str) -> bool {
    let id = message.meta(META_SUBSCRIPTION);
    let own = listens.iter().filter(|(at, listen)| *at < position && listen.session == message.session);
    own.into_iter().any(|(_, listen)| {
        let wanted = listen.member("notifications").and_then(|filters| filters.get(filter));
        let wants = match wanted {
            Some(Value::Bool(wanted)) => *wanted,
            Some(Value::Array(resources)) => !resources.is_empty(),
            _ => false,
        };
        wants && id.is_none_or(|id| *id == listen.id)
    })
}
