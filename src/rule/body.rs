//! What a rule checks, and its examples.

use serde_json::Value;

use super::meta::Budget;
use crate::spec::revision::Revisions;

/// What a rule checks. The kind follows from what its file holds.
#[derive(Clone, Debug)]
pub enum Body {
    /// The node must satisfy a JSON Schema, each in its range of revisions.
    Schema(Vec<(Revisions, Value)>),
    /// Text must match, or must not.
    Text {
        /// Where the text stands, as pointers below the node.
        fields: Vec<String>,
        /// Patterns that must match.
        must: Vec<String>,
        /// Patterns that must not.
        must_not: Vec<String>,
    },
    /// Measures must not be above their limits.
    Budget(Vec<Budget>),
    /// A function of the rule's name.
    Code,
    /// Nothing yet.
    None,
}

/// One block of a rule file that is to be compiled.
#[derive(Clone, Copy, Debug)]
pub enum Check<'t> {
    /// A JSON Schema.
    Schema(&'t Value),
    /// A regular expression.
    Pattern(&'t str),
}
