//! A measure: a named figure with unit, method and the commands that reproduce it.

use serde_json::Value;

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Things: tools, parameters, pages.
    Count,
    /// UTF-8 bytes.
    Byte,
    /// Unicode code points.
    Char,
    /// UTF-16 code units, what JavaScript's `.length` gives.
    Utf16,
    /// Tokens of the named encoding, exact.
    Token,
    /// A rough figure by a rule of thumb; never mixed with exact ones.
    Estimate,
    /// Per cent.
    Percent,
    /// Nested levels.
    Level,
    /// A word, name or list of names.
    Text,
}

impl Unit {
    /// The word in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Byte => "byte",
            Self::Char => "character",
            Self::Utf16 => "UTF-16 unit",
            Self::Token => "token",
            Self::Estimate => "estimate",
            Self::Percent => "percent",
            Self::Level => "level",
            Self::Text => "text",
        }
    }
}

/// One figure of one surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// `<subject>.<figure>[.<unit>]`, the name that documents and settings use.
    pub id: &'static str,
    /// What it is, in words.
    pub title: &'static str,
    /// The unit of `value`.
    pub unit: Unit,
    /// Which text or nodes were measured and how.
    pub method: &'static str,
    /// The figure. Null: not applicable here, which is not nought.
    pub value: Value,
    /// A `jq` program (over a file that holds a `tools/list` result or the JSON-RPC answer) and what its output is
    /// piped into, where such tools agree by construction.
    pub portable: Option<Portable>,
}

/// A measure's command outside this tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portable {
    /// The options and program of `jq`, with `.tools` for the list.
    pub jq: &'static str,
    /// What its output is piped into, or nothing.
    pub pipe: &'static str,
}

impl Measure {
    /// The value as a whole number, if it is one.
    pub fn as_u64(&self) -> Option<u64> {
        self.value.as_u64()
    }
}
