//! A server that calls itself another version than the manifest that started it.

use super::super::{Context, Hit, On};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let own = cx.surface.server.version.as_deref().map(bare);
    let manifest = cx.surface.manifest_version.as_deref().map(bare);
    match (own, manifest) {
        (Some(own), Some(manifest)) if own != manifest => {
            vec![Hit::new(On::Exchange, Pointer::root()).fact("found", own).fact("expected", manifest)]
        }
        _ => Vec::new(),
    }
}

/// A version without the letter that some put before it.
fn bare(version: &str) -> &str {
    let version = version.trim();
    version.strip_prefix('v').unwrap_or(version)
}
