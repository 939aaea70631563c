//! From outcomes to bytes. No decisions here: what counts was settled by `policy`.

use serde_json::Value;

use crate::policy::Verdict;
use crate::rule::RuleSet;

pub mod across;
pub mod excerpt;
pub mod explain;
pub mod figures;
pub mod group;
pub mod human;
pub mod json;
pub mod lines;
pub mod markdown;
pub mod table;

/// The form of a report. It never changes the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For a terminal.
    Human,
    /// One object, by the published schema.
    Json,
    /// For a step summary or a pull request.
    Markdown,
}

/// How a terminal report is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns.
    pub width: usize,
    /// Whether colours are wanted.
    pub colour: bool,
    /// Whether the single findings of a group are shown, not one of each group.
    pub verbose: bool,
}

/// The report of an audit.
pub fn audit(verdict: &Verdict, rules: &RuleSet, format: Format, style: Style) -> String {
    match format {
        Format::Human => human::audit(verdict, rules, style),
        Format::Json => pretty(&json::report(verdict, rules)),
        Format::Markdown => markdown::audit(verdict, rules),
    }
}

/// JSON as it is printed: indented, with a line end.
pub(crate) fn pretty(value: &impl serde::Serialize) -> String {
    // Our own structs hold nothing that JSON cannot say.
    let mut text =
        serde_json::to_string_pretty(value).unwrap_or_else(|error| Value::from(error.to_string()).to_string());
    text.push('\n');
    crate::text::safe::escaped(text)
}
