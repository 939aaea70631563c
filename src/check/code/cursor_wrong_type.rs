//! A `nextCursor` that is no text. A saved list may owe its null to the program that saved it.

use serde_json::Value;

use super::super::{Context, Hit};
use crate::surface::assemble::kind_of;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut cursors = cx.surface.pages.iter().filter_map(|page| page.next.as_ref());
    let Some(found) = cursors.find(|cursor| !cursor.is_string()) else { return Vec::new() };
    let saved = cx.surface.wire.is_none() && matches!(found, Value::Null);
    vec![Hit::server().fact("found", kind_of(found)).fact("expected", "a string").weaker_if(saved)]
}
