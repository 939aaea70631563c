//! Texts that tell the reader to use a tool that is not served.

use std::collections::BTreeSet;

use super::super::mentions::{Mention, Vocabulary, mentions};
use super::super::verbs::Kind;
use super::super::words::{sentences, words};
use super::super::{Context, Hit, On};
use crate::surface::Tool;
use crate::text::pointer::Pointer;

/// Words that tell to use something, right before it.
const ORDERS: [&str; 12] =
    ["use", "using", "call", "calling", "run", "running", "invoke", "invoking", "via", "try", "prefer", "execute"];

/// What a sentence speaks of when its identifiers need be no tools of this server.
const ELSEWHERE: [&str; 24] = [
    "api",
    "apis",
    "builtin",
    "cli",
    "command",
    "commands",
    "endpoint",
    "endpoints",
    "field",
    "fields",
    "flag",
    "function",
    "functions",
    "library",
    "mcp",
    "method",
    "option",
    "package",
    "parameter",
    "parameters",
    "prompt",
    "resource",
    "sdk",
    "server",
];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    // A list that can grow at run time is not all there is.
    let grows = |tool: &Tool| {
        let said: BTreeSet<String> = words(tool.name().unwrap_or_default()).collect();
        said.contains("toolset") || said.contains("toolsets") || (said.contains("tools") && !said.contains("devtools"))
    };
    if cx.surface.tools.iter().any(grows) {
        return Vec::new();
    }
    let known = Vocabulary::of(cx);
    let mut hits = Vec::new();
    for (n, tool) in cx.tools() {
        let at = Pointer::root().key("description");
        for name in tool.description().into_iter().flat_map(|text| unknown(text, cx, &known)) {
            hits.push(Hit::tool(n, at.clone()).fact("value", name));
        }
    }
    let at = Pointer::root().key("initialize").key("instructions");
    for name in cx.surface.instructions.as_deref().into_iter().flat_map(|text| unknown(text, cx, &known)) {
        hits.push(Hit::new(On::Server, at.clone()).fact("value", name));
    }
    hits
}

/// The names of tools that a text orders to use and that are not there, each once.
fn unknown(text: &str, cx: &Context<'_>, known: &Vocabulary<'_>) -> BTreeSet<String> {
    let of_sentence = |sentence| {
        let said: Vec<String> = words(sentence).collect();
        let elsewhere = said.iter().any(|word| ELSEWHERE.contains(&word.as_str()));
        let found = if elsewhere { Vec::new() } else { mentions(sentence) };
        found.into_iter().filter(|mention| is_ordered(*mention) && is_like_a_tool(mention.name, cx)).collect::<Vec<_>>()
    };
    let found = sentences(text).flat_map(of_sentence);
    let strangers = found.filter(|mention| !known.is_tool(mention.name) && !known.is_other(mention.name));
    strangers.map(|mention| mention.name.to_owned()).collect()
}

fn is_ordered(mention: Mention<'_>) -> bool {
    let before = mention.before.trim_end().to_lowercase();
    let before = before.strip_suffix(" the").unwrap_or(&before);
    let before = before.strip_suffix(" tool").unwrap_or(before);
    let last = before.rsplit(|letter: char| !letter.is_alphabetic()).next().unwrap_or_default();
    ORDERS.contains(&last) || mention.behind.trim_start().starts_with("tool")
}

/// Whether a name has a verb of tools in front and is written as the served names are.
fn is_like_a_tool(name: &str, cx: &Context<'_>) -> bool {
    let mut parts = words(name);
    let Some(first) = parts.next() else { return false };
    let is_verb = |word: &str| Kind::Reading.base(word).or_else(|| Kind::Writing.base(word)).is_some();
    let has_verb = is_verb(&first) || parts.next().is_some_and(|second| is_verb(&second));
    let sign = |name: &str| name.chars().find(|letter| matches!(letter, '_' | '-' | '.'));
    let is_several = words(name).count() > 1;
    has_verb && is_several && cx.served().iter().any(|served| words(served).count() > 1 && sign(served) == sign(name))
}
