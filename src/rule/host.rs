//! Host profiles: what a named host allows, each limit with its source and day.

use serde::Deserialize;

use crate::error::Trouble;

/// One host, as public reports describe it. Not a promise of its maker.
#[derive(Clone, Debug)]
pub struct Host {
    /// The id, as in `--hosts`; the file's name.
    pub id: String,
    /// What the host is called.
    pub title: String,
    /// Its limits.
    limits: Vec<Limit>,
}

/// One limit of a host.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// What is limited, with its unit, such as `startup-ms`.
    pub id: String,
    /// The highest value that the host takes.
    pub value: u64,
    /// Who says so, in a few words.
    pub source: String,
    /// Where that can be read.
    pub url: String,
    /// The day it was true.
    pub date: String,
    /// How sure that is.
    pub confidence: Confidence,
}

/// How sure a limit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Several reports, the source or the maker's documentation.
    High,
    /// One good report.
    Medium,
    /// Hearsay.
    Low,
}

/// The form of a profile's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    title: String,
    limits: Vec<Limit>,
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

impl Host {
    /// Reads a profile.
    ///
    /// # Errors
    ///
    /// [`Trouble::Rule`] with the place in the file.
    pub fn from_text(id: &str, text: &str) -> Result<Self, Trouble> {
        let Written { title, limits } = toml::from_str(text).map_err(|error| {
            Trouble::rule(&format!("hosts/{id}.toml"), text, error.span().unwrap_or(0..0), error.message())
        })?;
        Ok(Self { id: id.to_owned(), title, limits })
    }

    /// All limits.
    pub fn limits(&self) -> &[Limit] {
        &self.limits
    }

    /// The limit of this id, if the host is known to have one.
    pub fn limit(&self, id: &str) -> Option<&Limit> {
        self.limits.iter().find(|limit| limit.id == id)
    }
}
