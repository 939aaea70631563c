//! What a check says: findings about the audited thing, incidents about what could not be checked.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::spec::revision::Revision;
use crate::subject::{Kind, Subject};
use crate::text::{digest, pointer::Pointer};

/// How much harm. Order is from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Likely to do harm.
    Warn,
    /// Breaks a MUST, loses tools or requests in known hosts, or breaks what the user declared.
    Error,
}

impl Severity {
    /// The word in reports and settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

/// Who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The specification.
    Spec,
    /// A named host.
    Host,
    /// Vendor guidance or craft.
    Advice,
}

impl Level {
    /// The word in reports and rule files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::Host => "host",
            Self::Advice => "advice",
        }
    }
}

/// What a host does with a fault. Order is from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Harm {
    /// It behaves otherwise; nothing is lost.
    Note,
    /// It warns its user.
    Warns,
    /// It serves the tool worse.
    Degrades,
    /// It changes what the model sees, without a word.
    Altered,
    /// Its directory turns the server down.
    ReviewFails,
    /// Calls of the tool fail.
    CallFails,
    /// It leaves the tool out.
    ToolLost,
    /// It loses every tool of the server.
    ServerLost,
    /// Every request of the user fails while the server is enabled.
    RequestFails,
}

impl Harm {
    /// All, from least to most.
    pub const ALL: [Self; 9] = [
        Self::Note,
        Self::Warns,
        Self::Degrades,
        Self::Altered,
        Self::ReviewFails,
        Self::CallFails,
        Self::ToolLost,
        Self::ServerLost,
        Self::RequestFails,
    ];

    /// The word in profiles and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warns => "warns",
            Self::Degrades => "degrades",
            Self::Altered => "altered",
            Self::ReviewFails => "review-fails",
            Self::CallFails => "call-fails",
            Self::ToolLost => "tool-lost",
            Self::ServerLost => "server-lost",
            Self::RequestFails => "request-fails",
        }
    }

    /// What is done, at home before the names of the hosts that do it.
    pub fn told(self) -> &'static str {
        match self {
            Self::Note => "noticed by",
            Self::Warns => "warned of by",
            Self::Degrades => "served worse by",
            Self::Altered => "changed silently by",
            Self::ReviewFails => "turned down in review by",
            Self::CallFails => "calls fail in",
            Self::ToolLost => "left out by",
            Self::ServerLost => "all tools of the server are lost in",
            Self::RequestFails => "the whole request is refused by",
        }
    }
}

/// How sure it is what a host does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Hearsay.
    Low,
    /// One good report.
    Medium,
    /// Several reports, the source or the maker's documentation.
    High,
}

impl Confidence {
    /// The word in profiles and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }
}

/// What one host makes of a fault, and who says so.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The id of the host's profile.
    pub host: String,
    /// What the host is called.
    pub title: String,
    /// What it does.
    pub harm: Harm,
    /// Its limit, where it draws a line of its own.
    pub limit: Option<Value>,
    /// Who says so, in a few words.
    pub source: String,
    /// Where that can be read.
    pub url: String,
    /// The day it was true.
    pub date: String,
    /// How sure it is.
    pub confidence: Confidence,
}

impl Effect {
    /// What is lost is an error, when it is known well; the rest of the harm a warning.
    pub fn severity(&self) -> Severity {
        match self.harm {
            Harm::Note => Severity::Info,
            Harm::Warns | Harm::Degrades | Harm::Altered => Severity::Warn,
            _ if self.confidence == Confidence::High => Severity::Error,
            _ => Severity::Warn,
        }
    }
}

/// Where a finding stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Anchor {
    /// Position of the tool in the merged list, to find its node; names may be doubled.
    pub tool: Option<usize>,
    /// Pointer into the tool object; `path:line:column` for what stands in a file; else nothing.
    pub at: Pointer,
    /// The place in a file, with the lines to show.
    pub place: Option<Place>,
}

/// A place in a file, with its lines made fit to be shown: what may be secret is masked in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file's path, with forward slashes.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The number of the first line that is shown.
    pub first_line: usize,
    /// The lines around the place, long ones cut.
    pub shown: Vec<String>,
    /// The characters of the shown line `line` that the finding is about.
    pub label: std::ops::Range<usize>,
}

impl Anchor {
    /// A place in a file.
    pub fn in_file(place: Place) -> Self {
        let at = Pointer::from_text(format!("{}:{}:{}", place.file, place.line, place.column));
        Self { tool: None, at, place: Some(place) }
    }
}

/// One fault of the audited thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule's id.
    pub rule: String,
    /// Who says so.
    pub level: Level,
    /// How much harm.
    pub severity: Severity,
    /// What it stands on.
    pub subject: Subject,
    /// Where.
    pub anchor: Anchor,
    /// What is wrong, lower-case start, no full stop, at home behind the subject.
    pub message: String,
    /// What to do, an imperative.
    pub help: String,
    /// Measured figures and names, under the words of the case format.
    pub facts: Map<String, Value>,
    /// Other subjects of the same finding, when it stands between several.
    pub also: Vec<Subject>,
    /// What the rule saw, stable text for the fingerprint.
    pub evidence: String,
    /// The chosen hosts that mind it, the worst first.
    pub hosts: Vec<Arc<Effect>>,
    /// The revisions under which it holds, when it was judged by several.
    pub revisions: Vec<Revision>,
}

impl Finding {
    /// The id of the host that it is about, if it is about one alone.
    pub fn host(&self) -> Option<&str> {
        self.facts.get("host").and_then(Value::as_str)
    }

    /// What findings of one cause have in common: the rule, the severity, and the hosts that mind it.
    pub fn group(&self) -> String {
        let ids: Vec<&str> = self.hosts.iter().map(|effect| effect.host.as_str()).collect();
        let hosts = if ids.is_empty() { String::new() } else { format!(":{}", digest::short(&ids)) };
        format!("{}:{}{hosts}", self.rule, self.severity.as_str())
    }

    /// 16 hex digits over rule, subject by name, place and evidence: no position in the list, no severity, no version.
    /// A server has no name here: it is called by how one happens to reach it. Neither has a line of a file: it moves
    /// with every line above it.
    pub fn fingerprint(&self) -> String {
        let named = matches!(self.subject.kind, Kind::Tool | Kind::Entry | Kind::File);
        let name = if named { self.subject.name() } else { String::new() };
        let at = if self.anchor.place.is_some() { "" } else { self.anchor.at.as_str() };
        digest::short(&[&self.rule, self.subject.kind.as_str(), &name, at, &self.evidence])
    }

    /// The order of findings in every report: subject, rule, place, then evidence.
    pub fn sort_key(&self) -> (&Subject, &str, &str, Option<usize>, &str) {
        (&self.subject, &self.rule, self.anchor.at.as_str(), self.anchor.tool, &self.evidence)
    }
}

/// Something that could not be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    /// When it happened.
    pub stage: Stage,
    /// What happened, with the place and the way out.
    pub cause: String,
}

/// The stages of an audit in which an incident can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Starting the server's process.
    Start,
    /// The opening of the session.
    Open,
    /// Listing the tools.
    List,
    /// Asking for what must be refused.
    Probe,
    /// Calling a tool, as the user told us to.
    Call,
    /// Reading what came.
    Read,
}

impl Stage {
    /// All stages, in the order of a run.
    pub const ALL: [Self; 6] = [Self::Start, Self::Open, Self::List, Self::Probe, Self::Call, Self::Read];

    /// The word in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Open => "open",
            Self::List => "list",
            Self::Probe => "probe",
            Self::Call => "call",
            Self::Read => "read",
        }
    }
}
