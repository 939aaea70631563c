//! Tools that are one tool under several names: name, text and parameters are equal but for wording.
//!
//! Only tools whose names mean the same are compared, so that a list is gone through once and things that merely
//! resemble each other are left alone.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::check::synonyms::{Parts, meaning_of_form};
use crate::check::words::words;
use crate::check::{Context, Hit, shape};
use crate::surface::Tool;
use crate::text::pointer::Pointer;

/// Words of which a text is equal when they stand in one and not in the other.
const EMPTY: [&str; 43] = [
    "a",
    "all",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "available",
    "be",
    "by",
    "can",
    "current",
    "for",
    "from",
    "given",
    "in",
    "including",
    "into",
    "is",
    "it",
    "its",
    "of",
    "on",
    "one",
    "or",
    "provided",
    "s",
    "single",
    "specific",
    "specified",
    "that",
    "the",
    "their",
    "these",
    "this",
    "to",
    "tool",
    "use",
    "used",
    "which",
    "with",
    "your",
];
/// Words at the end of a name that make no other tool of it, when the rest is equal to the letter.
const VERSIONS: [&str; 12] =
    ["v1", "v2", "v3", "v4", "2", "alias", "compat", "deprecated", "legacy", "new", "old", "tool"];
/// Words of a text that must be shared, of a hundred.
const ALIKE: usize = 65;
/// Parameters that must be shared, of a hundred.
const SHARED: usize = 75;
/// Different tools of one meaning that a further one is compared with.
const COMPARED: usize = 8;
/// Bytes of a text that are compared.
const READ: usize = 8192;
/// Words from which on an equal text is no accident.
const TELLING: usize = 3;

/// By name: where a tool stands, and the tool.
type Named<'t> = BTreeMap<&'t str, (usize, &'t Tool)>;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut clusters = Clusters::default();
    reworded(cx, &mut clusters);
    renamed(cx, &mut clusters);
    clusters.groups().into_iter().filter_map(|group| hit(cx, &group)).collect()
}

/// Tools whose names mean the same, and whose texts and parameters nearly are.
fn reworded(cx: &Context<'_>, clusters: &mut Clusters) {
    let mut same: BTreeMap<(Option<&str>, Vec<String>), Named<'_>> = BTreeMap::new();
    for (n, tool) in cx.tools() {
        let Some(name) = tool.name() else { continue };
        let parts = Parts::of(name);
        let verb = parts.verb.as_deref().and_then(meaning_of_form);
        same.entry((verb, [parts.before, parts.object].concat())).or_default().entry(name).or_insert((n, tool));
    }
    for tools in same.into_values().filter(|tools| tools.len() > 1) {
        let mut tools: Vec<(usize, &Tool)> = tools.into_values().collect();
        tools.sort_unstable_by_key(|(n, _)| *n);
        let mut kinds: Vec<(usize, Look<'_>)> = Vec::new();
        for (n, tool) in tools {
            let look = Look::of(tool);
            match kinds.iter().find(|(_, kind)| kind.is_like(&look)) {
                Some((first, _)) => clusters.join(*first, n),
                None if kinds.len() < COMPARED => kinds.push((n, look)),
                None => {}
            }
        }
    }
}

/// Tools with the very same text and parameters, where one name only puts a mark of the list before another, or the
/// number of a version behind it.
fn renamed(cx: &Context<'_>, clusters: &mut Clusters) {
    let mut same: BTreeMap<(&str, String), BTreeMap<&str, usize>> = BTreeMap::new();
    for (n, tool) in cx.tools() {
        let (Some(name), Some(text)) = (tool.name(), tool.description().map(str::trim)) else { continue };
        if words(text).take(TELLING).count() == TELLING {
            let shape = tool.input_schema().map(shape::exactly).unwrap_or_default();
            same.entry((text, shape)).or_default().entry(name).or_insert(n);
        }
    }
    for tools in same.into_values().filter(|tools| tools.len() > 1) {
        let named: BTreeMap<Vec<String>, usize> = tools.iter().map(|(name, n)| (unversioned(name), *n)).collect();
        for (name, n) in tools {
            let words = unversioned(name);
            // A name of a thousand words has no end that is a name.
            let ends = (0..words.len().min(COMPARED)).filter_map(|cut| words.get(cut..));
            let mut known = ends.filter_map(|end| named.get(end));
            if let Some(other) = known.next_back().filter(|other| **other != n) {
                clusters.join((*other).min(n), (*other).max(n));
            }
        }
    }
}

fn unversioned(name: &str) -> Vec<String> {
    let mut words: Vec<String> = words(name).collect();
    while words.len() > 1 && words.last().is_some_and(|last| VERSIONS.contains(&last.as_str())) {
        words.pop();
    }
    words
}

/// What is compared of a tool.
struct Look<'t> {
    words: BTreeSet<String>,
    params: BTreeMap<&'t str, String>,
    required: BTreeSet<&'t str>,
}

impl<'t> Look<'t> {
    fn of(tool: &'t Tool) -> Self {
        let text = tool.description().unwrap_or_default();
        let read = text.get(..text.floor_char_boundary(READ)).unwrap_or(text);
        let words = words(read).filter(|word| !EMPTY.contains(&word.as_str())).map(plain).collect();
        let schema = tool.input_schema();
        let params = shape::params(schema).into_iter().map(|(name, value)| (name, shape::of(value))).collect();
        Self { words, params, required: shape::required(schema) }
    }

