//! The JSON report: its own structs, version 1, by the schema in `schema/report-1.json`.
//!
//! Frozen from the first release. Internal types do not leak into it: a renamed field there changes nothing here.

use serde::Serialize;
use serde_json::{Map, Value};

use super::session::{self, Called};
use crate::finding::{Effect, Incident};
use crate::measure::Measures;
use crate::metric::Measure;
use crate::policy::{Across, Counts, Judged, Outcome, Stale, Verdict};
use crate::record::how::Source;
use crate::rule::{Cite, RuleSet};
use crate::subject::Subject;
use crate::surface::{Surface, launch::Start};

/// The version of the report.
pub const SCHEMA: &str = "toolsurface/1";

/// The published JSON Schema of the report.
pub const SCHEMA_TEXT: &str = include_str!("schema/report-1.json");

/// The whole report.
#[derive(Debug, Serialize)]
pub struct Report<'o> {
    schema: &'static str,
    tool: &'static str,
    targets: Vec<Target<'o>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    across: Option<AcrossEntry<'o>>,
    stale: Vec<StaleEntry>,
    summary: Summary,
}

#[derive(Debug, Serialize)]
struct Target<'o> {
    name: &'o str,
    server: Server,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    revisions: Vec<&'static str>,
    measures: Vec<MeasureEntry>,
    tools: Vec<ToolEntry<'o>>,
    findings: Vec<FindingEntry<'o>>,
    incidents: Vec<IncidentEntry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    calls: Vec<CallEntry>,
    rules: Rules,
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<Timing>,
}

/// Who the server says it is.
#[derive(Debug, Serialize)]
pub struct Server {
    name: Option<String>,
    version: Option<String>,
    revision: String,
    negotiated: Option<String>,
    era: Option<&'static str>,
    pages: usize,
}

/// One figure.
#[derive(Debug, Serialize)]
pub struct MeasureEntry {
    id: &'static str,
    title: &'static str,
    value: Value,
    unit: &'static str,
    text: &'static str,
    how: Vec<String>,
}

/// Sizes of one tool.
#[derive(Debug, Serialize)]
pub struct ToolEntry<'o> {
    name: &'o str,
    bytes: u64,
    chars: u64,
    utf16: u64,
    o200k: u64,
    cl100k: u64,
}

#[derive(Debug, Serialize)]
struct SubjectEntry<'o> {
    kind: &'static str,
    path: &'o [String],
}

#[derive(Debug, Serialize)]
struct FindingEntry<'o> {
    rule: &'o str,
    level: &'static str,
    severity: &'static str,
    subject: SubjectEntry<'o>,
    at: &'o str,
    message: &'o str,
    help: &'o str,
    facts: &'o Map<String, Value>,
    also: Vec<SubjectEntry<'o>>,
    group: String,
    host: Option<&'o Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hosts: Vec<HostEntry<'o>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    revisions: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<Value>,
    cites: Vec<String>,
    fingerprint: String,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'o str>,
}

/// What a chosen host makes of a finding.
#[derive(Debug, Serialize)]
struct HostEntry<'o> {
    host: &'o str,
    harm: &'static str,
    limit: Option<&'o Value>,
    source: &'o str,
    url: &'o str,
    date: &'o str,
    confidence: &'static str,
}

/// What stands between several targets.
#[derive(Debug, Serialize)]
struct AcrossEntry<'o> {
    tools: u64,
    tokens: u64,
    dearest: Option<Dearest<'o>>,
    findings: Vec<FindingEntry<'o>>,
}

#[derive(Debug, Serialize)]
struct Dearest<'o> {
    target: &'o str,
    tokens: u64,
}

#[derive(Debug, Serialize)]
struct StaleEntry {
    rule: String,
    subject: String,
    line: usize,
    ended: Option<String>,
}

/// Something that could not be checked.
#[derive(Debug, Serialize)]
pub struct IncidentEntry {
    stage: &'static str,
    cause: String,
    rules_unrun: Vec<String>,
}

/// A call that the user wanted, and what came of it.
#[derive(Debug, Serialize)]
struct CallEntry {
    tool: String,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

#[derive(Debug, Serialize)]
struct Rules {
    ran: Vec<String>,
    not_applicable: Vec<NotApplicable>,
    off: Vec<String>,
}

#[derive(Debug, Serialize)]
struct NotApplicable {
    rule: String,
    reason: &'static str,
}

/// Times of this one run; the only part that differs between two runs over the same server.
#[derive(Debug, Serialize)]
struct Timing {
    /// The first start.
    start_ms: u64,
    /// All of them.
    starts: Vec<StartEntry>,
}

/// A start of the process, in milliseconds, and whether it may have had to download first.
#[derive(Debug, Serialize)]
struct StartEntry {
    ms: u64,
    cold: bool,
}

#[derive(Debug, Serialize)]
struct Summary {
    error: usize,
    warn: usize,
    info: usize,
    allowed: usize,
    baselined: usize,
    stale: usize,
    incidents: usize,
    exit: u8,
}

impl<'o> HostEntry<'o> {
    fn of(effect: &'o Effect) -> Self {
        Self {
            host: &effect.host,
            harm: effect.harm.as_str(),
            limit: effect.limit.as_ref(),
            source: &effect.source,
            url: &effect.url,
            date: &effect.date,
            confidence: effect.confidence.as_str(),
        }
    }
}

/// The report of one run.
pub fn report<'o>(verdict: &'o Verdict, rules: &RuleSet) -> Report<'o> {
    let Counts { error, warn, info, allowed, incidents } = verdict.counts();
    Report {
        schema: SCHEMA,
        tool: env!("CARGO_PKG_VERSION"),
        targets: verdict.outcomes.iter().map(|outcome| target(outcome, rules)).collect(),
        across: verdict.across.as_ref().map(|all| across(all, rules)),
        stale: verdict.stale.iter().map(stale).collect(),
        summary: Summary {
            error,
            warn,
            info,
            allowed,
            baselined: 0,
            stale: verdict.stale.len(),
            incidents,
            exit: verdict.exit().code(),
        },
    }
}

