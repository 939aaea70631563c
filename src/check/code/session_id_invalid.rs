//! Session ids with anything but visible ASCII. The id itself is never told.

use super::super::{Context, Hit, On};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let heads = cx.surface.wire.iter().flat_map(|wire| &wire.https).filter_map(|http| http.head.as_ref());
    let found = heads.filter_map(|head| head.header("mcp-session-id")).find_map(|id| {
        id.chars().find(|letter| !letter.is_ascii_graphic()).map(|letter| match letter {
            ' ' => "a blank",
            letter if letter.is_ascii() => "a control character",
            _ => "a character outside ASCII",
        })
    });
    let hit = found.map(|found| Hit::new(On::Exchange, Pointer::root()).fact("found", found));
    hit.map(|hit| hit.fact("expected", "visible ASCII")).into_iter().collect()
}
