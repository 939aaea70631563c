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
        let own = tool.description().map(|text| (at, text));
        let inside = cx
            .schemas_of(n)
            .iter()
            .filter(|schema| schema.is_input)
            .flat_map(|input| &input.nodes)
            .filter_map(|node| Some((node.at.key("description"), node.value.get("description")?.as_str()?)));
        for (at, text) in own.into_iter().chain(inside) {
            hits.extend(unknown(text, cx, &known).into_iter().map(|name| Hit::tool(n, at.clone()).fact("value", name)));
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
        let found = found.into_iter().filter(|mention| !mention.is_assigned);
        found.filter(|mention| is_meant(*mention, cx)).collect::<Vec<_>>()
    };
    let found = sentences(text).flat_map(of_sentence);
    let strangers = found
        .filter(|mention| !known.is_tool(mention.name) && !known.is_other(mention.name) && !is_value(mention.name));
    strangers.map(|mention| mention.name.to_owned()).collect()
}

/// Whether a short name ends as values do: "from an `upload_id`".
fn is_value(name: &str) -> bool {
    let parts: Vec<String> = words(name).collect();
    parts.len() == 2
        && matches!(parts.last().map(String::as_str), Some("id" | "ids" | "url" | "key" | "token" | "path"))
}

/// Whether a text tells to use what it mentions.
fn is_ordered(mention: Mention<'_>) -> bool {
    ORDERS.contains(&last_word(mention).as_str()) || mention.behind.trim_start().starts_with("tool")
}

/// Whether what follows is what the text advises against: "faster than calling x".
fn is_compared(before: &str) -> bool {
    const REACH: usize = 5;
    let said: Vec<String> = words(before).collect();
    let near = said.get(said.len().saturating_sub(REACH)..).unwrap_or_default();
    near.iter().any(|word| word == "than") || near.windows(2).any(|two| two == ["instead", "of"])
}

/// Whether a text tells where to look, or where something comes from.
fn is_pointed_at(mention: Mention<'_>) -> bool {
    matches!(last_word(mention).as_str(), "from" | "see" | "also")
}

/// The word before a mention, "the" and "tool" left out.
fn last_word(mention: Mention<'_>) -> String {
    let before = mention.before.trim_end().trim_end_matches(':').to_lowercase();
    let before = before.strip_suffix(" the").unwrap_or(&before);
    let before = before.strip_suffix(" tool").unwrap_or(before);
    before.rsplit(|letter: char| !letter.is_alphabetic()).next().unwrap_or_default().to_owned()
}

/// Whether a text tells to use what it mentions, and that is named as tools are: it begins as their names do, has
/// several words and the same sign between them.
fn is_meant(mention: Mention<'_>, cx: &Context<'_>) -> bool {
    let is_ordered = is_ordered(mention) && !is_compared(mention.before);
    let is_pointed_at = is_pointed_at(mention);
    let parts: Vec<String> = words(mention.name).collect();
    let Some((first, rest)) = parts.split_first().filter(|(_, rest)| !rest.is_empty() && (is_ordered || is_pointed_at))
    else {
        return false;
    };
    let is_verb = |word: &String| Kind::Reading.base(word).or_else(|| Kind::Writing.base(word)).is_some();
    // The mark of the whole list begins names of other things too, such as codes of errors.
    let begins = |served: &&str| words(served).next().is_some_and(|word| word == *first);
    let is_known = || (is_ordered || !cx.prefixes().is_prefix(first)) && cx.served().iter().any(begins);
    let sign = |name: &str| name.chars().find(|letter| matches!(letter, '_' | '-' | '.'));
    let is_alike = |served: &&str| words(served).count() > 1 && sign(served) == sign(mention.name);
    (is_verb(first) || rest.first().is_some_and(is_verb) || is_known()) && cx.served().iter().any(is_alike)
}