    fn is_like(&self, other: &Self) -> bool {
        // Where there is no text, there is nothing to be equal.
        let told = !self.words.is_empty() && self.required == other.required;
        let params = self.params.iter().filter(|(name, shape)| other.params.get(*name) == Some(shape)).count();
        let all = self.params.len() + other.params.len() - params;
        let words = self.words.intersection(&other.words).count();
        told && params * 100 >= all * SHARED && words * 100 >= (self.words.len() + other.words.len() - words) * ALIKE
    }
}

/// A word of a text, forms of one meaning made equal.
fn plain(word: String) -> String {
    if let Some(verb) = meaning_of_form(&word) {
        return verb.to_owned();
    }
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
        _ => word,
    }
}

/// Which tools belong together, each with the first of its own.
#[derive(Default)]
struct Clusters(BTreeMap<usize, usize>);

impl Clusters {
    fn first(&self, mut tool: usize) -> usize {
        while let Some(before) = self.0.get(&tool) {
            tool = *before;
        }
        tool
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.first(one), self.first(other));
        if one != other {
            self.0.insert(one.max(other), one.min(other));
        }
    }

    fn groups(&self) -> Vec<BTreeSet<usize>> {
        let mut groups: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for tool in self.0.keys() {
            let first = self.first(*tool);
            groups.entry(first).or_insert_with(|| BTreeSet::from([first])).insert(*tool);
        }
        groups.into_values().collect()
    }
}

fn hit(cx: &Context<'_>, group: &BTreeSet<usize>) -> Option<Hit> {
    let later = group.last()?;
    let names: Vec<&str> = group.iter().filter_map(|n| cx.surface.tools.get(*n)).map(Tool::label).collect();
    let costs = group.iter().filter_map(|n| cx.measures.tools.get(*n)).map(|tool| tool.size.o200k);
    // The dearest would do: what all others cost is paid twice.
    let (sum, most) = costs.fold((0, 0), |(sum, most), cost| (sum + cost, cost.max(most)));
    let joined = names.join(", ");
    let names: Vec<Value> = names.into_iter().map(Value::from).collect();
    let hit = Hit::tool(*later, Pointer::root()).fact("tools", names).fact("value", joined);
    Some(hit.fact("measured", sum - most).fact("unit", "tokens").also(group.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Settings;
    use crate::input::dump;
    use crate::measure::Measures;

    fn told(tools: &[(&str, &str, &str)]) -> Vec<String> {
        let tool = |(name, text, params): &(&str, &str, &str)| {
            let params: serde_json::Map<String, Value> = params
                .split_whitespace()
                .map(|name| (name.to_owned(), serde_json::json!({ "type": "string" })))
                .collect();
            let schema = serde_json::json!({ "type": "object", "properties": params });
            serde_json::json!({ "name": name, "description": text, "inputSchema": schema }).to_string()
        };
        let list = format!("[{}]", tools.iter().map(tool).collect::<Vec<_>>().join(","));
        let surface = dump::read("t", "t", list.as_bytes()).unwrap().surface;
        let (measures, settings) = (Measures::default(), Settings::default());
        let hits = check(&Context::new(&surface, &measures, &settings));
        hits.iter().map(|hit| hit.facts["value"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn one_tool_under_several_names() {
        assert_eq!(told(&[("list_pots", "Lists pots.", "maker"), ("pots_list", "Lists pots.", "maker")]).len(), 1);
        assert_eq!(
            told(&[("get_pot", "Gets a pot by number.", "pot"), ("fetch_pot", "Fetch one pot by its number", "pot")])
                .len(),
            1
        );
        assert_eq!(
            told(&[("get_pot", "Gets a pot by number.", "pot"), ("kiln_get_pot", "Gets a pot by number.", "pot")])
                .len(),
            1
        );
        let three = ["find_pot", "search_pot", "searchPot"].map(|name| (name, "Finds pots of a maker.", "maker glaze"));
        assert_eq!(told(&three), ["find_pot, search_pot, searchPot"]);
    }

    #[test]
    fn tools_of_their_own() {
        for (one, other) in [
            // Another thing, another number, another order.
            (
                ("create_pot", "Creates it in the register.", "name"),
                ("create_tile", "Creates it in the register.", "name"),
            ),
            (("get_pot", "Gets pots of a maker.", "maker"), ("list_pots", "Gets pots of a maker.", "maker")),
            (("convert_png_to_jpg", "Converts PNG to JPG.", "x"), ("convert_jpg_to_png", "Converts JPG to PNG.", "x")),
            (("list_pots", "Lists all pots here.", "maker"), ("list_pots_sold", "Lists all pots here.", "maker")),
            // Another verb.
            (("lock_kiln", "Locks or unlocks a kiln.", "kiln"), ("unlock_kiln", "Locks or unlocks a kiln.", "kiln")),
            // Other parameters, another text.
            (("get_pot", "Gets a pot by number.", "number"), ("fetch_pot", "Fetches a pot by number.", "mark maker")),
            (("get_pot", "Gets a pot from the cache.", "pot"), ("fetch_pot", "Fetches a pot from the museum.", "pot")),
            (("get_pot", "", "pot"), ("fetch_pot", "", "pot")),
        ] {
            assert_eq!(told(&[one, other]), Vec::<String>::new(), "{} {}", one.0, other.0);
        }
    }
}
