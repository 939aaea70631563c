//! What becomes of each tool in each chosen host.

use std::collections::BTreeMap;

use super::Outcome;
use crate::finding::{Confidence, Finding, Harm, Severity};
use crate::rule::Host;
use crate::subject::Kind;

/// What a host makes of a tool. Order is from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// The tool loads as it is.
    Loads,
    /// The model sees something else than the server shows.
    Altered,
    /// The tool is left out, turned down in review, or fails when it is called.
    Lost,
    /// All tools of the server are gone because of this one.
    KillsServer,
    /// Every request of the user fails because of this one.
    KillsRequest,
}

impl Fate {
    /// All, from best to worst.
    pub const ALL: [Self; 5] = [Self::Loads, Self::Altered, Self::Lost, Self::KillsServer, Self::KillsRequest];

    /// The words in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Loads => "loads",
            Self::Altered => "altered",
            Self::Lost => "lost",
            Self::KillsServer => "kills the server",
            Self::KillsRequest => "kills the request",
        }
    }

    fn of(harm: Harm) -> Self {
        match harm {
            Harm::Note | Harm::Warns => Self::Loads,
            Harm::Degrades | Harm::Altered => Self::Altered,
            Harm::ReviewFails | Harm::CallFails | Harm::ToolLost => Self::Lost,
            Harm::ServerLost => Self::KillsServer,
            Harm::RequestFails => Self::KillsRequest,
        }
    }
}

/// Why a host does not load a tool as it is.
#[derive(Clone, Debug)]
pub struct Reason<'o> {
    /// What becomes of it.
    pub fate: Fate,
    /// How sure that is.
    pub confidence: Confidence,
    /// The finding that says so.
    pub finding: &'o Finding,
}

/// What becomes of the tools of one target in one host.
#[derive(Clone, Debug)]
pub struct Fates<'o> {
    /// The host.
    pub host: &'o Host,
    /// What the server as a whole suffers from, the worst first.
    pub server: Vec<Reason<'o>>,
    /// By tool what it suffers from, the worst first; a tool that loads is not there.
    pub tools: BTreeMap<&'o str, Vec<Reason<'o>>>,
}

impl Fates<'_> {
    /// What becomes of this tool, by itself.
    pub fn of_tool(&self, name: &str) -> Fate {
        self.tools.get(name).and_then(|reasons| reasons.first()).map_or(Fate::Loads, |worst| worst.fate)
    }

    /// The worst that happens.
    pub fn worst(&self) -> Fate {
        let firsts = self.tools.values().chain([&self.server]).filter_map(|reasons| reasons.first());
        firsts.map(|worst| worst.fate).max().unwrap_or(Fate::Loads)
    }
}

/// What becomes of the tools of a target in each of the hosts. Allowed findings count too: a host knows nothing of it.
pub fn fates<'o>(outcome: &'o Outcome, hosts: &'o [Host]) -> Vec<Fates<'o>> {
    hosts.iter().map(|host| of_host(outcome, host)).collect()
}

fn of_host<'o>(outcome: &'o Outcome, host: &'o Host) -> Fates<'o> {
    let mut fates = Fates { host, server: Vec::new(), tools: BTreeMap::new() };
    // What a rule is not sure of stays information, and changes no fate.
    let sure = outcome.findings.iter().map(|judged| &judged.finding).filter(|one| one.severity > Severity::Info);
    for finding in sure {
        for effect in finding.hosts.iter().filter(|effect| effect.host == host.id) {
            let reason = Reason { fate: Fate::of(effect.harm), confidence: effect.confidence, finding };
            if reason.fate == Fate::Loads {
                continue;
            }
            if finding.subject.kind != Kind::Tool {
                fates.server.push(reason);
                continue;
            }
            let subjects = std::iter::once(&finding.subject).chain(&finding.also);
            for name in subjects.filter_map(|subject| subject.path.first()) {
                fates.tools.entry(name).or_default().push(reason.clone());
            }
        }
    }
    for reasons in fates.tools.values_mut().chain([&mut fates.server]) {
        reasons.sort_by_key(|reason| std::cmp::Reverse((reason.fate, reason.confidence)));
    }
    fates
}
