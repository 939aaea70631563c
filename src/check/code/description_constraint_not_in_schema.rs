//! Conditions between parameters that stand only in the text.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use super::super::words::sentences;
use super::super::{Context, Hit};
use crate::text::pointer::Pointer;

/// Keywords that can hold such a condition.
const HOLD: [&str; 8] =
    ["oneOf", "anyOf", "allOf", "if", "not", "dependentRequired", "dependentSchemas", "dependencies"];

/// Bytes from the start of a sentence that are read: what comes behind a phrase is looked at for each.
const MOST: usize = 4_000;

/// Names times bytes of a sentence that are looked through; a real sentence has some hundred bytes.
const MOST_LOOKED_AT: usize = 1 << 20;

static PHRASE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let phrases = [
        "mutually exclusive",
        "cannot be (?:used|combined|set|given) (?:together )?with",
        "(?:must|can) ?not both be",
        "but not both",
        "at least one of",
        "exactly one of",
        "either .{1,60} or .{1,60} (?:must|is required|are required)",
        "(?:is |are )?(?:only )?required (?:when|if|unless)",
        "unless .{1,60} must",
        "must be (?:set|given|provided|specified) (?:when|if|unless|together|too)",
    ];
    Regex::new(&format!("(?i)\\b(?:{})\\b", phrases.join("|"))).ok()
});

/// Conditions whose two sides stand right beside the words for them; there an ordinary word is a name as well.
static SIDES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let one = |side: &str| format!("[`'\"]?(?P<{side}>[A-Za-z_][\\w-]*)[`'\"]?");
    let held = "(?:set|given|used|provided|specified|passed)";
    let given = "(?:is|are) (?:not )?(?:set|given|provided|specified|present|used|passed|supplied|omitted|missing)";
    let bound = "(?:must|is required|are required|may not|cannot|can't|is mandatory)";
    let forms = [
        format!(
            "(?:either|one of|only one of|exactly one of|at least one of|at most one of) {} (?:or|and) {}",
            one("a"),
            one("b")
        ),
        format!(
            "{} (?:and|or) {} (?:are mutually exclusive|(?:must|can ?not) (?:not )?be {held} together|cannot be combined)",
            one("c"),
            one("d")
        ),
        format!("{} or {} (?:(?:is|are) required|must be {held})", one("g"), one("h")),
        format!("(?:if|when|unless) {} {given},? (?:then )?{} {bound}", one("e"), one("f")),
    ];
    Regex::new(&format!("(?i)\\b(?:{})", forms.join("|"))).ok()
});

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(phrase) = PHRASE.as_ref() else { return Vec::new() };
    let mut hits = Vec::new();
    for (n, tool) in cx.tools() {
        let Some(schema) = tool.input_schema().filter(|schema| !HOLD.iter().any(|word| schema.get(word).is_some()))
        else {
            continue;
        };
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { continue };
        let known: Vec<&str> = properties.keys().map(String::as_str).collect();
        let own = tool.description().map(|text| (Pointer::root().key("description"), text, None));
        let base = Pointer::root().key("inputSchema").key("properties");
        let inside = properties.iter().filter_map(|(name, param)| {
            Some((base.key(name).key("description"), param.get("description")?.as_str()?, Some(name.as_str())))
        });
        let told = own.into_iter().chain(inside).find_map(|(at, text, param)| {
            let bound = entries(text, properties).flat_map(sentences).find_map(|sentence| {
                let sentence = sentence.get(..sentence.floor_char_boundary(MOST)).unwrap_or_default();
                let spoken = || {
                    let is_bound = phrase.find_iter(sentence).any(|found| is_demand(sentence, found.range()));
                    let bound = is_bound.then(|| parameters(sentence, &known, param))?;
                    (bound.len() >= 2).then_some(bound)
                };
                sides(sentence, properties).or_else(spoken)
            })?;
            Some((at, bound))
        });
        if let Some((at, bound)) = told {
            let bound: Vec<&str> = bound.into_iter().collect();
            hits.push(Hit::tool(n, at).fact("names", bound.join(", ")));
        }
    }
    hits
}

