//! What stands between the targets of one run: a host that connects them all shows their tools to one model.

use std::collections::{BTreeMap, BTreeSet};

use super::Outcome;
use crate::surface::Surface;

/// What stands between several targets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Across {
    /// Tokens of all payloads, o200k_base.
    pub tokens: u64,
    /// The target with the most tokens, and how many.
    pub dearest: Option<(String, u64)>,
    /// Names of tools that several targets show.
    pub clashes: Vec<Clash>,
    /// Targets that show the same tools, two or more each.
    pub duplicates: Vec<Vec<String>>,
}

/// One name of a tool that several targets show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The name.
    pub tool: String,
    /// The targets, in the order given.
    pub targets: Vec<String>,
}

impl Across {
    /// Compares the outcomes of one run. A name that only duplicates of one another share is no clash of its own.
    pub fn of(outcomes: &[Outcome]) -> Self {
        let costs: Vec<(&str, u64)> = outcomes
            .iter()
            .filter(|outcome| !outcome.surface.tools.is_empty())
            .filter_map(|outcome| Some((outcome.surface.target.as_str(), outcome.measures.number("payload.o200k")?)))
            .collect();
        // Of equally dear ones the first.
        let dearest = costs.iter().rev().max_by_key(|(_, tokens)| *tokens);
        let surfaces: Vec<&Surface> = outcomes.iter().map(|outcome| &outcome.surface).collect();
        let kinds = kinds(&surfaces);
        Self {
            tokens: costs.iter().map(|(_, tokens)| tokens).sum(),
            dearest: dearest.map(|(target, tokens)| ((*target).to_owned(), *tokens)),
            clashes: clashes(&surfaces, &kinds),
            duplicates: duplicates(&surfaces, &kinds),
        }
    }
}

/// For each surface the position of the first one that shows the same tools, in whatever order.
fn kinds(surfaces: &[&Surface]) -> Vec<usize> {
    let mut first: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
    let mut kinds = Vec::new();
    for (n, surface) in surfaces.iter().enumerate() {
        let mut tools: Vec<&str> = surface.tools.iter().map(|tool| tool.text.as_str()).collect();
        tools.sort_unstable();
        // Nothing was seen of those without tools, so nothing is known to be the same.
        kinds.push(if tools.is_empty() { n } else { *first.entry(tools).or_insert(n) });
    }
    kinds
}

fn duplicates(surfaces: &[&Surface], kinds: &[usize]) -> Vec<Vec<String>> {
    let mut sets: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (surface, kind) in surfaces.iter().zip(kinds) {
        sets.entry(*kind).or_default().push(surface.target.clone());
    }
    sets.into_values().filter(|set| set.len() > 1).collect()
}

fn clashes(surfaces: &[&Surface], kinds: &[usize]) -> Vec<Clash> {
    let mut holders: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (n, surface) in surfaces.iter().enumerate() {
        for name in surface.tools.iter().filter_map(|tool| tool.name()) {
            holders.entry(name).or_default().insert(n);
        }
    }
    let differ = |held: &BTreeSet<usize>| {
        let kinds: BTreeSet<_> = held.iter().filter_map(|n| kinds.get(*n)).collect();
        kinds.len() > 1
    };
    let named = |held: &BTreeSet<usize>| held.iter().filter_map(|n| Some(surfaces.get(*n)?.target.clone())).collect();
    holders
        .iter()
        .filter(|(_, held)| differ(held))
        .map(|(tool, held)| Clash { tool: (*tool).to_owned(), targets: named(held) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surface(target: &str, tools: &[(&str, &str)]) -> Surface {
        let tools: Vec<String> =
            tools.iter().map(|(name, says)| format!(r#"{{"name":"{name}","description":"{says}"}}"#)).collect();
        let text = format!("[{}]", tools.join(","));
        crate::input::dump::read(target, target, text.as_bytes()).unwrap().surface
    }

    #[test]
    fn the_same_tools_in_another_order_are_a_duplicate_and_no_clash() {
        let a = surface("a", &[("x", "1"), ("y", "2")]);
        let b = surface("b", &[("y", "2"), ("x", "1")]);
        let c = surface("c", &[("y", "other")]);
        let empty = surface("e", &[]);
        let all = [&a, &b, &c, &empty, &empty];
        let kinds = kinds(&all);
        assert_eq!(kinds, [0, 0, 2, 3, 4]);
        assert_eq!(duplicates(&all, &kinds), [["a", "b"]]);
        let clash = Clash { tool: "y".to_owned(), targets: ["a", "b", "c"].map(str::to_owned).to_vec() };
        assert_eq!(clashes(&all, &kinds), [clash]);
    }
}
