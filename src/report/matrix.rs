//! Tools and hosts: what loads where, a sign for each, and the reasons below.

use std::collections::BTreeMap;

use super::{Style, group, lines};
use crate::finding::Confidence;
use crate::policy::fate::{Fate, Fates, Reason, fates};
use crate::policy::{Outcome, Verdict};
use crate::text::{
    markdown::{cell, prose},
    safe,
};

/// Columns of a tool's name.
const MOST_NAME: usize = 36;

/// Columns of a terminal that are always there for signs.
const LEAST_SIGNS: usize = 16;

/// The matrix of each target.
pub fn matrix(verdict: &Verdict, style: Style) -> String {
    let of_one = |outcome: &Outcome| human(outcome, &fates(outcome, &verdict.hosts), style);
    let servers = verdict.outcomes.iter().filter(|outcome| !outcome.is_config);
    servers.map(of_one).collect::<Vec<_>>().join("\n")
}

fn sign(fate: Fate) -> char {
    match fate {
        Fate::Loads => '·',
        Fate::Altered => '~',
        Fate::Lost => 'x',
        Fate::KillsServer => 'S',
        Fate::KillsRequest => 'R',
    }
}

fn human(outcome: &Outcome, all: &[Fates<'_>], style: Style) -> String {
    let mut out = format!("{} · {} hosts\n", safe::clip(&outcome.surface.target, 60), all.len());
    for incident in &outcome.incidents {
        out.push_str(&format!("not checked ({}): {}\n", incident.stage.as_str(), safe::line(&incident.cause)));
    }
    let names: Vec<&str> = outcome.surface.tools.iter().map(crate::surface::Tool::label).collect();
    let touched: Vec<&str> =
        distinct(&names).into_iter().filter(|name| all.iter().any(|one| one.of_tool(name) > Fate::Loads)).collect();
    let widest = touched.iter().map(|name| safe::clip(name, MOST_NAME).chars().count()).max().unwrap_or(0).max(12);
    let room = style.width.saturating_sub(widest + 3).max(LEAST_SIGNS);
    for (part, chunk) in all.chunks(room).enumerate() {
        let first = part * room + 1;
        out.push_str(&heads(chunk.len(), first, widest));
        let mut row = |name: &str, signs: String| out.push_str(&format!(" {name:widest$}  {signs}\n"));
        row("whole server", chunk.iter().map(|one| sign(one.worst())).collect());
        for name in &touched {
            row(&safe::clip(name, MOST_NAME), chunk.iter().map(|one| sign(one.of_tool(name))).collect());
        }
    }
    let rest = distinct(&names).len() - touched.len();
    if rest > 0 {
        let other = if touched.is_empty() { "" } else { "other " };
        let load = if rest == 1 { "tool loads everywhere as it is" } else { "tools load everywhere as they are" };
        out.push_str(&format!(" {rest} {other}{load}\n"));
    }
    let legend = Fate::ALL.map(|fate| format!("{} {}", sign(fate), fate.as_str())).join("   ");
    out.push_str(&format!("\n {}\n", lines::wrapped(&legend, style.width.saturating_sub(1), " ")));
    out.push_str(&legend_of_hosts(all, style));
    out.push_str(&reasons(all, style));
    out
}

/// Each name once, in order.
fn distinct<'n>(names: &[&'n str]) -> Vec<&'n str> {
    let mut seen = std::collections::BTreeSet::new();
    names.iter().copied().filter(|name| seen.insert(*name)).collect()
}

/// The numbers of the hosts, to be read downward.
fn heads(count: usize, first: usize, indent: usize) -> String {
    let numbers = || (first..first + count).map(|n| format!("{n:>2}"));
    let digit = |at: usize| numbers().filter_map(|number| number.chars().rev().nth(at)).collect::<String>();
    let (tens, ones) = (digit(1), digit(0));
    format!("\n {:indent$}  {}\n {:indent$}  {}\n", "", tens.trim_end(), "", ones)
}

