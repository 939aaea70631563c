//! What the wire shows beside its messages: noise, broken text, and the order of the pages.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde_json::Value;

use crate::text::digest;

/// A line of stdout that is no JSON-RPC message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noise {
    /// The line, invalid bytes replaced.
    pub text: String,
    /// Position among the lines of stdout, from 1.
    pub line: usize,
}

/// The wire of one server, looked at as a whole.
#[derive(Clone, Debug, Default)]
pub struct Wire {
    /// Lines that are no messages, empty ones included.
    pub noise: Vec<Noise>,
    /// Lines that hold bytes which are not UTF-8.
    pub invalid_utf8: Vec<usize>,
    /// Milliseconds from the last start to the answer that opened the session.
    pub start_ms: Option<u64>,
}

/// One page of `tools/list`.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The cursor it was asked with; none for the first.
    pub cursor: Option<String>,
    /// Its `nextCursor`, whatever it is; none when absent.
    pub next: Option<Value>,
    /// Its tools within the merged list. Empty for a page that brought only what was there.
    pub tools: Range<usize>,
    /// Names that stood on an earlier page already.
    pub seen_before: Vec<String>,
    /// Whether it had tools, all of them seen before.
    pub nothing_new: bool,
}

impl Page {
    /// The cursor that this page hands out, if the list goes on.
    ///
    /// An empty string is a cursor; `null` breaks the schema and is read as the end.
    pub fn next_cursor(&self) -> Option<&str> {
        self.next.as_ref().and_then(Value::as_str)
    }
}

/// The tools of the pages so far. A live session and the reading of its record ask the same: does a page bring
/// anything new?
#[derive(Clone, Debug, Default)]
pub struct Known(BTreeMap<String, BTreeSet<String>>);

impl Known {
    /// Takes in a tool by its label and its compact JSON.
    pub fn add(&mut self, label: &str, text: &str) {
        self.0.entry(label.to_owned()).or_default().insert(digest::short(&[text]));
    }

    /// Whether this very tool came before.
    pub fn holds(&self, label: &str, text: &str) -> bool {
        self.0.get(label).is_some_and(|digests| digests.contains(&digest::short(&[text])))
    }

    /// Whether any tool of this label came before.
    pub fn has_label(&self, label: &str) -> bool {
        self.0.contains_key(label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_earlier_form_of_a_tool_is_known_too() {
        let mut known = Known::default();
        for text in ["v1", "v2"] {
            assert!(!known.holds("a", text));
            known.add("a", text);
        }
        assert!(known.holds("a", "v1") && known.has_label("a") && !known.has_label("b"));
    }
}
