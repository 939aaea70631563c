//! Requests without credentials that were told to bring some, with a status other than 401.

use super::super::{Context, Hit};
use crate::surface::challenge::Challenge;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let bare = cx.surface.wire.iter().flat_map(|wire| &wire.https).filter(|http| http.sent("authorization").is_none());
    let found = bare.filter_map(|http| http.head.as_ref()).find_map(|head| {
        let challenge = head.header("www-authenticate").and_then(Challenge::read)?;
        // Credentials may travel in a header of the server's own, and be too weak for what was asked.
        let is_weak = challenge.parameter("error") == Some("insufficient_scope");
        (head.status != 401 && !is_weak).then_some(head.status)
    });
    let hit = found.map(|status| Hit::server().fact("found", format!("HTTP {status}")));
    hit.map(|hit| hit.fact("expected", "HTTP 401")).into_iter().collect()
}
