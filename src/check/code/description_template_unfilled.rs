//! Placeholders of a template that stand in a description as they were written.

use std::sync::LazyLock;

use regex::Regex;

use super::super::words::words;
use super::super::{Context, Hit};
use crate::text::pointer::Pointer;

/// Words of texts that speak of placeholders.
const SPEAKS: [&str; 22] = [
    "address",
    "braces",
    "endpoint",
    "example",
    "expression",
    "format",
    "form",
    "fstring",
    "header",
    "interpolation",
    "json",
    "pattern",
    "path",
    "placeholder",
    "placeholders",
    "replace",
    "replaced",
    "syntax",
    "template",
    "templates",
    "uri",
    "url",
];

/// `{name}`, `{{name}}`, `${NAME}` and `<%= name %>`.
static HOLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\$?\{\{?\s*[A-Za-z_][A-Za-z0-9_.]{0,40}\s*\}\}?|<%=?\s*[A-Za-z_][A-Za-z0-9_.]{0,40}\s*%>").ok()
});

/// Words up to which a text is little more than its placeholder.
const SHORT: usize = 5;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(hole) = HOLE.as_ref() else { return Vec::new() };
    let mut hits = Vec::new();
    for (n, tool) in cx.tools() {
        let Some(text) = tool.description() else { continue };
        let said: Vec<String> = words(text).collect();
        // In a longer text braces are a notation more often than not.
        if said.len() > SHORT || said.iter().any(|word| SPEAKS.contains(&word.as_str())) {
            continue;
        }
        let stands_alone = |found: &regex::Match<'_>| {
            let before = text.get(..found.start()).and_then(|before| before.chars().next_back());
            let behind = text.get(found.end()..).and_then(|behind| behind.chars().next());
            let is_part = |side: Option<char>| {
                side.is_some_and(|one| one.is_alphanumeric() || "/:=&?_-`'\"{}[]()#@<>*".contains(one))
            };
            !is_part(before) && !is_part(behind)
        };
        if let Some(found) = hole.find_iter(text).find(stands_alone) {
            hits.push(Hit::tool(n, Pointer::root().key("description")).fact("value", found.as_str()));
        }
    }
    hits
}
