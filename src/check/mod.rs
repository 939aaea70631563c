//! Rules times subjects: the findings.
//!
//! The one place that sees rules and surfaces together. What the user wants done with findings is `policy`'s.

use std::collections::{BTreeMap, BTreeSet};

use crate::finding::{Anchor, Finding, Incident, Level, Severity, Stage};
use crate::rule::{Body, Rule, RuleSet, Selector, Status};
use crate::spec::revision::Revision;
use crate::subject::Subject;
use crate::surface::{Tool, UNNAMED};
use crate::text::{safe, veil};

mod budget;
mod code;
mod complaint;
mod container;
pub mod context;
mod effort;
mod fold;
mod launch;
mod schema;
mod scripts;
pub mod settings;
mod starts;
mod steering;
mod strings;
mod text;
mod verbs;
mod words;

pub use context::{Context, Hit, On};
pub use schema::Validator;
pub use settings::Settings;

/// What the rules said about one surface.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The findings, sorted, each once.
    pub findings: Vec<Finding>,
    /// Ids of the rules that looked.
    pub ran: Vec<String>,
    /// Ids of the rules that had nothing to look at, and why.
    pub not_applicable: Vec<(String, &'static str)>,
    /// What was not looked at, or found and not kept, by the id of the rule.
    pub incidents: Vec<(String, Incident)>,
    /// Hits by rule.
    taken: BTreeMap<String, usize>,
    /// What each rule left out, and why: positions of tools.
    left_out: BTreeMap<(String, &'static str), BTreeSet<usize>>,
}

/// Findings of one rule that are kept. A hostile list could else cost a gigabyte of them.
const MOST_FINDINGS: usize = 50_000;

impl Checked {
    /// Keeps the hits of a rule, as many as there is room for, and what it left out.
    fn take(&mut self, rule: &Rule, hits: Vec<Hit>, cx: &Context<'_>) {
        for (why, tools) in cx.bounds.take_left_out() {
            self.left_out.entry((rule.meta.id.clone(), why)).or_default().extend(tools);
        }
        if hits.is_empty() {
            return;
        }
        let taken = self.taken.entry(rule.meta.id.clone()).or_default();
        let room = MOST_FINDINGS.saturating_sub(*taken);
        *taken += hits.len();
        self.findings.extend(hits.into_iter().take(room).map(|hit| finding(rule, hit, cx)));
    }

    fn say_what_was_left_out(&mut self, cx: &Context<'_>) {
        let mut say =
            |rule: &String, cause| self.incidents.push((rule.clone(), Incident { stage: Stage::Read, cause }));
        for (rule, taken) in self.taken.iter().filter(|(_, taken)| **taken > MOST_FINDINGS) {
            say(rule, format!("`{rule}` found {taken} faults; the report holds the first {MOST_FINDINGS}"));
        }
        for ((rule, why), tools) in &self.left_out {
            let first = tools.first().and_then(|tool| cx.surface.tools.get(*tool)).map_or(UNNAMED, Tool::label);
            let more = match tools.len() {
                0 | 1 => String::new(),
                many => format!(" and {} more", many - 1),
            };
            say(rule, format!("`{rule}` did not see all of {}{more}: {why}", safe::quoted(&safe::clip(first, 48))));
        }
    }
}

/// The names of the functions in `code/`, sorted, for the test that holds them against the rule files.
pub fn code_names() -> Vec<&'static str> {
    code::TABLE.iter().map(|(name, ..)| *name).collect()
}

