//! Requests that were refused for nothing but the missing name of the client: the same request with a name was served.

use super::super::{Context, Hit};
use crate::spec::meta::{META_CAPABILITIES, META_CLIENT};
use crate::surface::asked::Asked;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let plain = |asked: &Asked<'_>| {
        let list =
            matches!(asked.method(), "tools/list" | "server/discover") && asked.request.member("cursor").is_none();
        list && asked.revision().is_some() && asked.request.meta(META_CAPABILITIES).is_some()
    };
    let served: Vec<Asked<'_>> = wire.asked().filter(|asked| plain(asked) && asked.result().is_some()).collect();
    let refused = wire.asked().filter(plain).find(|asked| {
        let nameless = asked.request.meta(META_CLIENT).is_none() && asked.code().is_some() && !asked.is_turned_away();
        let same = |other: &Asked<'_>| other.method() == asked.method() && other.revision() == asked.revision();
        nameless && served.iter().any(|other| same(other) && other.request.meta(META_CLIENT).is_some())
    });
    let found = refused.and_then(|asked| Some((asked.method(), asked.found()?)));
    found.map(|(method, found)| Hit::server().fact("value", method).fact("found", found)).into_iter().collect()
}
