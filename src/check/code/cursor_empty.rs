//! An empty text as `nextCursor`.

use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let empty = cx.surface.pages.iter().any(|page| page.next_cursor() == Some(""));
    if empty { vec![Hit::server().fact("cursor", "")] } else { Vec::new() }
}
