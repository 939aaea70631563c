//! Verbs that speak of writing or of reading, and where a tool says one: in its name, its description, its actions.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Context;
use super::words::{first_word, sentences, words};
use crate::surface::{Tool, refs::Refs, schema::Node};

/// Verbs of writing.
const WRITING: [&str; 43] = [
    "add",
    "append",
    "archive",
    "assign",
    "cancel",
    "clear",
    "create",
    "delete",
    "destroy",
    "disable",
    "drop",
    "edit",
    "enable",
    "erase",
    "import",
    "insert",
    "install",
    "kill",
    "merge",
    "modify",
    "move",
    "overwrite",
    "patch",
    "post",
    "publish",
    "purge",
    "push",
    "put",
    "remove",
    "rename",
    "replace",
    "reset",
    "restore",
    "revoke",
    "save",
    "send",
    "submit",
    "truncate",
    "uninstall",
    "update",
    "upload",
    "upsert",
    "write",
];

/// Verbs of reading.
const READING: [&str; 19] = [
    "check", "compare", "count", "describe", "diff", "explain", "fetch", "find", "get", "inspect", "list", "lookup",
    "preview", "query", "read", "retrieve", "search", "show", "view",
];

/// What a verb does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It changes something.
    Writing,
    /// It only looks.
    Reading,
}

impl Kind {
    fn verbs(self) -> &'static [&'static str] {
        match self {
            Self::Writing => &WRITING,
            Self::Reading => &READING,
        }
    }

    /// The verb that a word is in base form.
    pub(super) fn base(self, word: &str) -> Option<&'static str> {
        self.verbs().iter().copied().find(|verb| *verb == word)
    }

    /// The verb that a word is a form of: base, third person or with `-ing`.
    pub(super) fn any(self, word: &str) -> Option<&'static str> {
        self.verbs().iter().copied().find(|verb| *verb == word || is_third(verb, word) || is_ing(verb, word))
    }

    /// The verb whose third person a word is.
    fn third(self, word: &str) -> Option<&'static str> {
        self.verbs().iter().copied().find(|verb| is_third(verb, word))
    }
}

fn is_third(verb: &str, word: &str) -> bool {
    let regular = matches!(word.strip_prefix(verb), Some("s" | "es"));
    regular || verb.strip_suffix('y').is_some_and(|stem| word.strip_prefix(stem) == Some("ies"))
}

fn is_ing(verb: &str, word: &str) -> bool {
    let Some(stem) = word.strip_suffix("ing") else { return false };
    let doubled = stem.strip_prefix(verb).is_some_and(|more| !more.is_empty() && verb.ends_with(more));
    stem == verb || verb.strip_suffix('e') == Some(stem) || doubled
}

/// First words that are no verb but the mark of the whole list.
pub(super) struct Prefixes(BTreeSet<String>);

impl Prefixes {
    /// The first words of three or more tools, and of at least half of them, that are no verbs themselves.
    pub(super) fn of(tools: &[Tool]) -> Self {
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        for first in tools.iter().filter_map(Tool::name).filter_map(|name| words(name).next()) {
            *times.entry(first).or_default() += 1;
        }
        let half = tools.len().div_ceil(2);
        let is_verb = |word: &str| Kind::Writing.base(word).or_else(|| Kind::Reading.base(word)).is_some();
        times.retain(|word, n| *n >= 3 && *n >= half && !is_verb(word));
        Self(times.into_keys().collect())
    }

    /// Whether this word is the mark of the list.
    pub(super) fn is_prefix(&self, word: &str) -> bool {
        self.0.contains(word)
    }

    /// The verb of a tool's name: its first word, or the second behind a prefix; else a later one, when the description
    /// begins with the same and no verb of the other kind is in front. `create` at the end is mostly said of an answer:
    /// `text-completion-create`.
    pub(super) fn verb(&self, tool: &Tool, kind: Kind) -> Option<&'static str> {
        let mut words = words(tool.name()?);
        let first = words.next()?;
        let acronym =
            tool.name()?.chars().take(first.chars().count()).all(char::is_uppercase) && first.chars().count() > 1;
        let front = if self.0.contains(&first) || acronym { words.next()? } else { first };
        if let Some(verb) = kind.base(&front) {
            return Some(verb);
        }
        let other = if kind == Kind::Writing { Kind::Reading } else { Kind::Writing };
        let opening = other.base(&front).map_or_else(|| opening(tool, kind), |_| None)?;
        let rest: Vec<String> = words.collect();
        let (last, middle) = rest.split_last()?;
        (middle.iter().any(|word| word == opening) || (last == opening && opening != "create")).then_some(opening)
    }
}

/// The verb that the description begins with, in any form.
pub(super) fn opening(tool: &Tool, kind: Kind) -> Option<&'static str> {
    let first = sentences(tool.description()?).next()?;
    Beginning::of(first, |word| kind.any(word)).map(|beginning| beginning.verb)
}

