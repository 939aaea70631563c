//! Commands that are scripts on Windows: by their extension, or because what they belong to installs them so.

use super::super::{Context, Hit};

/// Programs that Node's package managers install as `.cmd`.
const SCRIPTS: [&str; 10] = ["corepack", "npm", "npx", "pnpm", "pnpx", "ts-node", "tsc", "tsx", "yarn", "yarnpkg"];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    if !cx.on_windows {
        return Vec::new();
    }
    let hit = |(place, entry): ((usize, usize), &crate::input::hosts::Entry)| {
        let word = entry.command.first()?;
        let name = word.text.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
        let script =
            [".cmd", ".bat", ".ps1"].into_iter().any(|end| name.ends_with(end)) || SCRIPTS.contains(&name.as_str());
        script.then(|| Hit::entry(place, word.at.clone()).fact("value", name))
    };
    cx.entries().filter_map(hit).collect()
}
