//! Files that their host cannot read.

use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let hit = |(n, file): (usize, &crate::input::hosts::File)| {
        let broken = file.broken.as_ref()?;
        let hit = Hit::file(n, broken.at.clone()).fact("found", broken.problem.as_str());
        Some(hit.fact("expected", file.format.dialect()))
    };
    cx.files().iter().enumerate().filter_map(hit).collect()
}
