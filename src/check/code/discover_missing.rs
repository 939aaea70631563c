//! Modern servers that do not know `server/discover`.

use super::super::{Context, Hit};
use crate::surface::asked::Asked;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = cx.surface.wire.as_ref().filter(|wire| wire.spoken().modern) else { return Vec::new() };
    let discovers = || wire.asked().filter(|asked| asked.method() == "server/discover" && asked.revision().is_some());
    if discovers().any(|asked| asked.result().is_some()) {
        return Vec::new();
    }
    let is_unknown = |asked: &Asked<'_>| {
        let bare = asked.answer.is_none() && asked.status() == Some(404);
        asked.code() == Some(-32601) || bare
    };
    let found = discovers().filter(is_unknown).find_map(|asked| asked.found_or_status());
    found.map(|found| Hit::server().fact("found", found)).into_iter().collect()
}
