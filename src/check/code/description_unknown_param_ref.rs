//! Texts that tell the reader to set a parameter that the tool has not.

use std::collections::BTreeSet;

use super::super::mentions::{Mention, Vocabulary, mentions};
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

/// What a sentence speaks of when its names need be no parameters of this tool.
const ELSEWHERE: [&str; 13] = [
    "api",
    "body",
    "cli",
    "column",
    "config",
    "endpoint",
    "environment",
    "field",
    "fields",
    "file",
    "header",
    "query",
    "url",
];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let vocabulary = Vocabulary::of(cx);
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
        let is_strange = |name: &str| {
            let is_value = VALUES.contains(&name.to_lowercase().as_str())
                || said.iter().any(|value| value.contains(&format!("\"{name}\"")));
            let is_own = own.contains(name) || own.contains(format!("{name}s").as_str());
            !is_own && !is_value && !vocabulary.is_tool(name) && is_like_a_parameter(name)
        };
        let mut found = BTreeSet::new();
        for sentence in sentences(text).flat_map(|sentence| sentence.split(';')) {
            let names = mentions(sentence);
            if tells_to_give(sentence) {
                // Beside one that is there, the other is meant as a parameter too.
                let beside = names.iter().any(|one| one.is_ticked && own.contains(one.name));
                let given = names.iter().filter(|one| beside && one.is_ticked && is_given(one.before));
                found.extend(given.map(|one| one.name).filter(|name| is_strange(name)));
            }
            if !is_elsewhere(sentence) && !names.iter().any(|one| vocabulary.is_tool(one.name)) {
                let called = names.iter().filter(|one| is_called_a_parameter(one));
                // What another tool has may be spoken of here.
                found.extend(called.map(|one| one.name).filter(|name| is_strange(name) && !vocabulary.is_other(name)));
            }
        }
        let at = Pointer::root().key("description");
        hits.extend(found.into_iter().map(|name| Hit::tool(n, at.clone()).fact("value", name)));
    }
    hits
}

/// Whether the sentence speaks of what comes back, or of something beside the tool.
fn is_elsewhere(sentence: &str) -> bool {
    words(sentence).any(|word| BACK.contains(&word.as_str()) || ELSEWHERE.contains(&word.as_str()))
}

/// Whether a name is called a parameter, or is set to something.
fn is_called_a_parameter(mention: &Mention<'_>) -> bool {
    const THING: [&str; 3] = ["parameter", "param", "argument"];
    let last = words(mention.before).last().unwrap_or_default();
    let next = words(mention.behind).next().unwrap_or_default();
    let is_thing = |word: &str| THING.contains(&word);
    let joined = mention.behind.trim_start().starts_with(|letter: char| letter.is_alphabetic());
    // "Provide `x` to …" may tell what for.
    let is_given = GIVE.contains(&last.as_str()) && mention.is_assigned || last == "set" && next == "to" && joined;
    is_given || is_thing(&last) || (is_thing(&next) && joined)
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
