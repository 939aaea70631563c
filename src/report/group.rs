//! Findings of one cause, folded: one entry with many subjects.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::Value;

use crate::finding::{Finding, Severity};
use crate::policy::{Counts, Outcome};
use crate::rule::RuleSet;
use crate::subject::Kind;
use crate::text::safe;

/// Findings of one rule and severity, minded by the same hosts; of config files, about one host.
#[derive(Clone, Debug)]
pub struct Group<'o> {
    /// The rule's id.
    pub rule: &'o str,
    /// Their severity.
    pub severity: Severity,
    /// The findings in report order; never empty.
    pub findings: Vec<&'o Finding>,
}

impl Group<'_> {
    /// The names of the subjects, each once, with how often when more than once.
    pub fn subjects(&self) -> Vec<String> {
        let mut names: Vec<(String, usize)> = Vec::new();
        for finding in &self.findings {
            let name = finding.subject.name();
            match names.last_mut() {
                Some((last, times)) if *last == name => *times += 1,
                _ => names.push((name, 1)),
            }
        }
        let shown = names.into_iter().map(|(name, times)| {
            let name = safe::clip(&name, 64);
            if times == 1 { name } else { format!("{name} ×{times}") }
        });
        shown.collect()
    }

    /// The subjects, each with its parameters that are meant.
    fn places(&self) -> Vec<String> {
        let mut places: Vec<(String, Vec<String>)> = Vec::new();
        for finding in &self.findings {
            let (name, param) = (finding.subject.name(), param(finding));
            match places.last_mut() {
                Some((last, params)) if *last == name => params.extend(param),
                _ => places.push((name, param.into_iter().collect())),
            }
        }
        let named = places.into_iter().zip(self.subjects());
        let shown = named.map(|((name, params), subject)| match params.as_slice() {
            [] => subject,
            [..] if params.len() > MOST_PARAMS => subject,
            few => format!("{} ({})", safe::clip(&name, 64), few.join(", ")),
        });
        shown.collect()
    }

    /// What the findings say: the message where all say the same, else the rule's title with `…` for what differs.
    pub fn message(&self, rules: &RuleSet) -> String {
        let first = self.findings.first().map_or("", |finding| finding.message.as_str());
        if self.findings.iter().all(|finding| finding.message == first) {
            return first.to_owned();
        }
        let title = rules.get(self.rule).map_or("", |rule| rule.meta.title.as_str());
        let mut parts = title.split(['{', '}']);
        let mut out = parts.next().unwrap_or_default().to_owned();
        while let (Some(_), Some(text)) = (parts.next(), parts.next()) {
            out.push('…');
            out.push_str(text);
        }
        out
    }

    /// What tells the findings apart, in few words: their tools and parameters, or what is said where the subject is one
    /// server.
    pub fn lines(&self) -> Vec<String> {
        if self.findings.iter().all(|finding| finding.subject.kind == Kind::Tool) {
            return self.places();
        }
        self.findings.iter().map(|finding| finding.message.clone()).collect()
    }

    /// "3 findings in 2 tools", or less where less says it all.
    pub fn size(&self) -> String {
        let findings = self.findings.len();
        let subjects = self.subjects().len();
        let kind = self.findings.first().map_or("subject", |finding| finding.subject.kind.as_str());
        let plural = if subjects == 1 { "" } else { "s" };
        if findings == subjects {
            format!("{subjects} {kind}{plural}")
        } else {
            format!("{findings} in {subjects} {kind}{plural}")
        }
    }
}

/// Parameters that stand behind a tool's name.
const MOST_PARAMS: usize = 2;

/// The name of the parameter that a finding stands in.
fn param(finding: &Finding) -> Option<String> {
    let steps: Vec<String> = finding.anchor.at.steps().collect();
    let last = steps.iter().rposition(|step| step == "properties")?;
    Some(safe::clip(steps.get(last + 1)?, 40))
}

/// The tools that a finding about a whole server names.
pub fn tools(finding: &Finding) -> Vec<String> {
    // Rules on a share name the tools that lack the thing; elsewhere what is missing is no tool.
    let fact = if finding.rule.ends_with("-coverage") { "missing" } else { "tools" };
    let listed = finding.facts.get(fact).and_then(Value::as_array).filter(|_| finding.subject.kind == Kind::Server);
    listed.into_iter().flatten().filter_map(Value::as_str).map(|name| safe::clip(name, 64)).collect()
}

/// What findings of one group have in common. Hosts differ in what they do with a fault, and in who says so.
fn kind(finding: &Finding) -> (Reverse<Severity>, &str, Option<&str>, Vec<&str>) {
    let host = finding.anchor.place.as_ref().and_then(|_| finding.host());
    let minded = finding.hosts.iter().map(|effect| effect.host.as_str()).collect();
    (Reverse(finding.severity), &finding.rule, host, minded)
}

/// The findings that count, in groups: the most severe first, then by rule.
pub fn groups(outcome: &Outcome) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut findings: Vec<&Finding> = outcome.counted().collect();
    findings.sort_by(|a, b| kind(a).cmp(&kind(b)).then_with(|| a.sort_key().cmp(&b.sort_key())));
    for finding in findings {
        match groups.last_mut() {
            Some(group) if group.findings.last().is_some_and(|last| kind(last) == kind(finding)) => {
                group.findings.push(finding);
            }
            _ => groups.push(Group { rule: &finding.rule, severity: finding.severity, findings: vec![finding] }),
        }
    }
    groups
}

/// "2 errors, 1 warning, 14 info, 0 allowed, 0 incidents", and how many allow entries are stale where some are.
pub fn tally(counts: Counts, stale: usize) -> String {
    let plural = |n: usize, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
    let mut parts = vec![
        plural(counts.error, "error"),
        plural(counts.warn, "warning"),
        format!("{} info", counts.info),
        format!("{} allowed", counts.allowed),
    ];
    if stale > 0 {
        parts.push(format!("{stale} stale allow"));
    }
    parts.push(plural(counts.incidents, "incident"));
    parts.join(", ")
}

/// "41 rules ran; 6 did not: 4 without `--probe`, 2 switched off", the most first.
pub fn rules_line(outcome: &Outcome) -> String {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, reason) in &outcome.not_applicable {
        *reasons.entry(reason).or_default() += 1;
    }
    reasons.insert("switched off", outcome.off.len());
    reasons.insert("without a list", outcome.unrun.len());
    reasons.retain(|_, count| *count > 0);
    let ran = outcome.ran.len();
    let mut out = format!("{ran} rule{} ran", if ran == 1 { "" } else { "s" });
    let mut reasons: Vec<(&str, usize)> = reasons.into_iter().collect();
    if !reasons.is_empty() {
        reasons.sort_by_key(|(_, count)| Reverse(*count));
        let all: usize = reasons.iter().map(|(_, count)| count).sum();
        let told: Vec<String> = reasons.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        out.push_str(&format!("; {all} did not: {}", told.join(", ")));
    }
    out
}

/// As many of `names` as fit into `width` columns, and how many are left out.
pub fn fitting(names: &[String], width: usize) -> String {
    let mut out = String::new();
    for (i, name) in names.iter().enumerate() {
        let left = names.len() - i;
        let more = if left > 1 { format!(", … {left} more").chars().count() } else { 0 };
        let used = out.chars().count();
        if i > 0 && used + name.chars().count() + 2 + more > width {
            out.push_str(&format!(", … {left} more"));
            return out;
        }
        if i > 0 {
            out.push_str(", ");
        }
        out.push_str(name);
    }
    out
}
