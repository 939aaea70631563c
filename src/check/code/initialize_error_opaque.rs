//! Modern servers that refuse `initialize` without a word about the versions that they speak. That they speak no legacy
//! version is not always certain.

use super::super::{Context, Hit};
use crate::surface::asked::{Asked, Spoken};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let spoken = wire.spoken();
    if !spoken.seems_only_modern() {
        return Vec::new();
    }
    let refused = wire.asked().filter(|asked| asked.method() == "initialize" && asked.is_refused_by_server());
    let opaque = refused.filter(|asked| !names_versions(asked, &spoken)).find_map(|asked| asked.found_or_status());
    let hit = opaque.map(|found| Hit::server().fact("found", found).weaker_if(!spoken.only_modern()));
    hit.into_iter().collect()
}

/// Whether what came names a version that the server supports.
fn names_versions(asked: &Asked<'_>, spoken: &Spoken) -> bool {
    let error = asked.error().map(ToString::to_string);
    let text = error.as_deref().or_else(|| asked.http?.text.as_deref()).unwrap_or_default();
    spoken.versions.iter().any(|version| text.contains(version.as_str()))
}
