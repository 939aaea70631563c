//! What the user decided: which findings count, which are allowed, when a run fails.
//!
//! One target has an [`Outcome`]; all of a run are a [`Verdict`].

use std::time::Duration;

use crate::check::Checked;
use crate::exit::Exit;
use crate::finding::{Finding, Incident, Severity, Stage};
use crate::measure::Measures;
use crate::rule::Host;
use crate::spec::revision::Revision;
use crate::surface::Surface;

pub mod across;
pub mod allow;
pub mod config;
pub mod fate;
mod gate;
mod reader;
pub mod targets;

pub use across::Across;
pub use allow::{Allow, Day, Stale};
pub use config::{Config, SeverityWord};
pub use gate::FailOn;
pub use targets::Entry;

/// Everything that a report can say about one target.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The words that point at the target, as one would type them.
    pub words: Vec<String>,
    /// The file that the target is, if it is one.
    pub file: Option<String>,
    /// Whether it is config files of hosts, and no server.
    pub is_config: bool,
    /// What the server shows.
    pub surface: Surface,
    /// Its figures.
    pub measures: Measures,
    /// The findings that count and those that are allowed, sorted.
    pub findings: Vec<Judged>,
    /// What could not be checked.
    pub incidents: Vec<Incident>,
    /// The revisions that it was judged by, when there were several.
    pub revisions: Vec<Revision>,
    /// Rules that looked.
    pub ran: Vec<String>,
    /// Rules that had nothing to look at, and why.
    pub not_applicable: Vec<(String, &'static str)>,
    /// Rules that did not run because of an incident.
    pub unrun: Vec<String>,
    /// Rules that the user switched off.
    pub off: Vec<String>,
    /// How a run with this target alone ends.
    pub exit: Exit,
    /// How many findings each entry of [`Config::allow`] covers, in its order.
    uses: Vec<usize>,
    /// The last lines of the server's stderr; shown on failure only.
    pub stderr: Vec<String>,
}

/// All that a report can say about one run.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The targets in the order given; at least one.
    pub outcomes: Vec<Outcome>,
    /// What stands between them; none when there is only one.
    pub across: Option<Across>,
    /// Allow entries that allow nothing (any more) in any target.
    pub stale: Vec<Stale>,
    /// The hosts that were judged by.
    pub hosts: Vec<Host>,
}

/// How much was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Errors that count.
    pub error: usize,
    /// Warnings that count.
    pub warn: usize,
    /// Pieces of information that count.
    pub info: usize,
    /// Allowed findings.
    pub allowed: usize,
    /// Incidents.
    pub incidents: usize,
}

/// A finding and what the user decided about it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The finding, with the severity that the user set.
    pub finding: Finding,
    /// The reason why it is allowed; none when it counts.
    pub allowed: Option<String>,
}

/// How long the parts of a run took that are no rules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Reading the file, or asking the server.
    pub reading: Duration,
    /// Measuring.
    pub measuring: Duration,
}

/// What was found, before anybody decides.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The words that point at the target.
    pub words: Vec<String>,
    /// The file that the target is, if it is one.
    pub file: Option<String>,
    /// Whether it is config files of hosts, and no server.
    pub is_config: bool,
    /// What the server shows.
    pub surface: Surface,
    /// Its figures.
    pub measures: Measures,
    /// How long it took to come so far.
    pub times: Times,
    /// What the rules said.
    pub checked: Checked,
    /// The last lines of the server's stderr.
    pub stderr: Vec<String>,
}

/// The decisions that hold for one target.
#[derive(Clone, Debug)]
pub struct Decisions<'c> {
    /// The settings.
    pub config: &'c Config,
    /// The lowest severity that fails the run.
    pub fail_on: FailOn,
    /// Whether an empty list is fine.
    pub allow_empty: bool,
    /// Today, for allow entries with an end.
    pub today: Day,
}