/// A text in parts: a line that begins with a parameter's name, as in a block of arguments, begins a new one.
fn entries<'t>(text: &'t str, known: &Map<String, Value>) -> impl Iterator<Item = &'t str> {
    let opens = |line: &str| {
        let line = line.trim_start_matches(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        let end = line.find(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '-')));
        end.is_some_and(|end| {
            line.get(..end).is_some_and(|name| known.contains_key(name))
                && line[end..].trim_start_matches(['`', '*', ' ']).starts_with([':', '('])
        })
    };
    let mut cuts = vec![0];
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if offset > 0 && opens(line) {
            cuts.push(offset);
        }
        offset += line.len();
    }
    let ends: Vec<usize> = cuts.iter().skip(1).copied().chain([text.len()]).collect();
    cuts.into_iter().zip(ends).filter_map(|(from, to)| text.get(from..to))
}

/// Whether words for a condition put one: what "accepts either", or "can be combined" after all, demands nothing.
fn is_demand(sentence: &str, at: Range<usize>) -> bool {
    const ONE_OF: [&str; 6] = ["accepts", "accept", "takes", "in", "from", "supports"];
    const MAY: [&str; 3] = ["can be", "may be", "could be"];
    let before = sentence.get(..at.start).unwrap_or_default().split_whitespace().next_back().unwrap_or_default();
    let after = sentence.get(at.end..).unwrap_or_default().to_lowercase();
    if after.contains("can be combined") {
        return false;
    }
    let is_either = sentence.get(at).is_some_and(|found| found.to_lowercase().starts_with("either"));
    let is_offer = ONE_OF.contains(&before.to_lowercase().as_str()) || MAY.iter().any(|may| after.contains(may));
    !(is_either && is_offer)
}

/// The two parameters between which a sentence puts a condition.
fn sides<'n>(sentence: &str, known: &'n Map<String, Value>) -> Option<BTreeSet<&'n str>> {
    let found = SIDES.as_ref()?.captures(sentence)?;
    let whole = found.get(0)?.range();
    if !is_demand(sentence, whole) {
        return None;
    }
    let side = |names: [&str; 4]| names.into_iter().find_map(|name| found.name(name)).map(|one| one.as_str());
    let pair = [side(["a", "c", "e", "g"])?, side(["b", "d", "f", "h"])?];
    let known: Option<BTreeSet<&str>> =
        pair.into_iter().map(|name| known.get_key_value(name).map(|(name, _)| name.as_str())).collect();
    known.filter(|pair| pair.len() == 2)
}

/// The parameters that a sentence names, `own` among them if it stands at one: in back-ticks or quotes, or as a word that
/// is no ordinary one. An ordinary word counts where there is only one such.
fn parameters<'n>(sentence: &str, names: &[&'n str], own: Option<&'n str>) -> BTreeSet<&'n str> {
    // Each name is looked for in the whole sentence.
    if names.len().saturating_mul(sentence.len()) > MOST_LOOKED_AT {
        return BTreeSet::new();
    }
    let stands = |name: &str, form: fn(&str) -> String| sentence.contains(&form(name));
    let is_sure = |name: &&&str| {
        stands(name, |name| format!("`{name}`"))
            || stands(name, |name| format!("'{name}'"))
            || ((name.contains('_') || has_hump(name)) && has_word(sentence, name))
    };
    let names: Vec<&'n str> = names.iter().filter(|name| sentence.contains(**name)).copied().collect();
    let sure: BTreeSet<&str> = names.iter().filter(is_sure).copied().collect();
    let whole: BTreeSet<&str> = sure.iter().copied().chain(own).collect();
    if sure.is_empty() || whole.len() >= 2 {
        return whole;
    }
    names.iter().filter(|name| whole.contains(**name) || has_word(sentence, name)).copied().collect()
}

/// Whether a name is two words by a capital letter inside, as no ordinary word is.
fn has_hump(name: &str) -> bool {
    name.starts_with(char::is_lowercase) && name.contains(char::is_uppercase)
}

fn has_word(sentence: &str, name: &str) -> bool {
    sentence.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).any(|word| word == name)
}