/// A check that looks at one tool at a time.
enum Each<'r> {
    Schema(schema::Assertion<'r>),
    Text(text::Patterns),
    Code(fn(&Context<'_>) -> Vec<Hit>),
}

/// Runs every stable rule that applies.
pub fn run(rules: &RuleSet, cx: &Context<'_>) -> Checked {
    let mut checked = Checked::default();
    let revision = cx.surface.revision();
    let mut each = Vec::new();
    // A rule on config files has nothing to say of a server, nor the reverse.
    let of_kind = |rule: &&Rule| (rule.meta.on == Selector::Config) == cx.is_of_files();
    for rule in rules.iter().filter(of_kind) {
        if let Some(reason) = why_not(rule, revision, cx) {
            checked.not_applicable.push((rule.meta.id.clone(), reason));
            continue;
        }
        checked.ran.push(rule.meta.id.clone());
        let hits = match &rule.body {
            Body::Schema(asserts) => {
                each.push((rule, Each::Schema(schema::Assertion::new(rule, asserts, revision))));
                continue;
            }
            Body::Text { fields, must, must_not } => {
                each.push((rule, Each::Text(text::Patterns::new(fields, must, must_not))));
                continue;
            }
            Body::Budget(budgets) => budget::hits(budgets, cx),
            Body::Code => match code::find(&rule.meta.id) {
                Some((code::Reach::All, check)) => check(cx),
                Some((code::Reach::Each, check)) => {
                    each.push((rule, Each::Code(check)));
                    continue;
                }
                None => continue,
            },
        };
        checked.take(rule, hits, cx);
    }
    // Tools outside, rules inside: a large list goes through the caches once for all these rules.
    for window in cx.windows() {
        for (rule, check) in &each {
            let hits = match check {
                Each::Schema(assertion) => assertion.hits(&window),
                Each::Text(patterns) => patterns.hits(&window),
                Each::Code(check) => check(&window),
            };
            checked.take(rule, hits, cx);
        }
    }
    checked.say_what_was_left_out(cx);
    checked.findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    checked.findings.dedup();
    checked
}

/// Why a rule has nothing to look at here, if so.
fn why_not(rule: &Rule, revision: Revision, cx: &Context<'_>) -> Option<&'static str> {
    if rule.meta.status == Status::Preview {
        return Some("in preview");
    }
    if !rule.meta.specs.contains(revision) {
        return Some("for other revisions of MCP");
    }
    if rule.meta.on == Selector::Exchange && cx.surface.wire.is_none() {
        return Some("nothing came over a wire");
    }
    // A config file names its host by itself.
    if rule.meta.level == Level::Host && rule.meta.on != Selector::Config && cx.settings.hosts.is_empty() {
        return Some("for hosts, and `--hosts` names none");
    }
    match &rule.body {
        Body::Budget(budgets) if !budgets.iter().any(|budget| cx.settings.limit(&budget.limit).is_some()) => {
            Some("for budgets, and none is set")
        }
        _ => None,
    }
}

/// A hit without the credentials that a definition may hold: no report shows one, whichever rule quotes it.
fn veiled(mut hit: Hit) -> Hit {
    let owner = veil::owner(&hit.at);
    for value in hit.facts.values_mut() {
        mask(value, owner.as_deref());
    }
    hit
}

fn mask(value: &mut serde_json::Value, owner: Option<&str>) {
    match value {
        serde_json::Value::String(text) => {
            if let std::borrow::Cow::Owned(masked) = veil::masked(text, owner) {
                *text = masked;
            }
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(|item| mask(item, owner)),
        serde_json::Value::Object(members) => members.values_mut().for_each(|value| mask(value, owner)),
        _ => {}
    }
}

fn finding(rule: &Rule, hit: Hit, cx: &Context<'_>) -> Finding {
    let hit = if matches!(hit.on, On::Entry(..) | On::File(_)) { hit } else { veiled(hit) };
    let meta = &rule.meta;
    let tool = |index: usize| Subject::tool(cx.surface.tools.get(index).map_or(UNNAMED, Tool::label));
    let (subject, index) = match hit.on {
        On::Tool(index) => (tool(index), Some(index)),
        On::Server => (Subject::server(&cx.surface.target), None),
        On::Exchange => (Subject::exchange(&cx.surface.target), None),
        On::Entry(file, entry) => {
            let entry = cx.files().get(file).and_then(|file| file.entries.get(entry));
            (Subject::entry(entry.map_or(UNNAMED, |entry| &entry.name)), None)
        }
        On::File(file) => (Subject::file(cx.files().get(file).map_or(UNNAMED, |file| &file.path)), None),
    };
    let file = match hit.on {
        On::Entry(file, _) | On::File(file) => cx.files().get(file),
        On::Tool(_) | On::Server | On::Exchange => None,
    };
    let anchor = file.map_or_else(
        || Anchor { tool: index, at: hit.at.clone(), place: None },
        |file| Anchor::in_file(file.place(&hit.span)),
    );
    // Where the place of a file does not tell its host, nothing is said of a single one.
    let host = file.filter(|file| file.certain).map(|file| ("host".to_owned(), file.format.as_str().into()));
    let severity = if hit.weaker { meta.weaker.unwrap_or(Severity::Info) } else { meta.severity };
    let also: BTreeSet<Subject> = hit.also.iter().map(|index| tool(*index)).collect();
    Finding {
        rule: meta.id.clone(),
        level: meta.level,
        severity,
        message: filled(&meta.title, &hit),
        help: filled(&meta.help, &hit),
        evidence: hit.evidence(),
        also: also.into_iter().filter(|other| *other != subject).collect(),
        anchor,
        facts: hit.facts.into_iter().chain(host).collect(),
        subject,
    }
}

/// A title or help text with its `{fact}` placeholders filled from the hit.
fn filled(text: &str, hit: &Hit) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let fact = after.split_once('}').and_then(|(name, tail)| Some((name, hit.facts.get(name)?, tail)));
        if let Some((name, value, tail)) = fact {
            // Sentences of ours, which may quote some words.
            let most = if matches!(name, "cause" | "advice" | "problem") { 160 } else { 48 };
            out.push_str(&shown(value, most));
            rest = tail;
        } else {
            out.push('{');
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// A fact as a few words of a message.
fn shown(value: &serde_json::Value, most: usize) -> String {
    match value {
        serde_json::Value::String(text) => safe::clip(text, most).replace('`', "'"),
        serde_json::Value::Number(number) => number.as_u64().map_or_else(|| number.to_string(), safe::thousands),
        other => safe::clip(&other.to_string(), most),
    }
}
