//! Servers that answer 401 and do not say where to get authorized. A server may have credentials of its own that have
//! nothing to do with OAuth; only the scheme `Bearer` and a look at the well-known addresses make it certain.

use super::super::{Context, Hit};
use crate::spec::revision::Revision;
use crate::surface::challenge::{Challenge, WELL_KNOWN};
use crate::surface::wire::{Http, Wire};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let negotiated = cx.surface.negotiated.as_deref().and_then(Revision::in_force);
    if negotiated.is_some_and(|revision| revision < Revision::V2025_06_18) || tried(wire).any(Http::holds_object) {
        return Vec::new();
    }
    // The header is the only way in this revision; later ones let a server choose.
    let looked = tried(wire).any(|http| http.status().is_some_and(|status| status < 500));
    let certain = negotiated == Some(Revision::V2025_06_18) || looked;
    let posts = wire.https.iter().filter(|http| http.ask.method == "POST" && http.status() == Some(401));
    let hit = posts.filter_map(|http| http.head.as_ref()).find_map(|head| {
        let challenge = head.header("www-authenticate").and_then(Challenge::read);
        let scheme = challenge.as_ref().map(|challenge| challenge.scheme.clone());
        let is_bearer = scheme.as_ref().is_some_and(|scheme| scheme.eq_ignore_ascii_case("bearer"));
        let mut found = scheme.map_or_else(|| "no challenge".to_owned(), |scheme| format!("scheme {scheme} alone"));
        if !certain {
            found.push_str("; --probe looks further");
        }
        let is_silent = challenge.is_none_or(|challenge| challenge.resource_metadata().is_none());
        is_silent.then(|| Hit::server().fact("found", found).weaker_if(!(certain && is_bearer)))
    });
    hit.into_iter().collect()
}

/// The looks at the well-known addresses.
fn tried(wire: &Wire) -> impl Iterator<Item = &Http> {
    wire.https.iter().filter(|http| http.ask.method == "GET" && http.ask.url.contains(WELL_KNOWN))
}
