//! Regular expressions over text fields of a tool.

use regex::Regex;
use serde_json::Value;

use super::{Context, Hit};
use crate::text::pointer::Pointer;

/// A pattern of a rule file, made ready.
pub(super) fn compiled(pattern: &str) -> Result<Regex, regex::Error> {
    Regex::new(pattern)
}

/// A rule whose check is a set of patterns, compiled.
pub(super) struct Patterns {
    fields: Vec<Pointer>,
    must: Vec<Regex>,
    must_not: Vec<Regex>,
}

impl Patterns {
    /// Compiles the patterns. One that does not compile was refused when the file was read.
    pub(super) fn new(fields: &[String], must: &[String], must_not: &[String]) -> Self {
        let compile = |patterns: &[String]| patterns.iter().filter_map(|pattern| compiled(pattern).ok()).collect();
        let fields = fields.iter().map(|field| Pointer::from_text(field.clone())).collect();
        Self { fields, must: compile(must), must_not: compile(must_not) }
    }

    /// The hits on the tools in sight. Fields that are no strings are left to other rules.
    pub(super) fn hits(&self, cx: &Context<'_>) -> Vec<Hit> {
        let mut hits = Vec::new();
        for (n, tool) in cx.tools() {
            for at in &self.fields {
                let Some(text) = at.find(&tool.value).and_then(Value::as_str) else { continue };
                let missed = self.must.iter().any(|pattern| !pattern.is_match(text));
                if missed || self.must_not.iter().any(|pattern| pattern.is_match(text)) {
                    hits.push(Hit::tool(n, at.clone()).fact("value", text));
                }
            }
        }
        hits
    }
}