/// Applies the decisions.
pub fn judge(examined: Examined, decisions: &Decisions<'_>) -> Outcome {
    let Examined { words, file, is_config, surface, measures, checked, stderr, .. } = examined;
    let config = decisions.config;
    let mut uses = vec![0_usize; config.allow.len()];
    let mut findings = Vec::new();
    for mut finding in checked.findings {
        match config.severity_of(&finding.rule) {
            Some(SeverityWord::Off) => continue,
            Some(SeverityWord::Is(severity)) => finding.severity = severity,
            None => {}
        }
        let mut allowed = None;
        for (allow, count) in config.allow.iter().zip(&mut uses) {
            if allow.covers(&finding, decisions.today) {
                *count += 1;
                allowed = allowed.or_else(|| Some(allow.reason.clone()));
            }
        }
        findings.push(Judged { finding, allowed });
    }
    // A config file has no tools of its own, and its rules looked all the same.
    let mut incidents = incidents(&surface, decisions.allow_empty || is_config);
    let off = |id: &String| matches!(config.severity_of(id), Some(SeverityWord::Off));
    incidents.extend(checked.incidents.into_iter().filter(|(rule, _)| !off(rule)).map(|(_, incident)| incident));
    let (off, ran): (Vec<String>, Vec<String>) = checked.ran.into_iter().partition(off);
    // Without a single tool no rule had anything to look at, whatever ran, and no figure is one.
    let nothing_seen = surface.tools.is_empty() && !incidents.is_empty();
    let blind = nothing_seen && !is_config;
    let measures = if nothing_seen || is_config { Measures::default() } else { measures };
    // A rule that found something on the wire did look.
    let found = |id: &String| findings.iter().any(|judged| judged.finding.rule == *id);
    let (unrun, ran): (Vec<String>, Vec<String>) = ran.into_iter().partition(|id| blind && !found(id));
    let exit = exit(&findings, &incidents, decisions.fail_on);
    Outcome {
        words,
        file,
        is_config,
        surface,
        measures,
        findings,
        incidents,
        revisions: config.checks.revisions.clone(),
        ran,
        not_applicable: checked.not_applicable,
        unrun,
        off,
        exit,
        uses,
        stderr,
    }
}

impl Verdict {
    /// Puts the outcomes of one run together, and what was said of all servers together where there are several.
    pub fn of(outcomes: Vec<Outcome>, between: Option<Outcome>, config: &Config, today: Day) -> Self {
        let across = between.map(|between| Across::of(&outcomes, between));
        let all = outcomes.iter().chain(across.iter().map(|across| &across.outcome));
        let stale = stale(&all.collect::<Vec<_>>(), config, today);
        Self { outcomes, across, stale, hosts: config.checks.hosts.clone() }
    }

    /// All outcomes: of each target, then of all together.
    pub fn all(&self) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().chain(self.across.iter().map(|across| &across.outcome))
    }

    /// How the run ends: the highest code of all targets.
    pub fn exit(&self) -> Exit {
        self.all().map(|outcome| outcome.exit).max().unwrap_or(Exit::Incomplete)
    }

    /// How much was found in all targets together.
    pub fn counts(&self) -> Counts {
        self.all().map(Outcome::counts).fold(Counts::default(), |a, b| Counts {
            error: a.error + b.error,
            warn: a.warn + b.warn,
            info: a.info + b.info,
            allowed: a.allowed + b.allowed,
            incidents: a.incidents + b.incidents,
        })
    }
}

/// The allow entries that allow nothing in any target. Only a run that looked everywhere can say so, and only of rules
/// that it ran.
fn stale(outcomes: &[&Outcome], config: &Config, today: Day) -> Vec<Stale> {
    if outcomes.iter().any(|outcome| !outcome.incidents.is_empty()) {
        return Vec::new();
    }
    let mut uses = vec![0; config.allow.len()];
    for outcome in outcomes {
        uses.iter_mut().zip(&outcome.uses).for_each(|(all, here)| *all += here);
    }
    let mut stale = allow::stale(&config.allow, &uses, today);
    // What is for a target that this run left out could not be used in it.
    let here = |name: &str| outcomes.iter().any(|outcome| outcome.surface.target == name);
    let is_partial = config.targets.keys().any(|name| !here(name));
    stale.retain(|stale| stale.ended.is_some() || !is_partial);
    stale.retain(|stale| stale.ended.is_some() || outcomes.iter().any(|outcome| outcome.ran.contains(&stale.rule)));
    stale
}

/// What could not be checked. No tools seen is one: an empty list is legal, but seldom meant.
pub fn incidents(surface: &Surface, allow_empty: bool) -> Vec<Incident> {
    let mut incidents = surface.incidents.clone();
    if surface.tools.is_empty() && incidents.is_empty() && !allow_empty {
        let cause = "no tools were seen; set `allow-empty = true` for this target if that is meant".to_owned();
        incidents.push(Incident { stage: Stage::List, cause });
    }
    incidents
}

fn exit(findings: &[Judged], incidents: &[Incident], fail_on: FailOn) -> Exit {
    if !incidents.is_empty() {
        return Exit::Incomplete;
    }
    let counts = |judged: &Judged| judged.allowed.is_none() && fail_on.holds(judged.finding.severity);
    if findings.iter().any(counts) { Exit::Findings } else { Exit::Clean }
}

impl Outcome {
    /// The findings that count, not the allowed ones.
    pub fn counted(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|judged| judged.allowed.is_none()).map(|judged| &judged.finding)
    }

    /// How much was found.
    pub fn counts(&self) -> Counts {
        let count = |severity| self.counted().filter(|finding| finding.severity == severity).count();
        Counts {
            error: count(Severity::Error),
            warn: count(Severity::Warn),
            info: count(Severity::Info),
            allowed: self.findings.iter().filter(|judged| judged.allowed.is_some()).count(),
            incidents: self.incidents.len(),
        }
    }
}
