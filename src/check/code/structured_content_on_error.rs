//! Structured content of failed calls that breaks the output schema of the tool.

use super::super::{Context, Hit};
use super::structured_content_mismatch::{contents, validator};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let breaks = |tool, content| validator(cx, tool, content).is_some_and(|(validator, _)| validator.refuses(content));
    let breaking = contents(cx, true).into_iter().filter(|(tool, content)| breaks(*tool, content));
    breaking.map(|(tool, _)| Hit::tool(tool, Pointer::root().key("structuredContent"))).collect()
}
