//! Streams of events that a proxy may hold back, since their head does not forbid it. Behind a proxy that takes the
//! header away, nothing is known.

use super::super::{Context, Hit, On};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let heads = cx.surface.wire.iter().flat_map(|wire| &wire.https).filter(|http| http.ask.method == "POST");
    let heads = heads.filter_map(|http| http.head.as_ref());
    let buffered = heads.filter(|head| {
        let forbids = head.header("x-accel-buffering").is_some_and(|value| value.eq_ignore_ascii_case("no"));
        let server = head.header("server").unwrap_or_default().to_lowercase();
        let is_proxied =
            head.header("via").is_some() || ["nginx", "openresty"].iter().any(|name| server.contains(name));
        head.status == 200 && head.is_stream() && !forbids && !is_proxied
    });
    match buffered.count() {
        0 => Vec::new(),
        count => vec![Hit::new(On::Exchange, Pointer::root()).fact("occurrences", count)],
    }
}