fn legend_of_hosts(all: &[Fates<'_>], style: Style) -> String {
    let names: Vec<String> = all.iter().enumerate().map(|(n, one)| format!("{}\u{a0}{}", n + 1, one.host.id)).collect();
    let text = lines::wrapped(&names.join(", "), style.width.saturating_sub(1), " ");
    format!("\n {}\n", text.replace('\u{a0}', " "))
}

/// By host: each rule that harms, what it does and to which tools; only the worst without `-v`.
fn reasons(all: &[Fates<'_>], style: Style) -> String {
    let mut out = String::new();
    for one in all.iter().filter(|one| one.worst() > Fate::Loads) {
        out.push_str(&format!("\n{} ({})\n", one.host.title, one.host.id));
        let causes = causes(one);
        let shown = if style.verbose { causes.len() } else { 4 };
        for (rule, cause) in causes.iter().take(shown) {
            let doubt = if cause.confidence < Confidence::High { ", not certain" } else { "" };
            let room = if style.verbose { usize::MAX / 2 } else { style.width };
            let names = match cause.names.as_slice() {
                [] => "the server".to_owned(),
                names => group::fitting(names, room),
            };
            let line = format!("{} {}{doubt}: {rule}: {names}", sign(cause.fate), cause.fate.as_str());
            out.push_str(&format!("  {}\n", lines::wrapped(&line, style.width.saturating_sub(2), "    ")));
        }
        if causes.len() > shown {
            out.push_str(&format!("  and {} more rules; -v shows them\n", causes.len() - shown));
        }
    }
    out
}

/// What one rule does in one host.
struct Cause {
    fate: Fate,
    confidence: Confidence,
    names: Vec<String>,
}

/// The rules that harm in a host, the worst first.
fn causes<'o>(one: &Fates<'o>) -> Vec<(&'o str, Cause)> {
    let mut by_rule: BTreeMap<&str, Cause> = BTreeMap::new();
    let mut take = |reason: &Reason<'o>, name: Option<&str>| {
        let cause = by_rule.entry(reason.finding.rule.as_str()).or_insert_with(|| Cause {
            fate: reason.fate,
            confidence: reason.confidence,
            names: Vec::new(),
        });
        (cause.fate, cause.confidence) = (cause.fate, cause.confidence).max((reason.fate, reason.confidence));
        if let Some(name) = name.map(|name| safe::clip(name, 64)).filter(|name| cause.names.last() != Some(name)) {
            cause.names.push(name);
        }
    };
    for reason in &one.server {
        take(reason, None);
    }
    for (name, reason) in one.tools.iter().flat_map(|(name, reasons)| reasons.iter().map(move |reason| (name, reason)))
    {
        take(reason, Some(name));
    }
    let mut causes: Vec<(&str, Cause)> = by_rule.into_iter().collect();
    causes.sort_by_key(|(rule, cause)| (std::cmp::Reverse(cause.fate), *rule));
    causes
}

/// The table for a step summary or a pull request; nothing when no host was chosen.
pub fn markdown(outcome: &Outcome, verdict: &Verdict) -> String {
    if verdict.hosts.is_empty() || outcome.is_config {
        return String::new();
    }
    let mut out = String::from("| host | worst | because of |\n| --- | --- | --- |\n");
    for one in fates(outcome, &verdict.hosts) {
        let told: Vec<String> = causes(&one)
            .iter()
            .map(|(rule, cause)| {
                let names =
                    if cause.names.is_empty() { "the server".to_owned() } else { group::fitting(&cause.names, 120) };
                format!("`{rule}` ({}): {}", cause.fate.as_str(), prose(&names))
            })
            .collect();
        let told = if told.is_empty() { "–".to_owned() } else { told.join("<br>") };
        out.push_str(&format!("| {} | {} | {told} |\n", cell(&one.host.title), one.worst().as_str()));
    }
    out.push('\n');
    out
}
