//! The head of a rule file.

use serde::Deserialize;

use super::fix::Fix;
use crate::finding::{Level, Severity};
use crate::spec::revision::Revisions;

/// The fenced `toml` block that opens a rule file. Every key is explained in `rules/README.md`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meta {
    /// The id; the file's name.
    pub id: String,
    /// What the subject does wrong, with `{fact}` placeholders.
    pub title: String,
    /// Who says so.
    pub level: Level,
    /// The usual severity.
    pub severity: Severity,
    /// The severity of a case that is less certain.
    #[serde(default)]
    pub weaker: Option<Severity>,
    /// The highest severity that a chosen host gives it, when it is not sure that the host is hit.
    #[serde(default)]
    pub hosts_at_most: Option<Severity>,
    /// Why the severity is above what the citation alone allows.
    #[serde(default)]
    pub harm: Option<String>,
    /// Whether it runs by default.
    pub status: Status,
    /// The release that brought it.
    pub since: String,
    /// The revisions that it applies to.
    #[serde(default, deserialize_with = "revisions")]
    pub specs: Revisions,
    /// What it is evaluated on.
    pub on: Selector,
    /// What must have been asked for it to see anything.
    #[serde(default)]
    pub needs: Option<Need>,
    /// Where a finding stands below the subject's node, instead of at the innermost node at fault.
    #[serde(default)]
    pub anchor: Option<String>,
    /// Whether it can be wrong.
    #[serde(default)]
    pub heuristic: bool,
    /// What to do.
    pub help: String,
    /// The fix, where it needs no thought.
    #[serde(default)]
    pub fix: Option<Fix>,
    /// Earlier ids.
    #[serde(default)]
    pub renamed_from: Vec<String>,
    /// The sources.
    pub cites: Vec<Cite>,
    /// Of a text check: where the text stands, as pointers below the node.
    #[serde(default)]
    pub fields: Vec<String>,
    /// Of a budget check: the measures and their limits.
    #[serde(default)]
    pub budget: Vec<Budget>,
    /// Whether the check is a function in `src/check/code/`.
    #[serde(default)]
    pub code: bool,
}

/// Whether a rule runs without being asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Off unless asked for.
    Preview,
    /// Told, but not checked yet.
    Planned,
    /// On.
    Stable,
}

impl Status {
    /// The word in rule files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Preview => "preview",
            Self::Planned => "planned",
            Self::Stable => "stable",
        }
    }
}

/// What must have been asked, beyond a list, for a rule to see anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Need {
    /// What the server declared when the session was opened.
    Capabilities,
    /// A session with the server, live or from a capture.
    Wire,
    /// The same over HTTP.
    Http,
    /// The list more than once.
    Walks,
    /// What must be refused.
    Probe,
    /// A call of a tool.
    Calls,
}

impl Need {
    /// Why a rule did not look, in a report.
    pub fn unmet(self) -> &'static str {
        match self {
            Self::Capabilities => "without the opening of the session",
            Self::Wire => "without a session",
            Self::Http => "without HTTP",
            Self::Walks => "without `--stability`",
            Self::Probe => "without `--probe`",
            Self::Calls => "without `--calls`",
        }
    }

    /// How to have it looked at.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Capabilities => "It looks where the opening of the session is known: a live server or a capture.",
            Self::Wire => "It looks at a live server or a capture, not at a bare list.",
            Self::Http => "It looks at a live server behind an address, or a capture of one.",
            Self::Walks => "It looks where the list was read more than once: `--stability`, or `--repeat TIMES`.",
            Self::Probe => "It looks where the server was asked for what must be refused: `--probe`.",
            Self::Calls => "It looks where tools were called: `--calls FILE`.",
        }
    }
}

/// What a rule is evaluated on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selector {
    /// The server as a whole.
    Server,
    /// The wire.
    Exchange,
    /// Each tool.
    Tool,
    /// Each input schema that is an object.
    InputSchema,
    /// Each output schema, whatever it is.
    OutputSchema,
    /// Every schema inside an input schema, itself included.
    InputNode,
    /// The same for input and output schemas.
    SchemaNode,
    /// Every named property of an input schema, at any depth.
    Param,
    /// Each `annotations`.
    Annotations,
    /// Config files of hosts, all that are looked at together.
    Config,
    /// The servers that one host shows together, also a single one.
    Targets,
}

