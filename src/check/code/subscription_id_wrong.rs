//! Notifications of a change that do not name the request that subscribed to them.

use serde_json::Value;

use super::super::{Context, Hit, On};
use crate::spec::meta::META_SUBSCRIPTION;
use crate::surface::dialogue::LISTEN;
use crate::surface::wire::Message;
use crate::text::{pointer::Pointer, safe};

/// The notifications that only a subscription brings.
const SUBSCRIBED: [&str; 5] = [
    "notifications/prompts/list_changed",
    "notifications/resources/list_changed",
    "notifications/resources/updated",
    "notifications/subscriptions/acknowledged",
    "notifications/tools/list_changed",
];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let listens: Vec<(usize, &Message)> = wire.requests(LISTEN).collect();
    for (position, message, method) in wire.modern_notifications() {
        if !SUBSCRIBED.contains(&method) {
            continue;
        }
        let own = || listens.iter().filter(|(at, listen)| *at < position && listen.session == message.session);
        // Without any subscription the notification itself is the fault: `notification-not-subscribed`.
        let Some((_, last)) = own().next_back() else { continue };
        let id = message.meta(META_SUBSCRIPTION);
        if own().any(|(_, listen)| id == Some(&listen.id)) {
            continue;
        }
        let shown = |id: &Value| safe::clip(&id.to_string(), 40);
        let hit = Hit::new(On::Exchange, Pointer::root()).fact("value", method);
        return vec![
            hit.fact("found", id.map_or_else(|| "nothing".to_owned(), shown)).fact("expected", shown(&last.id)),
        ];
    }
    Vec::new()
}
