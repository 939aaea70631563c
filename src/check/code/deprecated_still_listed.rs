//! Tools that say of themselves that they are deprecated. The word in another place, or said of what a tool handles,
//! marks nothing.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::check::words::{sentences, words};
use crate::check::{Context, Hit};
use crate::surface::contract::opens_with_deprecated;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (n, tool) in cx.tools() {
        let marks = marks(&tool.value);
        let Some(first) = marks.first() else { continue };
        let tokens = cx.measures.tools.get(n).map(|figures| figures.size.o200k);
        let hit = Hit::tool(n, first.at.clone()).fact("measured", tokens);
        let others = |mark: &Mark| replacement(&mark.text, cx.served()).filter(|name| tool.name() != Some(*name));
        hits.push(match marks.iter().find_map(others) {
            Some(name) => hit.fact("replacement", name),
            None => hit,
        });
    }
    hits
}

/// What says that a tool is deprecated.
struct Mark {
    at: Pointer,
    /// The sentence that says so and the next, or the value of the member.
    text: String,
}

fn marks(tool: &Value) -> Vec<Mark> {
    let mut marks = Vec::new();
    for place in ["/description", "/title", "/annotations/title"] {
        let Some(text) = tool.pointer(place).and_then(Value::as_str) else { continue };
        let marked = if place.ends_with("title") { in_title(text) } else { in_text(text) };
        marks.extend(marked.map(|text| Mark { at: Pointer::from_text(place), text }));
    }
    let root = Pointer::root();
    let holders = [root.clone(), root.key("annotations"), root.key("_meta")];
    for holder in holders {
        let members = holder.find(tool).and_then(Value::as_object).into_iter().flatten();
        let in_meta = holder.as_str() == "/_meta";
        for (name, value) in members {
            let word = if in_meta { name.rsplit('/').next().unwrap_or(name) } else { name };
            let says_no = matches!(value, Value::Null | Value::Bool(false)) || value == "";
            if word == "deprecated" && !says_no {
                marks.push(Mark { at: holder.key(name), text: value.as_str().unwrap_or_default().to_owned() });
            }
        }
    }
    marks
}

fn in_title(text: &str) -> Option<String> {
    let end = text.trim_end().to_ascii_lowercase();
    let closes = end.ends_with("(deprecated)") || end.ends_with("[deprecated]");
    (closes || opens_with_deprecated(text)).then(|| text.to_owned())
}

/// The sentence that marks the tool, and the one behind it.
fn in_text(text: &str) -> Option<String> {
    let mut rest = sentences(text).enumerate().skip_while(|(n, sentence)| {
        let opens = opens_with_deprecated(sentence) && (*n == 0 || stands_alone(sentence));
        !(opens || (*n == 0 && in_brackets(sentence)) || says_of_itself(sentence))
    });
    let (_, marked) = rest.next()?;
    let next = rest.next().map_or("", |(_, next)| next);
    Some(format!("{marked} {next}"))
}

/// Whether the brackets in front hold the word as a state: "(legacy, deprecated since 2.1) Fetches a boat".
fn in_brackets(sentence: &str) -> bool {
    let inside = sentence.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let inside = inside.or_else(|| sentence.strip_prefix('[')?.split_once(']'));
    inside.is_some_and(|(inside, _)| inside.split([',', ';', ':']).any(|part| opens_with_deprecated(part.trim())))
}

/// Whether a later sentence is more than an entry of a list of fields, such as "- deprecated: whether it is".
fn stands_alone(sentence: &str) -> bool {
    let word = sentence.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let is_entry = sentence.starts_with(['-', '+', '•']) || sentence.starts_with("* ");
    !is_entry && (word.starts_with('D') || word.starts_with('N') || sentence.starts_with(['@', '(', '[', '*', '_']))
}