impl Selector {
    /// The word in rule files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Exchange => "exchange",
            Self::Tool => "tool",
            Self::InputSchema => "input-schema",
            Self::OutputSchema => "output-schema",
            Self::InputNode => "input-node",
            Self::SchemaNode => "schema-node",
            Self::Param => "param",
            Self::Annotations => "annotations",
            Self::Config => "config",
            Self::Targets => "targets",
        }
    }
}

/// A source of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(
    untagged,
    expecting = "a cite has `spec`, `page`, `section` and `keyword`, or `title`, `url` and `read`, all of them quoted text, and maybe a list `hosts`"
)]
pub enum Cite {
    /// A heading of a revision of the specification.
    Spec(SpecCite),
    /// Another public page.
    Page(PageCite),
}

/// A heading of the specification.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecCite {
    /// The revision's date.
    pub spec: String,
    /// The page below the revision, such as `server/tools`; `schema` for the schema reference.
    pub page: String,
    /// The heading's slug, or the type's name.
    pub section: String,
    /// `MUST`, `SHOULD`, …; `schema` when the published schema requires it.
    pub keyword: String,
}

/// A public page that is not the specification.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageCite {
    /// Its title, with the host's version where that matters.
    pub title: String,
    /// Its address.
    pub url: String,
    /// The day it was read.
    pub read: String,
    /// The ids of the hosts that it is about; about no single one when empty.
    #[serde(default)]
    pub hosts: Vec<String>,
}

impl Meta {
    /// What must have been asked for it to see anything; a rule on the wire needs one in any case.
    pub fn need(&self) -> Option<Need> {
        self.needs.or((self.on == Selector::Exchange).then_some(Need::Wire))
    }

    /// The sources for a finding about this host: its own first, then those about no single one. What is about other
    /// hosts says nothing here.
    pub fn cites_for(&self, host: Option<&str>) -> impl Iterator<Item = &Cite> {
        let own = self.cites.iter().filter(move |cite| host.is_some_and(|host| cite.is_about(host)));
        own.chain(self.cites.iter().filter(|cite| cite.is_general()))
    }
}

impl Cite {
    /// Whether it is about this host.
    pub fn is_about(&self, host: &str) -> bool {
        matches!(self, Self::Page(page) if page.hosts.iter().any(|known| known == host))
    }

    /// Whether it is about no single host.
    pub fn is_general(&self) -> bool {
        !matches!(self, Self::Page(page) if !page.hosts.is_empty())
    }

    /// The address.
    pub fn url(&self) -> String {
        match self {
            Self::Spec(cite) => format!(
                "https://modelcontextprotocol.io/specification/{}/{}#{}",
                cite.spec,
                // The site serves an index page under its folder's name.
                cite.page.trim_end_matches("/index"),
                cite.section.to_lowercase()
            ),
            Self::Page(cite) => cite.url.clone(),
        }
    }

    /// Title and keyword in a few words.
    pub fn label(&self) -> String {
        match self {
            Self::Spec(cite) => format!("MCP {}, {}, {} ({})", cite.spec, cite.page, cite.section, cite.keyword),
            Self::Page(cite) => format!("{} (read {})", cite.title, cite.read),
        }
    }
}

/// One measure of a budget check and the setting that holds its limit.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// A measure id; `tool.…` for figures of each tool.
    pub metric: String,
    /// The setting with the limit, such as `budgets.total-tokens`.
    pub limit: String,
    /// A setting that the measure is divided by, for a limit in per cent.
    #[serde(default)]
    pub percent_of: Option<String>,
}

fn revisions<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Revisions, D::Error> {
    let text = String::deserialize(deserializer)?;
    Revisions::from_text(&text).map_err(serde::de::Error::custom)
}
