//! Pages that a chosen host does not read.

use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let pages = cx.surface.pages.len() as u64;
    let is_unread = pages > 1 && cx.limits("pagination-unread").next().is_some();
    is_unread.then(|| Hit::server().fact("measured", pages)).into_iter().collect()
}
