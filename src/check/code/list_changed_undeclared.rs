//! `notifications/tools/list_changed` in a session whose opening does not declare `tools.listChanged`.

use super::super::{Context, Hit, On};
use crate::surface::dialogue::LIST_CHANGED;
use crate::surface::wire::Kind;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let undeclared = wire.said().filter(|(_, message)| {
        message.is_from_server(Kind::Notification, LIST_CHANGED)
            && wire.declares_list_changed(message.session) == Some(false)
    });
    match undeclared.count() {
        0 => Vec::new(),
        count => vec![Hit::new(On::Exchange, Pointer::root()).fact("occurrences", count)],
    }
}
