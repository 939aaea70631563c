//! Patterns that are no ECMA-262 in either reading, `pattern` and the keys of `patternProperties` alike. Whether other
//! engines take them is left alone.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::super::{Context, Hit};
use crate::text::pointer::Pointer;

/// Bytes of a pattern that are compiled.
const MOST_BYTES: usize = 4_096;
/// Groups in a pattern that are compiled; regress refuses to nest deeper than 256 without saying whether it is valid.
const MOST_GROUPS: usize = 250;
/// Alternatives in a pattern that are compiled; regress nests them, and 10,000 overflow a stack of 2 MB.
const MOST_ALTERNATIVES: usize = 1_000;
/// Bytes of all patterns of a server that are compiled: 1 MB takes some seconds at worst.
const MOST_BYTES_TOGETHER: usize = 1 << 20;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    let mut known = Patterns::default();
    for schema in cx.schemas() {
        for node in &schema.nodes {
            for (at, pattern) in patterns(&node.at, node.value) {
                let Ok(fault) = known.fault(pattern) else {
                    cx.bounds.leave_out(schema.tool, "a pattern is too large to be compiled");
                    continue;
                };
                hits.extend(fault.map(|fault| Hit::tool(schema.tool, at).fact("value", pattern).fact("found", fault)));
            }
        }
    }
    hits
}

/// The patterns that one schema holds itself.
pub(super) fn patterns<'s>(at: &Pointer, schema: &'s Value) -> Vec<(Pointer, &'s str)> {
    let own = schema.get("pattern").and_then(Value::as_str).map(|pattern| (at.key("pattern"), pattern));
    let keyed = schema.get("patternProperties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
    let keyed = keyed.map(|pattern| (at.key("patternProperties").key(pattern), pattern.as_str()));
    own.into_iter().chain(keyed).collect()
}

/// What is known of the patterns so far: the same few stand in thousands of tools.
pub(super) struct Patterns<'s> {
    faults: BTreeMap<&'s str, Option<String>>,
    left: usize,
}

impl Default for Patterns<'_> {
    fn default() -> Self {
        Self { faults: BTreeMap::new(), left: MOST_BYTES_TOGETHER }
    }
}

/// A pattern that is not compiled.
struct TooLarge;

impl<'s> Patterns<'s> {
    /// Whether a pattern is known to compile.
    pub(super) fn compiles(&mut self, pattern: &'s str) -> bool {
        matches!(self.fault(pattern), Ok(None))
    }

    /// Why a pattern does not compile, if so; an error when it is too large to tell.
    fn fault(&mut self, pattern: &'s str) -> Result<Option<String>, TooLarge> {
        if let Some(fault) = self.faults.get(pattern) {
            return Ok(fault.clone());
        }
        if !is_small(pattern) || pattern.len() > self.left {
            return Err(TooLarge);
        }
        self.left -= pattern.len();
        let fault = fault(pattern);
        self.faults.insert(pattern, fault.clone());
        Ok(fault)
    }
}

fn is_small(pattern: &str) -> bool {
    pattern.len() <= MOST_BYTES
        && pattern.matches('(').count() <= MOST_GROUPS
        && pattern.matches('|').count() <= MOST_ALTERNATIVES
}

/// Why neither reading compiles; none if one does.
fn fault(pattern: &str) -> Option<String> {
    let read = |unicode: bool| {
        // Nothing is matched, so optimizing would be in vain.
        let flags = regress::Flags { no_opt: true, unicode, ..regress::Flags::default() };
        regress::Regex::with_flags(pattern, flags).err()
    };
    let plain = read(false)?;
    read(true)?;
    let mut letters = plain.text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_javascript_takes_is_no_fault() {
        for pattern in [
            r"^[\w-.]+$",
            r"^[a-z\-_]+$",
            r"\p{L}+",
            r"^\u{1F600}$",
            r"\A\Z",
            r"^{$",
            r"a{,5}",
            r"]",
            r"}",
            r"(?<!a)b",
            r"(?<=a)b",
            r"(?=a)*",
            r"\k",
            r"(?<n>a)\k<n>",
            r"(?i:abc)",
            r"[^]",
            r"\/",
            r"\cA",
            r"^(?!)$",
            "",
        ] {
            assert_eq!(fault(pattern), None, "{pattern}");
        }
        for pattern in [
            r"(?P<n>a)",
            r"(?i)abc",
            r"(?#c)",
            r"(?>a)",
            r"a++",
            r"a*+",
            r"*.pdf",
            r"^[0-9{4}$",
            r"(",
            r")",
            r"[z-a]",
            r"a{3,2}",
            r"\",
            r"(?<n>a)(?<n>b)",
            r"(?P=n)",
        ] {
            assert!(fault(pattern).is_some(), "{pattern}");
        }
    }

    #[test]
    fn hostile_patterns_cost_little() {
        for piece in ["(", "[", "(?:", "a|", "(?<n>", "(?=", "((a|b)|", "\\p{L}", "a{1}", "{", "\\"] {
            for times in [200, 1_000, 100_000] {
                // An answer, whichever, from the small stack of a thread.
                let _ = is_small(&piece.repeat(times)).then(|| fault(&piece.repeat(times)));
            }
        }
        let nested = format!("{}{}{}", "(a|".repeat(250), "a|".repeat(750), ")".repeat(250));
        assert!(is_small(&nested) && fault(&nested).is_none());
        assert!(!is_small(&"(".repeat(100_000)) && !is_small(&"a|".repeat(2_000)));
    }
}
