//! From outcomes to bytes. No decisions here: what counts was settled by `policy`.

use serde_json::Value;

use crate::finding::{Finding, Level};
use crate::policy::Verdict;
use crate::rule::{Cite, RuleSet};
use crate::spec::revision::Revision;

pub mod across;
pub mod coverage;
pub mod excerpt;
pub mod explain;
pub mod figures;
pub mod group;
pub mod human;
pub mod json;
pub mod lines;
pub mod markdown;
pub mod session;
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

/// Who says what a finding says, about its host or about none: of several the page for advice, and for the specification its newest revision up to
/// the one that the target is judged by.
fn source<'r>(finding: &Finding, rules: &'r RuleSet, judged: Revision) -> Option<&'r Cite> {
    let cites: Vec<&Cite> = rules.get(&finding.rule)?.meta.cites_for(finding.host()).collect();
    let in_force = |cite: &&Cite| matches!(cite, Cite::Spec(cite) if cite.spec.as_str() <= judged.as_str());
    let best = match finding.level {
        Level::Advice => cites.iter().copied().find(|cite| matches!(cite, Cite::Page(_))),
        Level::Host => None,
        Level::Spec => cites.iter().copied().rev().filter(in_force).max_by_key(|cite| match cite {
            Cite::Spec(cite) => cite.spec.as_str(),
            Cite::Page(_) => "",
        }),
    };
    best.or_else(|| cites.first().copied())
}

/// JSON as it is printed: indented, with a line end.
pub(crate) fn pretty(value: &impl serde::Serialize) -> String {
    // Our own structs hold nothing that JSON cannot say.
    let mut text =
        serde_json::to_string_pretty(value).unwrap_or_else(|error| Value::from(error.to_string()).to_string());
    text.push('\n');
    crate::text::safe::escaped(text)
}
