//! What the user decided: which findings count, which are allowed, when a run fails.

use crate::check::Checked;
use crate::exit::Exit;
use crate::finding::{Finding, Incident, Severity, Stage};
use crate::measure::Measures;
use crate::surface::Surface;

pub mod allow;
pub mod config;

pub use allow::{Allow, Day, Stale};
pub use config::{Config, FailOn, SeverityWord};

/// Everything that a report can say about one target.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The words that point at the target, as one would type them.
    pub words: Vec<String>,
    /// The file that the target is, if it is one.
    pub file: Option<String>,
    /// What the server shows.
    pub surface: Surface,
    /// Its figures.
    pub measures: Measures,
    /// The findings that count and those that are allowed, sorted.
    pub findings: Vec<Judged>,
    /// What could not be checked.
    pub incidents: Vec<Incident>,
    /// Rules that looked.
    pub ran: Vec<String>,
    /// Rules that had nothing to look at, and why.
    pub not_applicable: Vec<(String, &'static str)>,
    /// Rules that did not run because of an incident.
    pub unrun: Vec<String>,
    /// Rules that the user switched off.
    pub off: Vec<String>,
    /// Allow entries that allow nothing (any more).
    pub stale: Vec<Stale>,
    /// How the run ends.
    pub exit: Exit,
    /// The last lines of the server's stderr; shown on failure only.
    pub stderr: Vec<String>,
}

/// A finding and what the user decided about it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The finding, with the severity that the user set.
    pub finding: Finding,
    /// The reason why it is allowed; none when it counts.
    pub allowed: Option<String>,
}

/// What was found, before anybody decides.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The words that point at the target.
    pub words: Vec<String>,
    /// The file that the target is, if it is one.
    pub file: Option<String>,
    /// What the server shows.
    pub surface: Surface,
    /// Its figures.
    pub measures: Measures,
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
    let Examined { words, file, surface, measures, checked, stderr } = examined;
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
    let mut incidents = incidents(&surface, decisions.allow_empty);
    incidents.extend(checked.incidents);
    let off = |id: &String| matches!(config.severity_of(id), Some(SeverityWord::Off));
    let (off, ran): (Vec<String>, Vec<String>) = checked.ran.into_iter().partition(off);
    // Without a single tool no rule had anything to look at, whatever ran.
    let blind = surface.tools.is_empty() && !incidents.is_empty();
    // A rule that found something on the wire did look.
    let found = |id: &String| findings.iter().any(|judged| judged.finding.rule == *id);
    let (unrun, ran): (Vec<String>, Vec<String>) = ran.into_iter().partition(|id| blind && !found(id));
    // An allow entry can only be called stale by a run that looked everywhere, its rule included.
    let mut stale = if incidents.is_empty() { allow::stale(&config.allow, &uses, decisions.today) } else { Vec::new() };
    stale.retain(|stale| stale.ended.is_some() || ran.contains(&stale.rule));
    let exit = exit(&findings, &incidents, decisions.fail_on);
    Outcome {
        words,
        file,
        surface,
        measures,
        findings,
        incidents,
        ran,
        not_applicable: checked.not_applicable,
        unrun,
        off,
        stale,
        exit,
        stderr,
    }
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

    /// How many findings of a severity count.
    pub fn count(&self, severity: Severity) -> usize {
        self.counted().filter(|finding| finding.severity == severity).count()
    }

    /// How many findings are allowed.
    pub fn allowed(&self) -> usize {
        self.findings.iter().filter(|judged| judged.allowed.is_some()).count()
    }
}
