//! Blocks of arguments in a description, beside parameters without one.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::super::{Context, Hit};
use crate::text::pointer::Pointer;

/// A line that opens a block.
static HEAD: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?mi)^[ \t#*]*(?:args|arguments|parameters|params|inputs?)[ \t*]*:[ \t*]*$").ok());

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(head) = HEAD.as_ref() else { return Vec::new() };
    let mut hits = Vec::new();
    for (n, tool) in cx.tools() {
        let Some(block) = tool.description().and_then(|text| text.get(head.find(text)?.end()..)) else { continue };
        let Some(properties) = tool.input_schema().and_then(|schema| schema.get("properties")?.as_object()) else {
            continue;
        };
        let is_bare = |param: &Value| param.is_object() && param.get("description").is_none();
        let is_told = |name: &str| {
            block.lines().any(|line| {
                let line = line.trim_start_matches(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
                line.strip_prefix(name).is_some_and(|rest| rest.starts_with([':', ' ', '(', '`', '*']))
            })
        };
        let lost: Vec<&str> = properties
            .iter()
            .filter(|(name, param)| is_bare(param) && is_told(name))
            .map(|(name, _)| name.as_str())
            .collect();
        if !lost.is_empty() {
            let hit = Hit::tool(n, Pointer::root().key("description")).fact("measured", lost.len());
            hits.push(hit.fact("names", lost.join(", ")).fact("affected", lost));
        }
    }
    hits
}
