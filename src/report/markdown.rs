//! The report for a step summary or a pull request. A summary may hold 1 MiB; long lists are cut with a note.

use super::{
    across,
    group::{self, Group},
    session,
};
use crate::finding::{Finding, Severity};
use crate::policy::{Outcome, Verdict};
use crate::record::evidence;
use crate::rule::RuleSet;
use crate::spec::revision::Revision;
use crate::subject::Subject;
use crate::text::{
    markdown::{cell, prose},
    safe,
};

/// Findings listed under one group before the list is cut.
const MOST_LISTED: usize = 40;

/// Bytes of a whole report, with room for what one target adds at the end of it.
const MOST_BYTES: usize = 960 * 1024;

/// The report of one run. What stands between several targets comes first, where a reader sees it.
pub fn audit(verdict: &Verdict, rules: &RuleSet) -> String {
    let mut out = String::new();
    if let Some(between) = &verdict.across {
        out.push_str(&across::markdown(&verdict.outcomes, between));
        out.push_str(&format!("**{}**\n\n", group::tally(verdict.counts(), verdict.stale.len())));
        out.push_str(&groups(&between.outcome, rules));
        out.push_str(&details(&between.outcome, rules));
    }
    for outcome in &verdict.outcomes {
        let head = head(outcome, rules) + &super::matrix::markdown(outcome, verdict);
        let details = details(outcome, rules);
        let fits = out.len() + head.len() + details.len() < MOST_BYTES;
        out.push_str(&head);
        out.push_str(if fits {
            &details
        } else {
            "The single findings are left out here; the JSON report lists them.\n\n"
        });
    }
    for stale in &verdict.stale {
        out.push_str(&format!(
            "- stale allow on line {}: `{}` for `{}`\n",
            stale.line,
            stale.rule,
            safe::line(&stale.subject).replace('`', "'")
        ));
    }
    out
}

/// Server, figures, and a line for each group.
fn head(outcome: &Outcome, rules: &RuleSet) -> String {
    let surface = &outcome.surface;
    let what = if outcome.is_config { "Config of hosts:" } else { "Tool surface of" };
    let mut out = format!("## {what} {}\n\n", prose(&surface.target));
    let plain = |text: &str| prose(&text.replace('`', "'"));
    let named = match (&surface.server.name, &surface.server.version) {
        (Some(name), Some(version)) => format!("{} {}", plain(name), plain(version)),
        (Some(name), None) => format!("{} of unknown version", plain(name)),
        (None, _) => "name and version unknown".to_owned(),
    };
    if !outcome.is_config {
        let judged = match outcome.revisions.as_slice() {
            [first, .., last] => format!("revisions {first} to {last}"),
            _ => format!("revision {}", surface.revision()),
        };
        out.push_str(&format!("Server: {named}, judged by {judged}.\n\n"));
    }
    out.push_str(&format!("**{}** · {}\n\n", group::tally(outcome.counts(), 0), group::rules_line(outcome)));
    for incident in &outcome.incidents {
        out.push_str(&format!("> **Not checked** ({}): {}\n\n", incident.stage.as_str(), prose(&incident.cause)));
    }
    if !surface.tools.is_empty() {
        out.push_str(&figures(outcome));
    }
    out.push_str(&groups(outcome, rules));
    out
}

/// A line for each group of findings.
fn groups(outcome: &Outcome, rules: &RuleSet) -> String {
    let groups = group::groups(outcome);
    if groups.is_empty() {
        return String::new();
    }
    let mut out = String::from("| | rule | where | what |\n| --- | --- | --- | --- |\n");
    for group in &groups {
        let message = cell(&group.message(rules));
        let rule = group.rule;
        out.push_str(&format!("| {} | `{rule}` | {} | {message} |\n", mark(group.severity), group.size()));
    }
    out.push('\n');
    out
}

/// The findings, a fold for each group.
fn details(outcome: &Outcome, rules: &RuleSet) -> String {
    let judged = outcome.surface.revision();
    group::groups(outcome).iter().map(|group| fold(group, rules, judged)).collect()
}

fn figures(outcome: &Outcome) -> String {
    const ROWS: [&str; 10] = [
        "tools.count",
        "band.verdict",
        "payload.bytes",
        "payload.o200k",
        "visible.o200k",
        "window.200k.share",
        "output_schema.present",
        "output_schema.empty",
        "annotations.tools",
        "top5.share.o200k",
    ];
    let mut out = String::from("| measure | value |\n| --- | --- |\n");
    for measure in ROWS.into_iter().filter_map(|id| outcome.measures.get(id)) {
        out.push_str(&format!("| {} | {} |\n", measure.title, cell(&evidence::value(measure))));
    }
    let (walks, calls) = (session::walks(&outcome.surface, 200), session::calls_told(&outcome.surface));
    for (name, told) in [("walks through the list", walks), ("calls", calls)] {
        out.push_str(&told.map_or_else(String::new, |told| format!("| {name} | {} |\n", cell(&told))));
    }
    out.push('\n');
    if measures_hints(outcome) {
        out.push_str("Annotations describe what the server claims of its tools, not what they do.\n\n");
    }
    out
}

/// Whether the table says something of annotations.
fn measures_hints(outcome: &Outcome) -> bool {
    outcome.measures.number("annotations.tools").is_some_and(|tools| tools > 0)
}

fn fold(group: &Group<'_>, rules: &RuleSet, judged: Revision) -> String {
    let mut out = format!("<details><summary>{} <code>{}</code></summary>\n\n", group.severity.as_str(), group.rule);
    for finding in group.findings.iter().take(MOST_LISTED) {
        out.push_str(&format!(
            "- {}{}: {}{}\n",
            prose(&finding.subject.to_string()),
            place(finding),
            prose(&finding.message),
            prose(&also(finding))
        ));
    }
    let left = group.findings.len().saturating_sub(MOST_LISTED);
    if left > 0 {
        out.push_str(&format!("- … and {left} more; the JSON report lists them all\n"));
    }
    if let Some(finding) = group.findings.first() {
        out.push_str(&format!("\nWhat to do: {}.\n", prose(&finding.help)));
        if let Some(cite) = super::source(finding, rules, judged) {
            let level = finding.level.as_str();
            out.push_str(&format!("Source ({level}): [{}]({}).\n", prose(&cite.label()), cite.url()));
        }
    }
    for (line, url) in group.findings.first().map(|finding| super::host_lines(finding)).unwrap_or_default() {
        let line = prose(&line);
        out.push_str(&url.map_or_else(|| format!("Host: {line}.\n"), |url| format!("Host: [{line}]({url}).\n")));
    }
    out.push_str("\n</details>\n\n");
    out
}

/// The other subjects of a finding.
fn also(finding: &Finding) -> String {
    let names: Vec<String> = finding.also.iter().map(Subject::name).collect();
    if names.is_empty() { String::new() } else { format!(" (also in: {})", group::fitting(&names, 300)) }
}

fn place(finding: &Finding) -> String {
    if finding.anchor.at.as_str().is_empty() {
        return String::new();
    }
    format!(" at `{}`", safe::clip(finding.anchor.at.as_str(), 120).replace('`', "'"))
}

fn mark(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "❌ error",
        Severity::Warn => "⚠️ warn",
        Severity::Info => "info",
    }
}