/// Whether a sentence says that this tool is deprecated or no longer supported.
fn says_of_itself(sentence: &str) -> bool {
    const THINGS: [&str; 5] = ["tool", "method", "endpoint", "command", "function"];
    const UNSURE: [&str; 5] = ["if", "that", "when", "whether", "while"];
    let words: Vec<String> = words(sentence).collect();
    let word = |n: usize| words.get(n).map_or("", String::as_str);
    (0..words.len()).any(|n| {
        let unsure = n > 0 && UNSURE.contains(&word(n - 1));
        let thing = [n + 1, n + 2].into_iter().find(|n| THINGS.contains(&word(*n)));
        word(n) == "this" && !unsure && thing.is_some_and(|thing| is_gone(words.get(thing + 1..).unwrap_or_default()))
    })
}

/// Whether what is said of a thing is that it is deprecated or no longer supported.
fn is_gone(said: &[String]) -> bool {
    let said: Vec<&str> = said.iter().take(5).map(String::as_str).filter(|word| *word != "now").collect();
    matches!(
        said.as_slice(),
        ["is", "deprecated", ..] | ["has", "been", "deprecated", ..] | ["is", "no", "longer", "supported", ..]
    )
}

/// The served tool that takes over, by what follows the word for it.
fn replacement<'n>(text: &str, served: &BTreeSet<&'n str>) -> Option<&'n str> {
    const CUES: [&str; 6] = ["use ", "replaced by ", "superseded by ", "in favour of ", "in favor of ", "see "];
    // How many words may stand between: "use the newer tool `x`".
    const REACH: usize = 4;
    if let Some(name) = served.get(text) {
        return Some(name);
    }
    let lower = text.to_ascii_lowercase();
    let behind = |cue: &'static str| {
        let begins_word = |at: usize| !lower.get(..at).is_some_and(|head| head.ends_with(char::is_alphanumeric));
        lower
            .match_indices(cue)
            .filter(move |(at, _)| begins_word(*at))
            .filter_map(|(at, _)| text.get(at + cue.len()..))
    };
    CUES.into_iter().flat_map(behind).find_map(|behind| {
        let sign = |letter: char| !(letter.is_alphanumeric() || "_-./".contains(letter));
        let mut names = behind.split(sign).filter(|word| !word.is_empty()).take(REACH);
        names.find_map(|word| served.get(word.trim_end_matches('.')).copied())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn marked_and_mentioned() {
        for text in [
            "Fetches a boat.\n\n**Deprecated.** It cannot name a pier.",
            "Fetches a boat @deprecated This method is deprecated",
            "**This endpoint is deprecated.**\n\nMerges.",
            "Note: This API endpoint has been deprecated since May.",
            "Reads. DEPRECATED: Use read_text instead.",
            "No longer supported. Use read_text.",
            "(Legacy, deprecated since 2.1) Fetches a boat.",
            "This tool is no longer supported.",
        ] {
            assert!(in_text(text).is_some(), "{text}");
        }
        for text in [
            "Lists boats.\n- deprecated: whether it is",
            "Tells whether this function is deprecated.",
            "Lists lamps for which bulbs are no longer supported.",
            "Finds boats. Deprecated ones are left out.",
            "This server is deprecated.",
            "(Replaces the deprecated one) Fetches a boat.",
        ] {
            assert_eq!(in_text(text), None, "{text}");
        }
        assert!(in_title("Read (Deprecated)").is_some() && in_title("Deprecated lamps").is_none());
    }

    #[test]
    fn members_mark_and_name_the_next() {
        let tool =
            json!({ "deprecated": "", "annotations": { "deprecated": false }, "_meta": { "a.b/deprecated": "dim" } });
        let marks = marks(&tool);
        assert_eq!(marks.len(), 1);
        assert_eq!(marks[0].at.as_str(), "/_meta/a.b~1deprecated");
        let served = BTreeSet::from(["dim", "run_program"]);
        assert_eq!(replacement(&marks[0].text, &served), Some("dim"));
        assert_eq!(replacement("[Deprecated: use run_program] Fires.", &served), Some("run_program"));
        assert_eq!(replacement("Deprecated. Use the `dim` tool.", &served), Some("dim"));
        assert_eq!(replacement("Deprecated: reuse dim.", &served), None);
    }
}
