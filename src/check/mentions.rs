//! Identifiers that texts of a tool mention, and what they may stand for.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::Context;
use crate::surface::gateway;

/// An identifier in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mention<'t> {
    /// The identifier, back-ticks and brackets off.
    pub(super) name: &'t str,
    /// Whether it stands in back-ticks.
    pub(super) is_ticked: bool,
    /// Whether a value stands behind it inside the back-ticks: `dry_run=true`.
    pub(super) is_assigned: bool,
    /// What stands before it, the nearest of it.
    pub(super) before: &'t str,
    /// What stands behind it, the nearest of it.
    pub(super) behind: &'t str,
}

/// The identifiers of a sentence: what stands in back-ticks alone or with a value, and words with an underscore or a
/// hump.
pub(super) fn mentions(sentence: &str) -> Vec<Mention<'_>> {
    static FORM: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let ticked = r#"`(?P<ticked>[A-Za-z_][A-Za-z0-9_-]*)(?:\(\)|(?P<assigned>\s?[=:]\s?["']?[\w.-]{1,40}["']?))?`"#;
        let bare = r"\b(?P<bare>[a-z][a-z0-9]*(?:(?:_[a-z0-9]+)+|(?:[A-Z][a-z0-9]+)+))\b";
        Regex::new(&format!("{ticked}|{bare}")).ok()
    });
    let Some(form) = FORM.as_ref() else { return Vec::new() };
    let found = form.captures_iter(sentence).filter_map(|found| {
        let whole = found.get(0)?;
        let (name, is_ticked) = match (found.name("ticked"), found.name("bare")) {
            (Some(name), _) => (name, true),
            (_, bare) => (bare?, false),
        };
        let (before, behind) = (tail(sentence.get(..whole.start())?), head(sentence.get(whole.end()..)?));
        // A part of a path, an address or a call with arguments is no name of its own.
        let is_part = before.ends_with(['/', '.', '-', '$', '{', '<', ':', '=', '"', '\''])
            || (behind.starts_with(['/', '-', '=', '(', '}', '>', '"', '\'', '*', '[']) && !behind.starts_with("()"))
            || (behind.starts_with(['.', ':']) && behind.chars().nth(1).is_some_and(char::is_alphanumeric));
        let is_assigned = found.name("assigned").is_some();
        (is_ticked || !is_part).then_some(Mention { name: name.as_str(), is_ticked, is_assigned, before, behind })
    });
    found.collect()
}

/// Bytes on each side of a mention that are looked at: each is read anew for every mention, and a hostile sentence is
/// nothing but mentions.
const NEAR: usize = 200;

fn tail(text: &str) -> &str {
    let from = (text.len().saturating_sub(NEAR)..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    text.get(from..).unwrap_or_default()
}

fn head(text: &str) -> &str {
    let to = (0..=NEAR.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    text.get(..to).unwrap_or_default()
}

/// What identifiers of a whole list stand for, besides tools: parameters, values, members of results.
pub(super) struct Vocabulary<'a> {
    /// Names of served tools and of those that gateways reach, without case and signs.
    tools: BTreeSet<String>,
    /// Every other identifier of the schemas.
    others: BTreeSet<&'a str>,
}

impl<'a> Vocabulary<'a> {
    /// Walks the whole list: a rule that asks for it sees the whole list too, once.
    pub(super) fn of(cx: &Context<'a>) -> Self {
        let reached = cx.surface.tools.iter().filter_map(gateway::reached).flatten();
        // A name without the mark of a product in front means the tool as well.
        let short = |name: &&'a str| name.split_once(['_', '-', '.', '/']).map(|(_, rest)| folded(rest));
        let shorts: Vec<String> = cx.served().iter().filter_map(short).collect();
        let tools = cx.served().iter().copied().chain(reached).map(folded).chain(shorts).collect();
        let mut others = BTreeSet::new();
        for tool in 0..cx.surface.tools.len() {
            for node in cx.schemas_of(tool).iter().flat_map(|schema| &schema.nodes) {
                others.extend(node.name);
                let values = node.value.get("enum").and_then(Value::as_array).into_iter().flatten();
                others.extend(values.chain(node.value.get("const")).filter_map(Value::as_str));
            }
        }
        Self { tools, others }
    }

    /// Whether this is a tool that can be called, however it is spelt.
    pub(super) fn is_tool(&self, name: &str) -> bool {
        self.tools.contains(&folded(name))
    }

    /// Whether this stands for something else than a tool.
    pub(super) fn is_other(&self, name: &str) -> bool {
        self.others.contains(name)
    }
}

/// A name without case and signs: `getPot`, `get-pot` and `get_pot` are one.
fn folded(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_parts() {
        let names = |text| mentions(text).into_iter().map(|one| (one.name, one.is_ticked)).collect::<Vec<_>>();
        assert_eq!(names("Call `get_pot` or list_pots first."), [("get_pot", true), ("list_pots", false)]);
        assert_eq!(names("Call `getPot()` or listPots()."), [("getPot", true), ("listPots", false)]);
        assert!(mentions("Set `dry_run=true`.")[0].is_assigned);
        assert_eq!(names("read-only, see https://x.test/get_pot and a.get_pot or get_pot(1)"), []);
    }
}
