//! What a finding stands on, named and never numbered.

use std::fmt;

use crate::text::safe;

/// The kinds of things that a rule can stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A server as a whole.
    Server,
    /// The wire between us and a server.
    Exchange,
    /// One tool.
    Tool,
    /// A server in a config file.
    Entry,
    /// A file.
    File,
}

impl Kind {
    /// The word used in messages and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::Exchange => "exchange",
            Self::Tool => "tool",
            Self::Entry => "entry",
            Self::File => "file",
        }
    }
}

/// The thing that a finding stands on. Sorted by kind, then by names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// What it is.
    pub kind: Kind,
    /// Its names from the outside in, as the server gave them. A server has the target's name.
    pub path: Vec<String>,
}

impl Subject {
    /// A server, by the name of its target.
    pub fn server(target: &str) -> Self {
        Self { kind: Kind::Server, path: vec![target.to_owned()] }
    }

    /// The wire of a server, by the name of its target.
    pub fn exchange(target: &str) -> Self {
        Self { kind: Kind::Exchange, path: vec![target.to_owned()] }
    }

    /// A tool, by its name.
    pub fn tool(name: &str) -> Self {
        Self { kind: Kind::Tool, path: vec![name.to_owned()] }
    }

    /// A server in a config file, by its id there.
    pub fn entry(id: &str) -> Self {
        Self { kind: Kind::Entry, path: vec![id.to_owned()] }
    }

    /// A file, by its path.
    pub fn file(path: &str) -> Self {
        Self { kind: Kind::File, path: vec![path.to_owned()] }
    }

    /// The names joined by `/`, as an `[[allow]]` names them.
    pub fn name(&self) -> String {
        self.path.join("/")
    }
}

/// Kind and quoted name, fit to be shown: "tool `search`".
impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.as_str(), safe::quoted(&self.name()))
    }
}
