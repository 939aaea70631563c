//! Servers under the root of another host, where the own root is absent.

use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let hit = |(n, file): (usize, &crate::input::hosts::File)| {
        let wrong = file.wrong_root.as_ref()?;
        let hit = Hit::file(n, wrong.at.clone()).fact("found", wrong.found.as_str());
        Some(hit.fact("expected", wrong.expected).fact("reader", file.format.host()))
    };
    cx.files().iter().enumerate().filter_map(hit).collect()
}