/// The first writing verb that a sentence of the description begins with, unless the description says that nothing is
/// written. Behind the first sentence only the third person counts: an imperative there is addressed to the reader.
pub(super) fn writing(tool: &Tool) -> Option<&'static str> {
    // "Enables you to …" and "Replaces the old service" speak of no change, unless the description opens with them.
    const LOOSE: [&str; 2] = ["enable", "replace"];
    let text = tool.description()?;
    let mut sentences = sentences(text);
    let first = sentences.next()?;
    let plain = |one: &Beginning| !LOOSE.contains(&one.verb);
    let first = Beginning::of(first, |word| Kind::Writing.any(word)).filter(|one| !one.led || plain(one));
    let later = || {
        let beginnings = sentences.filter_map(|one| Beginning::of(one, |word| Kind::Writing.third(word)));
        // A word in capitals is the name of something: "UPDATES search returns the body".
        beginnings.into_iter().find(|one| plain(one) && !one.capitals)
    };
    first.or_else(later).filter(|one| !denies(text) && !only_asks(one.verb, text)).map(|one| one.verb)
}

/// Whether what is sent or submitted is a question: "submits the query, polls, and returns the hits".
fn only_asks(verb: &str, text: &str) -> bool {
    let lower = text.to_lowercase();
    let names = |parts: &[&str]| parts.iter().any(|part| lower.contains(part));
    match verb {
        "submit" => names(&["poll"]) && names(&["return"]),
        "send" => names(&["user-agent", " header"]) || names(&["sends one ", "sends the prompt"]) && names(&["return"]),
        _ => false,
    }
}

/// Whether the description opens with an order or a statement about this verb, and not with a noun that looks like one:
/// "Patch notes of a version" is about notes. What only gives something back changes nothing either.
pub(super) fn acts(tool: &Tool, verb: &str) -> bool {
    // These are no nouns.
    const PLAIN: [&str; 10] =
        ["delete", "destroy", "erase", "overwrite", "purge", "remove", "revoke", "send", "truncate", "uninstall"];
    // What an object begins with.
    const OBJECT: [&str; 13] =
        ["a", "an", "the", "all", "any", "one", "this", "these", "that", "new", "every", "multiple", "existing"];
    let Some(sentence) = tool.description().and_then(|text| sentences(text).next()) else { return false };
    let told: Vec<String> = words(sentence).collect();
    if told.iter().any(|word| matches!(word.as_str(), "return" | "returns" | "compute" | "computes")) {
        return false;
    }
    let order = told.first().is_some_and(|first| first == verb);
    !order || PLAIN.contains(&verb) || told.get(1).is_some_and(|next| OBJECT.contains(&next.as_str()))
}

/// Verbs that are said of data as often as of the world: "merges two sources", "adds two numbers".
pub(super) const VAGUE: [&str; 5] = ["add", "append", "assign", "merge", "replace"];

/// Whether a text says that nothing is written.
pub(super) fn denies(text: &str) -> bool {
    const DENIALS: [&str; 11] = [
        "nothing is written",
        "nothing is changed",
        "nothing is modified",
        "does not modify",
        "does not write",
        "does not change",
        "no changes are made",
        "without modifying",
        "without changing",
        "read-only",
        "read only",
    ];
    let lower = text.to_lowercase();
    DENIALS.into_iter().any(|denial| lower.contains(denial))
}

/// The verb that a sentence begins with.
struct Beginning {
    verb: &'static str,
    /// Whether "it", "this tool" or the like stands before it.
    led: bool,
    /// Whether it is written in capitals.
    capitals: bool,
}

impl Beginning {
    fn of(sentence: &str, verb: impl Fn(&str) -> Option<&'static str>) -> Option<Self> {
        // What follows a plural noun: "Posts are sorted" is about posts.
        const NOUN: [&str; 14] = [
            "is", "are", "was", "were", "has", "have", "can", "cannot", "may", "might", "will", "must", "should", "of",
        ];
        let (mut word, mut rest) = first_word(sentence);
        let mut led = false;
        while let Some(behind) = behind_lead(word, rest) {
            (word, rest) = behind;
            led = true;
        }
        let next = first_word(rest).0.to_lowercase();
        let lower = word.to_lowercase();
        let verb = match (lower.as_str(), next.as_str()) {
            ("look", "up") => verb("lookup"),
            ("looks", "up") => verb("lookups"),
            (word, _) => verb(word),
        };
        // "Read-only", "update_time" and "posts:" are no sentences.
        let ends = rest.is_empty() || rest.starts_with([' ', '\n', '\t', ',', '.', '/', '!', '*']);
        let capitals = !word.chars().any(char::is_lowercase);
        verb.filter(|_| ends && !NOUN.contains(&next.as_str())).map(|verb| Self { verb, led, capitals })
    }
}

/// The word behind "it", "also", "then", "this tool" or "the tool", and what follows it.
fn behind_lead<'t>(word: &str, rest: &'t str) -> Option<(&'t str, &'t str)> {
    let next = first_word(rest);
    match word.to_lowercase().as_str() {
        "it" | "also" | "then" => Some(next),
        "this" | "the" if next.0.eq_ignore_ascii_case("tool") => Some(first_word(next.1)),
        _ => None,
    }
}

