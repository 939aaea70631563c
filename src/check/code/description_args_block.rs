//! Blocks of arguments in a description, beside parameters without one.

use std::collections::BTreeSet;
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
        let is_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
        let firsts = block.lines().map(|line| {
            let line = line.trim_start_matches(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
            line.split(|letter| !is_word(letter)).next().unwrap_or_default()
        });
        let told: BTreeSet<&str> = firsts.collect();
        let is_told = |name: &str| told.contains(name);
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
