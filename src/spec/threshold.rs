//! Numbers about the outside world, each with its source and day, from `rules/thresholds.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

/// One number that something is held against.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Threshold {
    /// Its name, such as `huge-enum.values`.
    pub id: String,
    /// The number.
    pub value: u64,
    /// What it counts, and what it parts.
    pub what: String,
    /// Whose line it is.
    pub basis: Basis,
    /// Who says so, in a few words.
    pub source: String,
    /// Where that can be read.
    pub url: String,
    /// The day it was true.
    pub date: String,
}

/// Whose line a threshold is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// Documentation of a maker.
    Vendor,
    /// What users saw.
    Reports,
    /// Our own, for want of one.
    Own,
}

impl Basis {
    /// The word in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Vendor => "vendor",
            Self::Reports => "reports",
            Self::Own => "own",
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    thresholds: Vec<Threshold>,
}

/// All of them, in the order of the file. That it can be read is held by a test.
pub fn thresholds() -> &'static [Threshold] {
    static ALL: LazyLock<Vec<Threshold>> = LazyLock::new(|| {
        let read: Result<File, _> = toml::from_str(include_str!("../../rules/thresholds.toml"));
        read.map(|file| file.thresholds).unwrap_or_default()
    });
    &ALL
}

/// The number of this name. That every name in the code has one is held by a test.
pub fn threshold(id: &str) -> u64 {
    thresholds().iter().find(|one| one.id == id).map_or(u64::MAX, |one| one.value)
}
