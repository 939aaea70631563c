//! Instructions that say again what the descriptions of tools say.

use super::super::words::sentences;
use super::super::{Context, Hit, On};
use crate::surface::Tool;
use crate::text::pointer::Pointer;

/// Letters from which on equal sentences are no accident.
const LEAST_LETTERS: usize = 40;

/// Tools from which on it is a habit.
const LEAST_TOOLS: usize = 3;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(instructions) = cx.surface.instructions.as_deref() else { return Vec::new() };
    let told: std::collections::BTreeSet<&str> = sentences(instructions).collect();
    let repeats = |tool: &Tool| {
        let first = tool.description().and_then(|text| sentences(text).next());
        first.is_some_and(|first| first.chars().count() >= LEAST_LETTERS && told.iter().any(|one| one.contains(first)))
    };
    let tools: Vec<&str> = cx.tools().filter(|(_, tool)| repeats(tool)).map(|(_, tool)| tool.label()).collect();
    if tools.len() < LEAST_TOOLS {
        return Vec::new();
    }
    let at = Pointer::root().key("initialize").key("instructions");
    vec![Hit::new(On::Server, at).fact("measured", tools.len()).fact("tools", tools)]
}
