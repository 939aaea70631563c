//! Texts that tell the reader to set a parameter that the tool has not.

use std::collections::BTreeSet;

use super::super::mentions::mentions;
use super::super::words::{sentences, words};
use super::super::{Context, Hit};
use crate::text::pointer::Pointer;

/// Words that tell to give an argument.
const GIVE: [&str; 6] = ["set", "pass", "specify", "provide", "supply", "give"];

/// Words that speak of a result.
const BACK: [&str; 9] =
    ["return", "returns", "returned", "answer", "result", "results", "response", "output", "contains"];

/// What stands in back-ticks as a value.
const VALUES: [&str; 12] =
    ["true", "false", "null", "none", "string", "number", "integer", "boolean", "object", "array", "undefined", "auto"];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (n, tool) in cx.tools() {
        let Some(text) = tool.description() else { continue };
        let mut own: BTreeSet<&str> = BTreeSet::new();
        let mut said: BTreeSet<String> = BTreeSet::new();
        for node in cx.schemas_of(n).iter().flat_map(|schema| &schema.nodes) {
            own.extend(node.name);
            for value in ["enum", "const", "default", "examples"].iter().filter_map(|keyword| node.value.get(keyword)) {
                said.insert(value.to_string());
            }
        }
        let is_open = tool.input_schema().is_none_or(|schema| schema.get("properties").is_none());
        if own.is_empty() || is_open {
            continue;
        }
        let mut found = BTreeSet::new();
        for sentence in sentences(text).flat_map(|sentence| sentence.split(';')).filter(|part| tells_to_give(part)) {
            let ticked: Vec<_> = mentions(sentence).into_iter().filter(|one| one.is_ticked).collect();
            // Beside one that is there, the other is meant as a parameter too.
            if !ticked.iter().any(|one| own.contains(one.name)) {
                continue;
            }
            let given = ticked.into_iter().filter(|one| is_given(one.before)).map(|one| one.name);
            found.extend(given.filter(|name| {
                let is_value = VALUES.contains(&name.to_lowercase().as_str())
                    || said.iter().any(|value| value.contains(&format!("\"{name}\"")));
                !own.contains(name) && !is_value && !cx.served().contains(name) && is_like_a_parameter(name)
            }));
        }
        let at = Pointer::root().key("description");
        hits.extend(found.into_iter().map(|name| Hit::tool(n, at.clone()).fact("value", name)));
    }
    hits
}

/// Whether it tells to give something, and does not speak of what comes back.
fn tells_to_give(sentence: &str) -> bool {
    let said: Vec<String> = words(sentence).collect();
    let has = |known: &[&str]| said.iter().any(|word| known.contains(&word.as_str()));
    has(&GIVE) && !has(&BACK)
}

/// Whether what follows is the object of the last word of giving: nothing between them begins another thought.
fn is_given(before: &str) -> bool {
    const TURNS: [&str; 14] = [
        "as", "because", "default", "defaults", "field", "fields", "from", "of", "so", "that", "to", "until", "value",
        "which",
    ];
    let said: Vec<String> = words(before).collect();
    let last = said.iter().rposition(|word| GIVE.contains(&word.as_str()));
    last.is_some_and(|last| said.iter().skip(last + 1).all(|word| !TURNS.contains(&word.as_str())))
}

/// Several words in one: a single word in back-ticks may be anything.
fn is_like_a_parameter(name: &str) -> bool {
    let is_low = name.chars().next().is_some_and(char::is_lowercase);
    is_low && !name.contains('-') && words(name).count() > 1
}
