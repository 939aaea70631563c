//! Instructions that say again what the descriptions of tools say.

use super::super::words::sentences;
use super::super::{Context, Hit, On};
use crate::surface::Tool;
use crate::text::pointer::Pointer;

/// Letters from which on equal sentences are no accident.
const LEAST_LETTERS: usize = 40;

/// Bytes of instructions that are searched.
const MOST_BYTES: usize = 1 << 16;

/// Tools from which on it is a habit.
const LEAST_TOOLS: usize = 3;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    // Each tool searches the whole text; what is longer than any host keeps is not searched.
    let instructions = cx.surface.instructions.as_deref().filter(|text| text.len() <= MOST_BYTES);
    let Some(instructions) = instructions else { return Vec::new() };
    let repeats = |tool: &Tool| {
        let first = tool.description().and_then(|text| sentences(text).next());
        first.is_some_and(|first| first.chars().count() >= LEAST_LETTERS && instructions.contains(first))
    };
    let tools: Vec<&str> = cx.tools().filter(|(_, tool)| repeats(tool)).map(|(_, tool)| tool.label()).collect();
    if tools.len() < LEAST_TOOLS {
        return Vec::new();
    }
    let at = Pointer::root().key("initialize").key("instructions");
    vec![Hit::new(On::Server, at).fact("measured", tools.len()).fact("tools", tools)]
}
