//! The gate: which findings fail a run.

use serde::Deserialize;

use crate::finding::Severity;

/// The lowest severity that fails a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FailOn {
    /// Errors.
    Error,
    /// Warnings and errors.
    Warn,
    /// Any finding.
    Info,
    /// None.
    Never,
}

impl FailOn {
    /// Whether a finding of this severity fails the run.
    pub fn holds(self, severity: Severity) -> bool {
        match self {
            Self::Error => severity >= Severity::Error,
            Self::Warn => severity >= Severity::Warn,
            Self::Info => true,
            Self::Never => false,
        }
    }
}
