//! The four exit codes. The only place with their numbers.

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Nothing at or above the gate.
    Clean,
    /// Findings at or above the gate.
    Findings,
    /// Wrong usage or configuration.
    Usage,
    /// Could not audit, or not all of it. Outranks findings.
    Incomplete,
}

impl Exit {
    /// The process exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Usage => 2,
            Self::Incomplete => 3,
        }
    }
}
