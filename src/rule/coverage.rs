//! What the specification demands about tools, and which rules check it: `rules/protocol/coverage.toml`.

use serde::{Deserialize, Deserializer};

use crate::error::Trouble;
use crate::spec::revision::{Revision, Revisions};

/// One demand of the specification.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The revisions that make it.
    #[serde(deserialize_with = "revisions")]
    pub specs: Revisions,
    /// The page it stands on.
    pub page: String,
    /// The heading it stands under, as an anchor.
    pub section: String,
    /// How strongly it is demanded.
    pub keyword: String,
    /// Of whom: `server`, `client` or `both`.
    pub actor: String,
    /// The demand, in our words.
    pub says: String,
    /// The rules that check it.
    #[serde(default)]
    pub rules: Vec<String>,
    /// Why none can.
    pub none: Option<String>,
    /// Whether one could, and none does yet.
    #[serde(default)]
    pub open: bool,
}

/// How a row fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Rules check it.
    Covered,
    /// None can.
    NotCheckable,
    /// One could.
    Open,
}

impl State {
    /// The word in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Covered => "covered",
            Self::NotCheckable => "not checkable",
            Self::Open => "open",
        }
    }
}

impl Row {
    /// How it fares.
    pub fn state(&self) -> State {
        match (&self.none, self.rules.is_empty()) {
            (_, false) => State::Covered,
            (Some(_), true) if !self.open => State::NotCheckable,
            _ => State::Open,
        }
    }

    /// The rules, or why there are none.
    pub fn answer(&self) -> String {
        if self.rules.is_empty() { self.none.clone().unwrap_or_default() } else { self.rules.join(", ") }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    rows: Vec<Row>,
}

/// All rows.
///
/// # Errors
///
/// The file that this program ships with cannot be read.
pub fn rows() -> Result<Vec<Row>, Trouble> {
    let text = include_str!("../../rules/protocol/coverage.toml");
    let written: Written = toml::from_str(text).map_err(|error| {
        Trouble::rule("protocol/coverage.toml", text, error.span().unwrap_or(0..0), error.message())
    })?;
    Ok(written.rows)
}

/// The rows of a revision.
pub fn of(rows: &[Row], revision: Revision) -> impl Iterator<Item = &Row> {
    rows.iter().filter(move |row| row.specs.contains(revision))
}

fn revisions<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Revisions, D::Error> {
    Revisions::from_text(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
}
