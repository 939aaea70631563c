//! Lines of stdout that are no messages: one finding with their number and the first of them. Empty lines count only
//! where there is nothing else.

use super::super::{Context, Hit, On};
use crate::surface::wire::Noise;
use crate::text::{pointer::Pointer, safe};

/// Characters shown of the first line.
const SHOWN: usize = 80;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let noise: &[Noise] = cx.surface.wire.as_ref().map_or(&[], |wire| &wire.noise);
    let mut texts = noise.iter().map(|line| line.text.trim()).filter(|text| !text.is_empty());
    let hit = Hit::new(On::Exchange, Pointer::root());
    match texts.next() {
        Some(first) => vec![hit.fact("lines", texts.count() + 1).fact("first", safe::clip(first, SHOWN))],
        None if noise.is_empty() => Vec::new(),
        None => vec![hit.fact("lines", noise.len()).fact("first", "empty lines").weaker_if(true)],
    }
}
