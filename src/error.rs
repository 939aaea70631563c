//! Trouble: what stops a run before it has anything to report.
//!
//! Not to be confused with an incident (something of the audited server could not be checked; the report says so) or
//! a finding (the audited thing is at fault). Every trouble says what happened, where, and what to do.

use miette::{Diagnostic, NamedSource, SourceSpan};
use thiserror::Error;

use crate::exit::Exit;

/// What stops a run.
#[derive(Debug, Error, Diagnostic)]
pub enum Trouble {
    /// The command line asks for something that cannot be.
    #[error("{problem}")]
    Usage {
        /// What is wrong.
        problem: String,
        /// What to do.
        #[help]
        help: String,
    },
    /// A settings file has a fault at a place.
    #[error("{problem}")]
    Config {
        /// What is wrong.
        problem: String,
        /// What to do.
        #[help]
        help: Option<String>,
        /// The file.
        #[source_code]
        file: NamedSource<String>,
        /// The place.
        #[label("here")]
        at: Option<SourceSpan>,
    },
    /// A rule file has a fault at a place.
    #[error("rule file {name}: {problem}")]
    Rule {
        /// The file, below `rules/`.
        name: String,
        /// What is wrong.
        problem: String,
        /// The file's text.
        #[source_code]
        file: NamedSource<String>,
        /// The place.
        #[label("here")]
        at: Option<SourceSpan>,
    },
    /// A file that should be read is not what it should be.
    #[error("{name}: {problem}")]
    Input {
        /// The file or `-`.
        name: String,
        /// What it is.
        problem: String,
        /// What was expected, and the way out.
        #[help]
        help: String,
    },
    /// Something could not be read or written.
    #[error("{name}: {cause}")]
    Io {
        /// The file or stream.
        name: String,
        /// The system's word.
        cause: std::io::Error,
        /// What to do.
        #[help]
        help: String,
    },
}

impl Trouble {
    /// The exit code that this trouble ends with.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Usage { .. } | Self::Config { .. } | Self::Rule { .. } => Exit::Usage,
            Self::Input { .. } | Self::Io { .. } => Exit::Incomplete,
        }
    }

    /// Wrong usage, with a way out.
    pub fn usage(problem: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage { problem: problem.into(), help: help.into() }
    }

    /// An input or output error on a named file.
    pub fn io(name: impl Into<String>, cause: std::io::Error, help: impl Into<String>) -> Self {
        Self::Io { name: name.into(), cause, help: help.into() }
    }

    /// A fault in a rule file at a byte range.
    pub fn rule(name: &str, text: &str, at: std::ops::Range<usize>, problem: &str) -> Self {
        Self::Rule {
            name: name.to_owned(),
            problem: problem.to_owned(),
            file: NamedSource::new(name, text.to_owned()),
            at: Some(SourceSpan::from(at)),
        }
    }

    /// A fault in a settings file at a byte range.
    pub fn config(
        name: &str,
        text: &str,
        at: Option<std::ops::Range<usize>>,
        problem: impl Into<String>,
        help: Option<String>,
    ) -> Self {
        Self::Config {
            problem: problem.into(),
            help,
            file: NamedSource::new(name, text.to_owned()),
            at: at.map(SourceSpan::from),
        }
    }
}
