//! Lines of the server that are not UTF-8: one finding with their number. A U+FFFD that the server wrote is text.

use super::super::{Context, Hit, On};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let lines = cx.surface.wire.as_ref().map_or(0, |wire| wire.invalid_utf8.len());
    if lines == 0 {
        return Vec::new();
    }
    vec![Hit::new(On::Exchange, Pointer::root()).fact("lines", lines)]
}
