//! Lists that were answered and hold nothing.

use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let surface = cx.surface;
    let has_strangers = surface.pages.iter().any(|page| page.strangers > 0);
    let is_empty = surface.tools.is_empty() && !surface.pages.is_empty() && !has_strangers;
    if is_empty { vec![Hit::server()] } else { Vec::new() }
}
