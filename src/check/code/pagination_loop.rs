//! A list whose cursors do not lead to its end: one comes back, or a page of nothing but known tools leads on. Pages
//! that overlap in part, or at the end of the list, are `pagination-duplicate`.

use std::collections::BTreeSet;

use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut followed: BTreeSet<&str> = BTreeSet::new();
    for page in &cx.surface.pages {
        followed.extend(page.cursor.as_deref());
        let Some(next) = page.next_cursor() else { continue };
        // A file does not show what a page was asked with; it was the cursor of the page before.
        let again = !followed.insert(next);
        if again || page.nothing_new {
            let cursor = if again { next } else { page.cursor.as_deref().unwrap_or(next) };
            return vec![Hit::server().fact("cursor", cursor)];
        }
    }
    Vec::new()
}
