//! Servers that show no tools to a caller without the right credentials. The way to the list counts as the list.

use super::super::{Context, Hit};
use crate::surface::asked::Asked;
use crate::surface::challenge::Challenge;
use crate::surface::wire::Wire;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    if !cx.surface.pages.is_empty() {
        return Vec::new();
    }
    let on_the_way = |asked: &Asked<'_>| matches!(asked.method(), "initialize" | "server/discover" | "tools/list");
    let asked = cx.surface.wire.iter().flat_map(Wire::asked).filter(on_the_way);
    let answered = asked.filter_map(|asked| Some((asked.http?, asked.http?.head.as_ref()?)));
    let Some((http, head)) = answered.last() else { return Vec::new() };
    let challenge = head.header("www-authenticate").and_then(Challenge::read);
    if !(head.status == 401 || (head.status == 403 && challenge.is_some())) {
        return Vec::new();
    }
    let scheme = challenge.as_ref().map_or("no scheme named", |challenge| challenge.scheme.as_str());
    let (problem, advice) = if http.has_credentials() {
        (
            "does not take the credentials that were sent",
            "check that they are right, still valid, and meant for this server",
        )
    } else {
        ("asks for authorization before it shows its tools", "give credentials with --bearer-env VAR or --header-env")
    };
    let mut hit = Hit::server().fact("scheme", scheme).fact("problem", problem).fact("advice", advice);
    if let Some(scopes) = challenge.as_ref().and_then(|challenge| challenge.parameter("scope")) {
        hit = hit.fact("scopes", scopes.split_whitespace().collect::<Vec<_>>());
    }
    if let Some(address) = challenge.as_ref().and_then(Challenge::resource_metadata) {
        hit = hit.fact("resource_metadata", address);
    }
    vec![hit]
}
