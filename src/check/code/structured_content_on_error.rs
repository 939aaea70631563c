//! Structured content of failed calls that breaks the output schema of the tool.

use super::super::{Context, Hit};
use super::structured_content_mismatch::{contents, failures};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let breaking = contents(cx, true).into_iter().filter(|(tool, content)| !failures(cx, *tool, content).is_empty());
    breaking.map(|(tool, _)| Hit::tool(tool, Pointer::root().key("structuredContent"))).collect()
}
