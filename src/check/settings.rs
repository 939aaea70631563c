//! What the user decided about checks: limits, the band and hosts. Read from settings by `policy`.

use std::collections::BTreeMap;

use crate::measure::Band;
use crate::rule::Host;
use crate::spec::revision::Revision;

/// Settings that checks look at.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Limits by the name that rule files use, such as `budgets.total-tokens`. What is absent is not checked.
    pub limits: BTreeMap<String, f64>,
    /// The band for the number of served tools.
    pub band: Band,
    /// The revisions that a server is judged by, when there are several.
    pub revisions: Vec<Revision>,
    /// The hosts that the user wants the server judged by.
    pub hosts: Vec<Host>,
}

impl Settings {
    /// The limit of this name.
    pub fn limit(&self, name: &str) -> Option<f64> {
        match name {
            "band.low" => Some(self.band.low as f64),
            "band.high" => Some(self.band.high as f64),
            other => self.limits.get(other).copied(),
        }
    }
}

/// The names of all limits that a settings file may give under `[budgets]`.
pub const BUDGETS: [&str; 5] = ["context-window", "max-share-percent", "tool-tokens", "total-bytes", "total-tokens"];
