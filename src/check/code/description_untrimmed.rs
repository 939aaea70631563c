//! White space around descriptions, in one line for the whole list.

use super::super::{Context, Hit};
use crate::spec::threshold::threshold;
use crate::surface::Tool;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let around = |tool: &Tool| tool.description().map_or(0, |text| text.chars().count() - text.trim().chars().count());
    let with: Vec<usize> = cx.tools().filter(|(_, tool)| around(tool) > 0).map(|(n, _)| n).collect();
    let tools = || with.iter().filter_map(|n| cx.surface.tools.get(*n));
    let characters: usize = tools().map(around).sum();
    let all: usize = cx.tools().filter_map(|(_, tool)| tool.description()).map(|text| text.chars().count()).sum();
    let share = (all as u64).saturating_mul(threshold("description-untrimmed.percent")) / 100;
    if (characters as u64) < threshold("description-untrimmed.characters").max(share) {
        return Vec::new();
    }
    let hit = Hit::server().fact("measured", with.len()).fact("value", characters);
    vec![hit.fact("tools", tools().map(Tool::label).collect::<Vec<_>>())]
}
