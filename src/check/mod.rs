//! Rules times subjects: the findings.
//!
//! The one place that sees rules and surfaces together. What the user wants done with findings is `policy`'s.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use crate::finding::{Finding, Incident, Level, Stage};
use crate::measure::Measures;
use crate::rule::{Body, Check, Rule, RuleSet, Selector, Status};
use crate::spec::revision::Revision;
use crate::surface::{Surface, Tool, UNNAMED};
use crate::text::safe;

mod budget;
mod code;
mod complaint;
mod container;
pub mod context;
mod effects;
mod effort;
mod fold;
mod host_lists;
mod keywords;
mod launch;
mod lighter;
mod listed;
mod members;
mod mentions;
mod meta_key;
mod minded;
mod needs;
mod schema;
mod scripts;
pub mod settings;
mod shape;
mod starts;
mod steering;
mod strings;
mod synonyms;
mod text;
mod values;
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
    /// Time that each rule took.
    pub timings: BTreeMap<String, Duration>,
    /// Hits by rule.
    taken: BTreeMap<String, usize>,
    /// What each rule left out, and why: positions of tools.
    left_out: BTreeMap<(String, &'static str), BTreeSet<usize>>,
}

/// Findings of one rule that are kept. A hostile list could else cost a gigabyte of them.
const MOST_FINDINGS: usize = 50_000;

impl Checked {
    fn spent(&mut self, rule: &Rule, began: Instant) {
        if let Some(sum) = self.timings.get_mut(&rule.meta.id) {
            *sum += began.elapsed();
        } else {
            self.timings.insert(rule.meta.id.clone(), began.elapsed());
        }
    }

    /// Takes in what was said of the same surface under another revision: the same finding holds under both.
    fn join(&mut self, other: Self, index: &mut HashIndex) {
        for finding in other.findings {
            let key = (
                finding.subject.to_string(),
                finding.group(),
                finding.anchor.at.to_string(),
                finding.anchor.tool,
                finding.evidence.clone(),
            );
            if let Some(known) = index.get(&key).and_then(|n| self.findings.get_mut(*n)) {
                known.revisions.extend(finding.revisions);
            } else {
                index.insert(key, self.findings.len());
                self.findings.push(finding);
            }
        }
        let ran: BTreeSet<String> = self.ran.drain(..).chain(other.ran).collect();
        self.not_applicable.extend(other.not_applicable);
        let known: BTreeSet<(String, &'static str)> =
            self.not_applicable.drain(..).filter(|(id, _)| !ran.contains(id)).collect();
        let mut told = BTreeSet::new();
        self.not_applicable = known.into_iter().filter(|(id, _)| told.insert(id.clone())).collect();
        self.ran = ran.into_iter().collect();
        for incident in other.incidents {
            if !self.incidents.contains(&incident) {
                self.incidents.push(incident);
            }
        }
        for (rule, time) in other.timings {
            *self.timings.entry(rule).or_default() += time;
        }
    }

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
        let in_force = rule.meta.specs.contains(cx.surface.revision());
        let told = hits.into_iter().filter_map(|hit| minded::finding_of(rule, hit, in_force, cx));
        let mut over = 0;
        for (n, finding) in told.enumerate() {
            if n < room {
                self.findings.push(finding);
            }
            over = n + 1;
        }
        *taken += over;
    }

