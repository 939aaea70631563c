//! Regular expressions over text fields of a tool.

use regex::Regex;
use serde_json::Value;

use super::{Context, Hit};
use crate::text::pointer::Pointer;

/// The hits of a rule whose check is a set of patterns. Fields that are no strings are left to other rules.
pub(super) fn hits(fields: &[String], must: &[String], must_not: &[String], cx: &Context<'_>) -> Vec<Hit> {
    let compile = |patterns: &[String]| -> Vec<Regex> {
        // A pattern that does not compile is caught by the tests over the rule files.
        patterns.iter().filter_map(|pattern| Regex::new(pattern).ok()).collect()
    };
    let (must, must_not) = (compile(must), compile(must_not));
    let mut hits = Vec::new();
    for (n, tool) in cx.tools() {
        for field in fields {
            let at = Pointer::from_text(field.clone());
            let Some(text) = at.find(&tool.value).and_then(Value::as_str) else { continue };
            let missed = must.iter().any(|pattern| !pattern.is_match(text));
            if missed || must_not.iter().any(|pattern| pattern.is_match(text)) {
                hits.push(Hit::tool(n, at).fact("value", text));
            }
        }
    }
    hits
}
