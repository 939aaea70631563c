//! From outcomes to bytes. No decisions here: what counts was settled by `policy`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::finding::{Effect, Finding, Level};
use crate::policy::{Outcome, Verdict};
use crate::rule::{
    Cite, RuleSet,
    fix::{Edit, patch},
};
use crate::spec::revision::Revision;

pub mod across;
pub mod coverage;
pub mod excerpt;
pub mod explain;
pub mod figures;
pub mod forms;
pub mod group;
pub mod human;
pub mod json;
pub mod lines;
pub mod markdown;
pub mod matrix;
pub mod profiles;
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

/// What an audit prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Figures and findings.
    Report(Format),
    /// Tools and hosts, a sign for each.
    Hosts,
    /// The fixes that need no thought.
    Fixes,
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
pub fn audit(verdict: &Verdict, rules: &RuleSet, view: View, style: Style) -> String {
    match view {
        View::Report(Format::Human) => human::audit(verdict, rules, style),
        View::Report(Format::Json) => pretty(&json::report(verdict, rules)),
        View::Report(Format::Markdown) => markdown::audit(verdict, rules),
        View::Hosts => matrix::matrix(verdict, style),
        View::Fixes => fixes(verdict, rules),
    }
}

/// Who says what a finding says, about its host or about none: of several the page for advice, and for the
/// specification its newest revision up to the one that the target is judged by.
fn source<'r>(finding: &Finding, rules: &'r RuleSet, judged: Revision) -> Option<&'r Cite> {
    let cites: Vec<&Cite> = rules.get(&finding.rule)?.meta.cites_for(finding.host()).collect();
    // Of several revisions the newest one under which it holds.
    let judged = finding.revisions.last().copied().unwrap_or(judged);
    let in_force = |cite: &&Cite| matches!(cite, Cite::Spec(cite) if cite.spec.as_str() <= judged.as_str());
    let best = match finding.level {
        Level::Advice => cites.iter().copied().find(|cite| matches!(cite, Cite::Page(_))),
        // Its hosts say so themselves.
        Level::Host if !finding.hosts.is_empty() => return None,
        Level::Host => None,
        Level::Spec => cites.iter().copied().rev().filter(in_force).max_by_key(|cite| match cite {
            Cite::Spec(cite) => cite.spec.as_str(),
            Cite::Page(_) => "",
        }),
    };
    best.or_else(|| cites.first().copied())
}

/// What a finding's rule would do to its tool, where that needs no thought.
fn edit<'f>(finding: &'f Finding, rules: &'f RuleSet) -> Option<Edit<'f>> {
    let fix = rules.get(&finding.rule)?.meta.fix.as_ref()?;
    Some(Edit { fix, at: &finding.anchor.at, facts: &finding.facts })
}

/// The merge patch of a finding's tool that mends it.
fn fix(finding: &Finding, outcome: &Outcome, rules: &RuleSet) -> Option<Value> {
    let tool = outcome.surface.tools.get(finding.anchor.tool?)?;
    edit(finding, rules)?.patch(&tool.value)
}

/// The merge patches of all tools of each target: what would change, and nothing is written.
fn fixes(verdict: &Verdict, rules: &RuleSet) -> String {
    let targets = verdict.outcomes.iter().map(|outcome| {
        let mut edits: BTreeMap<usize, Vec<Edit<'_>>> = BTreeMap::new();
        for finding in outcome.counted() {
            if let (Some(tool), Some(edit)) = (finding.anchor.tool, edit(finding, rules)) {
                edits.entry(tool).or_default().push(edit);
            }
        }
        let patches = edits.into_iter().filter_map(|(n, edits)| {
            let tool = outcome.surface.tools.get(n)?;
            Some(json!({ "tool": tool.label(), "position": n, "patch": patch(&tool.value, edits)? }))
        });
        json!({ "target": outcome.surface.target, "patches": patches.collect::<Vec<_>>() })
    });
    pretty(&json!({ "format": "JSON merge patch (RFC 7396), one a tool", "targets": targets.collect::<Vec<_>>() }))
}

/// Hosts that a report names under a finding; the JSON report has them all.
const MOST_HOSTS: usize = 4;

/// Who says what the hosts of a finding do, a line each, the worst first: what to show, and the address.
fn host_lines(finding: &Finding) -> Vec<(String, Option<&str>)> {
    let told = |effect: &Effect| {
        let confidence = effect.confidence.as_str();
        format!("{}: {} ({}, {confidence} confidence)", effect.title, effect.source, effect.date)
    };
    let first = finding.hosts.iter().take(MOST_HOSTS);
    let mut lines: Vec<(String, Option<&str>)> =
        first.map(|effect| (told(effect), Some(effect.url.as_str()))).collect();
    if let Some(more) = finding.hosts.len().checked_sub(MOST_HOSTS).filter(|more| *more > 0) {
        let plural = if more == 1 { "" } else { "s" };
        lines.push((format!("and {more} more host{plural}"), None));
    }
    lines
}

/// JSON as it is printed: indented, with a line end.
pub(crate) fn pretty(value: &impl serde::Serialize) -> String {
    // Our own structs hold nothing that JSON cannot say.
    let mut text =
        serde_json::to_string_pretty(value).unwrap_or_else(|error| Value::from(error.to_string()).to_string());
    text.push('\n');
    crate::text::safe::escaped(text)
}