fn target<'o>(outcome: &'o Outcome, rules: &RuleSet) -> Target<'o> {
    let source = Source::of(&outcome.surface, &outcome.words, outcome.file.as_deref());
    let not_applicable = outcome.not_applicable.iter();
    Target {
        name: &outcome.surface.target,
        server: server(&outcome.surface),
        revisions: outcome.revisions.iter().map(|revision| revision.as_str()).collect(),
        measures: outcome.measures.server.iter().map(|one| measure(one, &source)).collect(),
        tools: tools(&outcome.measures),
        findings: outcome.findings.iter().map(|judged| finding(judged, Some(outcome), rules)).collect(),
        incidents: incidents(&outcome.incidents, &outcome.unrun),
        calls: session::calls(&outcome.surface).into_iter().map(call).collect(),
        rules: Rules {
            ran: outcome.ran.clone(),
            not_applicable: not_applicable.map(|(rule, reason)| NotApplicable { rule: rule.clone(), reason }).collect(),
            off: outcome.off.clone(),
        },
        timing: timing(&outcome.surface.starts()),
    }
}

fn call(call: Called) -> CallEntry {
    CallEntry { tool: call.tool, outcome: call.outcome, text: call.text }
}

fn timing(starts: &[Start]) -> Option<Timing> {
    let entries = starts.iter().map(|start| StartEntry { ms: start.ms, cold: start.cold });
    Some(Timing { start_ms: starts.first()?.ms, starts: entries.collect() })
}

fn across<'o>(across: &'o Across, rules: &RuleSet) -> AcrossEntry<'o> {
    AcrossEntry {
        tools: across.tools,
        tokens: across.tokens,
        dearest: across.dearest.as_ref().map(|(target, tokens)| Dearest { target, tokens: *tokens }),
        findings: across.outcome.findings.iter().map(|judged| finding(judged, None, rules)).collect(),
    }
}

/// The server part of a target.
pub fn server(surface: &Surface) -> Server {
    Server {
        name: surface.server.name.clone(),
        version: surface.server.version.clone(),
        revision: surface.revision().as_str().to_owned(),
        negotiated: surface.negotiated.clone(),
        era: surface.era.map(crate::spec::revision::Era::as_str),
        pages: surface.pages.len(),
    }
}

/// One figure with its commands.
pub fn measure(measure: &Measure, source: &Source) -> MeasureEntry {
    MeasureEntry {
        id: measure.id,
        title: measure.title,
        value: measure.value.clone(),
        unit: measure.unit.as_str(),
        text: measure.method,
        how: source.commands(measure),
    }
}

/// The sizes of each tool.
pub fn tools(measures: &Measures) -> Vec<ToolEntry<'_>> {
    let sized = measures.tools.iter().map(|tool| (&tool.name, &tool.size));
    let entries = sized.map(|(name, size)| ToolEntry {
        name,
        bytes: size.bytes,
        chars: size.chars,
        utf16: size.utf16,
        o200k: size.o200k,
        cl100k: size.cl100k,
    });
    entries.collect()
}

fn subject(subject: &Subject) -> SubjectEntry<'_> {
    SubjectEntry { kind: subject.kind.as_str(), path: &subject.path }
}

fn finding<'o>(judged: &'o Judged, outcome: Option<&Outcome>, rules: &RuleSet) -> FindingEntry<'o> {
    let finding = &judged.finding;
    let rule = rules.get(&finding.rule);
    // Of a fault in a config file, which names its host, the pages about that one only.
    let of_file = finding.host().filter(|_| finding.hosts.is_empty());
    let by_rule = rule.into_iter().flat_map(|rule| rule.meta.cites_for(of_file).map(Cite::url));
    let cites = by_rule.chain(finding.hosts.iter().map(|effect| effect.url.clone())).collect();
    FindingEntry {
        rule: &finding.rule,
        level: finding.level.as_str(),
        severity: finding.severity.as_str(),
        subject: subject(&finding.subject),
        at: finding.anchor.at.as_str(),
        message: &finding.message,
        help: &finding.help,
        facts: &finding.facts,
        also: finding.also.iter().map(subject).collect(),
        group: finding.group(),
        host: finding.facts.get("host"),
        hosts: finding.hosts.iter().map(|effect| HostEntry::of(effect)).collect(),
        revisions: finding.revisions.iter().map(|revision| revision.as_str()).collect(),
        fix: outcome.and_then(|outcome| super::fix(finding, outcome, rules)),
        cites,
        fingerprint: finding.fingerprint(),
        state: if judged.allowed.is_some() { "allowed" } else { "new" },
        reason: judged.allowed.as_deref(),
    }
}

fn stale(stale: &Stale) -> StaleEntry {
    StaleEntry {
        rule: stale.rule.clone(),
        subject: stale.subject.clone(),
        line: stale.line,
        ended: stale.ended.map(|day| day.to_string()),
    }
}

/// What could not be checked. The rules that did not run are named once, with the first.
pub fn incidents(incidents: &[Incident], unrun: &[String]) -> Vec<IncidentEntry> {
    let entry = |(n, incident): (usize, &Incident)| IncidentEntry {
        stage: incident.stage.as_str(),
        cause: crate::text::safe::line(&incident.cause),
        rules_unrun: if n == 0 { unrun.to_vec() } else { Vec::new() },
    };
    incidents.iter().enumerate().map(entry).collect()
}