/// By tool: the first value of an action parameter that speaks of writing, as it stands in the schema.
pub(super) fn writing_values<'c>(cx: &'c Context<'_>) -> BTreeMap<usize, &'c str> {
    const PROPOSALS: [&str; 5] = ["draft", "plan", "preview", "template", "url"];
    const ACTIONS: [&str; 7] = ["action", "operation", "op", "mode", "command", "verb", "method"];
    let is_action = |node: &&Node<'_>| {
        let named = |name: &str| ACTIONS.into_iter().any(|one| name.eq_ignore_ascii_case(one));
        node.under == "properties" && node.name.is_some_and(named)
    };
    let writes = |value: &&str| {
        let parts: Vec<String> = words(value).collect();
        let verb = parts.first().is_some_and(|first| {
            first == "set" || Kind::Writing.base(first).is_some_and(|verb| verb == "assign" || !VAGUE.contains(&verb))
        });
        // `upload_plan`, `createPreview`: what comes back is only a proposal.
        verb && !parts.last().is_some_and(|last| parts.len() > 1 && PROPOSALS.contains(&last.as_str()))
    };
    let found = cx.inputs().filter_map(|input| {
        let refs = Refs::new(input.root, &input.nodes);
        let mut actions = input.nodes.iter().filter(is_action);
        let value = actions.find_map(|node| {
            let chain = refs.followed(node.value);
            chain.into_iter().flat_map(values).find(writes)
        });
        Some((input.tool, value?))
    });
    found.collect()
}

/// The texts that a schema, or one of its alternatives, allows by name.
fn values(schema: &Value) -> Vec<&str> {
    let mut allowed = Vec::new();
    let alternatives = ["anyOf", "oneOf"].into_iter().filter_map(|keyword| schema.get(keyword)?.as_array()).flatten();
    for one in std::iter::once(schema).chain(alternatives) {
        allowed.extend(one.get("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str));
        allowed.extend(one.get("const").and_then(Value::as_str));
    }
    allowed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        for (word, verb) in [
            ("deletes", "delete"),
            ("patches", "patch"),
            ("modifies", "modify"),
            ("putting", "put"),
            ("erasing", "erase"),
        ] {
            assert_eq!(Kind::Writing.any(word), Some(verb), "{word}");
        }
        for word in ["deleted", "poster", "added", "address", "creation", "sending_to"] {
            assert_eq!(Kind::Writing.any(word), None, "{word}");
        }
        assert_eq!(Kind::Reading.third("queries"), Some("query"));
        assert_eq!(Kind::Reading.third("query"), None);
    }

    #[test]
    fn beginnings() {
        let begins = |sentence| Beginning::of(sentence, |word| Kind::Writing.any(word)).map(|one| one.verb);
        for sentence in
            ["Deletes a boat", "It also removes it", "This tool sends mail", "- **Create** a file", "Remove."]
        {
            assert!(begins(sentence).is_some(), "{sentence}");
        }
        for sentence in ["Posts are sorted", "Updates of a day", "update_time: when", "Write-ahead log", "A post"] {
            assert_eq!(begins(sentence), None, "{sentence}");
        }
        let looks = Beginning::of("Looks up a boat", |word| Kind::Reading.any(word));
        assert_eq!(looks.map(|one| one.verb), Some("lookup"));
    }

    fn tool(name: &str, description: &str) -> Tool {
        let value = serde_json::json!({ "name": name, "description": description });
        Tool { text: value.to_string(), value, oddities: Vec::new(), exact: Vec::new(), page: 0 }
    }

    #[test]
    fn texts_that_speak_of_writing() {
        for text in ["Lists boats. Removes old ones.", "Enable a lamp", "Finds gaps.\n- It also sends them on"] {
            assert!(writing(&tool("t", text)).is_some(), "{text}");
        }
        for text in [
            "Lists boats. Remove the filter to see more.",
            "This tool enables users to find boats.",
            "Finds boats. Replaces the old service.",
            "Finds boats. UPDATES search returns news.",
            "Create a plan. Nothing is written.",
            "Looks. It uses the list, which\nupdates itself.",
        ] {
            assert_eq!(writing(&tool("t", text)), None, "{text}");
        }
    }

    #[test]
    fn the_verb_of_a_name() {
        let prefixes = Prefixes(BTreeSet::from(["acme".to_owned()]));
        let verb = |name, text| prefixes.verb(&tool(name, text), Kind::Writing);
        assert_eq!(verb("deleteBoat", ""), Some("delete"));
        assert_eq!(verb("acme_delete_boat", ""), Some("delete"));
        assert_eq!(verb("boat_delete", "Deletes a boat"), Some("delete"));
        assert_eq!(verb("boat_delete", "Drops a boat"), None);
        assert_eq!(verb("text_create", "Creates a text"), None);
        assert_eq!(verb("pier_create_boat", "Creates a boat"), Some("create"));
        assert_eq!(verb("get_update_log", "Updates of a boat"), None);
        assert_eq!(verb("list_deleted", "Deleted boats"), None);
    }
}