    /// Counts a rule that had nothing to look at no longer among those that looked. What found something did look,
    /// whatever was asked.
    fn take_back(&mut self, rules: &RuleSet, cx: &Context<'_>) {
        let unmet = |id: &String| needs::unmet(&rules.get(id)?.meta, cx).filter(|_| !self.taken.contains_key(id));
        let idle: Vec<(String, &'static str)> =
            self.ran.iter().filter_map(|id| Some((id.clone(), unmet(id)?))).collect();
        self.ran.retain(|id| !idle.iter().any(|(idle, _)| idle == id));
        self.not_applicable.extend(idle);
        self.not_applicable.sort();
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

/// Whether the check of a rule file can be run.
///
/// # Errors
///
/// Why it cannot, in the words of the library that refuses it.
pub fn compiles(check: Check<'_>) -> Result<(), String> {
    match check {
        Check::Schema(schema) => Validator::new(schema).map(drop),
        Check::Pattern(pattern) => text::compiled(pattern).map(drop).map_err(|error| error.to_string()),
    }
}

/// A check that looks at one tool at a time.
enum Each<'r> {
    Schema(schema::Assertion<'r>),
    Text(text::Patterns),
    Code(fn(&Context<'_>) -> Vec<Hit>),
}

/// Where a finding stands among those that were joined.
type HashIndex = BTreeMap<(String, String, String, Option<usize>, String), usize>;

/// Runs every stable rule under each of these revisions; each finding says under which it holds.
pub fn run_under(
    revisions: &[Revision],
    rules: &RuleSet,
    surface: &Surface,
    measures: &Measures,
    settings: &Settings,
) -> Checked {
    let (mut all, mut index) = (Checked::default(), HashIndex::new());
    for revision in revisions {
        let mut judged = surface.clone();
        judged.judged_by = Some(*revision);
        let mut checked = run(rules, &Context::new(&judged, measures, settings));
        for finding in &mut checked.findings {
            finding.revisions.push(*revision);
        }
        all.join(checked, &mut index);
    }
    for finding in all.findings.iter_mut().filter(|finding| finding.revisions.len() < revisions.len()) {
        let told = told_of(&finding.revisions);
        finding.message.push_str(&format!(" ({told})"));
    }
    all.findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    all
}

/// Revisions in words: one, or the first and the last where all between are there, else each.
fn told_of(revisions: &[Revision]) -> String {
    let position = |one: &Revision| Revision::ALL.iter().position(|known| known == one);
    match (revisions.first(), revisions.last()) {
        (Some(first), Some(last)) if first == last => first.to_string(),
        (Some(first), Some(last))
            if position(last).zip(position(first)).is_some_and(|(b, a)| b - a + 1 == revisions.len()) =>
        {
            format!("{first} to {last}")
        }
        _ => revisions.iter().map(|one| one.as_str()).collect::<Vec<_>>().join(", "),
    }
}

/// Runs every stable rule that applies.
pub fn run(rules: &RuleSet, cx: &Context<'_>) -> Checked {
    let mut checked = Checked::default();
    let revision = cx.surface.revision();
    let mut each = Vec::new();
    // A rule on config files has nothing to say of a server, nor the reverse; and of several servers together only
    // those that are made for it.
    let of_kind = |rule: &&Rule| match rule.meta.on {
        Selector::Config => cx.is_of_files(),
        Selector::Targets => !cx.is_of_files(),
        _ => !cx.is_of_files() && !cx.is_across(),
    };
    for rule in rules.iter().filter(of_kind) {
        if let Some(reason) = why_not(rule, revision, cx) {
            checked.not_applicable.push((rule.meta.id.clone(), reason));
            continue;
        }
        checked.ran.push(rule.meta.id.clone());
        let began = Instant::now();
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
            Body::None => continue,
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
        checked.spent(rule, began);
    }
    // Tools outside, rules inside: a large list goes through the caches once for all these rules.
    for window in cx.windows() {
        for (rule, check) in &each {
            let began = Instant::now();
            let hits = match check {
                Each::Schema(assertion) => assertion.hits(&window),
                Each::Text(patterns) => patterns.hits(&window),
                Each::Code(check) => check(&window),
            };
            checked.take(rule, hits, cx);
            checked.spent(rule, began);
        }
    }
    checked.take_back(rules, cx);
    checked.say_what_was_left_out(cx);
    checked.findings.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
    checked.findings.dedup();
    checked
}

/// Why a rule has nothing to look at here, if so.
fn why_not(rule: &Rule, revision: Revision, cx: &Context<'_>) -> Option<&'static str> {
    match rule.meta.status {
        Status::Preview => return Some("in preview"),
        Status::Planned => return Some("planned and not checked yet"),
        Status::Stable => {}
    }
    let is_minded = cx.limits(&rule.meta.id).next().is_some();
    if !rule.meta.specs.contains(revision) && !is_minded {
        return Some("of other revisions of MCP");
    }
    // A config file names its host by itself.
    if rule.meta.level == Level::Host && rule.meta.on != Selector::Config && !is_minded {
        let none = cx.settings.hosts.is_empty();
        return Some(if none { "without `--hosts`" } else { "of other hosts" });
    }
    match &rule.body {
        Body::Budget(budgets) if !budgets.iter().any(|budget| cx.settings.limit(&budget.limit).is_some()) => {
            Some("without a budget")
        }
        _ => None,
    }
}
