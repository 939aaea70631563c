//! Characters in texts and member names that nobody sees. What scripts and emoji need is left alone; `scripts` knows
//! what that is.

use crate::check::scripts::{has_variant, is_emoji, is_right_to_left, joins, runs_on};
use crate::check::strings::{Step, place, walk};
use crate::check::{Context, Hit, On};
use crate::text::{pointer::Pointer, safe};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    if let Some(text) = cx.surface.instructions.as_deref() {
        let at = || Pointer::root().key("initialize").key("instructions");
        hits.extend(hit(On::Server, at, &[], text));
    }
    for (n, tool) in cx.tools() {
        walk(&tool.value, &mut Vec::new(), &mut |steps, text| {
            hits.extend(hit(On::Tool(n), || place(steps), steps, text));
        });
    }
    hits
}

fn hit(on: On, at: impl FnOnce() -> Pointer, steps: &[Step<'_>], text: &str) -> Option<Hit> {
    // Most texts hold nothing that could be hidden, and are passed over quickly.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r')) {
        return None;
    }
    let mut hidden = hidden(text);
    if is_value(steps) {
        // A separator or a mark that a parameter really takes is not hidden in a text: it is the value.
        let alone = text.chars().count() == 1;
        hidden.retain(|letter| !alone && !letter.is_control());
    }
    let value = named(&hidden)?;
    let hit = Hit::new(on, at()).fact("value", value);
    Some(match decoded(&hidden) {
        Some(words) => hit.fact("decoded", words),
        None => hit,
    })
}

/// What the hidden characters of a text spell, if they spell anything.
pub(super) fn smuggled(text: &str) -> Option<String> {
    (!text.is_ascii()).then(|| decoded(&hidden(text)))?
}

/// Whether a text is a value that a schema allows, and not words about it.
pub(super) fn is_value(steps: &[Step<'_>]) -> bool {
    let named = |step: &Step<'_>| matches!(step, Step::Member("const" | "default" | "enum" | "examples" | "pattern"));
    steps.iter().rev().take(2).any(named)
}

/// The hidden characters of a text, in order.
fn hidden(text: &str) -> Vec<char> {
    let right_to_left = text.chars().any(is_right_to_left);
    let isolates = isolates_match(text);
    let flags: Vec<bool> = flags(text);
    let mut found = Vec::new();
    let mut before = None;
    let mut letters = text.chars().zip(flags).peekable();
    while let Some((letter, in_flag)) = letters.next() {
        let after = letters.peek().map(|(after, _)| *after);
        let is_hidden = match letter {
            '\t' | '\n' | '\r' => false,
            '\u{61c}' | '\u{200e}' | '\u{200f}' => !right_to_left,
            '\u{2066}'..='\u{2069}' => !(right_to_left && isolates),
            '\u{200b}' => !is_break(before, after),
            '\u{200c}' | '\u{200d}' => !is_joiner(letter, before, after),
            '\u{e0020}'..='\u{e007f}' => !in_flag,
            _ if is_selector(letter) => {
                after.is_some_and(is_selector) || !before.is_some_and(|base| has_variant(base, letter))
            }
            _ => is_never_seen(letter),
        };
        if is_hidden {
            found.push(letter);
        }
        before = Some(letter);
    }
    found
}

fn is_selector(letter: char) -> bool {
    matches!(letter, '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Characters that no text needs: controls, embeddings and overrides, fillers, invisible operators, annotation marks,
/// the byte order mark, and code points that are set aside to be invisible.
fn is_never_seen(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a zero-width space stands beside a script that is written without blanks.
fn is_break(before: Option<char>, after: Option<char>) -> bool {
    let twice = before == Some('\u{200b}') || after == Some('\u{200b}');
    !twice && (before.is_some_and(runs_on) || after.is_some_and(runs_on))
}

/// Whether a joiner stands behind a letter that it shapes, or between two emoji.
fn is_joiner(letter: char, before: Option<char>, after: Option<char>) -> bool {
    let Some(before) = before else { return false };
    let twice = matches!(after, Some('\u{200b}'..='\u{200d}'));
    let emoji = (is_emoji(before) || before == '\u{fe0f}') && after.is_some_and(is_emoji);
    !twice && (joins(before) || (letter == '\u{200d}' && emoji))
}

/// Whether every isolate is closed, and nothing is closed that was not opened.
fn isolates_match(text: &str) -> bool {
    let mut open = 0usize;
    for letter in text.chars() {
        match letter {
            '\u{2066}'..='\u{2068}' => open += 1,
            '\u{2069}' if open == 0 => return false,
            '\u{2069}' => open -= 1,
            _ => {}
        }
    }
    open == 0
}

/// For each character whether it belongs to the flag of a region: a black flag, three to six tags, the end tag.
fn flags(text: &str) -> Vec<bool> {
    let mut marks = Vec::new();
    // Where the tags behind the last black flag began, while only tags have followed it.
    let mut flag = None;
    for letter in text.chars() {
        let here = marks.len();
        marks.push(false);
        match letter {
            '\u{1f3f4}' => flag = Some(here + 1),
            '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}' => {}
            '\u{e007f}' => {
                let tags = flag.take().filter(|from| (3..=6).contains(&(here - from)));
                for mark in tags.into_iter().flat_map(|from| from..=here) {
                    if let Some(mark) = marks.get_mut(mark) {
                        *mark = true;
                    }
                }
            }
            _ => flag = None,
        }
    }
    marks
}

/// The different code points in the order they come, eight of them at most; none when there is none.
fn named(hidden: &[char]) -> Option<String> {
    const SHOWN: usize = 8;
    let mut different: Vec<char> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    different.extend(hidden.iter().filter(|letter| seen.insert(**letter)));
    let names: Vec<String> =
        different.iter().take(SHOWN).map(|letter| format!("U+{:04X}", u32::from(*letter))).collect();
    let more = different.len().saturating_sub(SHOWN);
    let names = (!names.is_empty()).then(|| names.join(", "))?;
    Some(if more > 0 { format!("{names} and {more} more") } else { names })
}

/// What tags spell, and what selectors do when each stands for a byte.
fn decoded(hidden: &[char]) -> Option<String> {
    const MOST: usize = 400;
    let tags = hidden.iter().filter_map(|letter| match u32::from(*letter) {
        code @ 0xe0020..=0xe007e => char::from_u32(code - 0xe0000),
        _ => None,
    });
    let bytes = hidden.iter().filter_map(|letter| match u32::from(*letter) {
        code @ 0xfe00..=0xfe0f => u8::try_from(code - 0xfe00).ok(),
        code @ 0xe0100..=0xe01ef => u8::try_from(code - 0xe0100 + 16).ok(),
        _ => None,
    });
    let text =
        String::from_utf8(bytes.collect()).ok().filter(|text| text.chars().all(|letter| !safe::is_unseen(letter)));
    let spelt: String = tags.chain(text.unwrap_or_default().chars()).collect();
    (!spelt.is_empty()).then(|| safe::clip(&spelt, MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_scripts_and_emoji_need() {
        for text in [
            "فهرست ایستگاه\u{200c}ها",
            "👩\u{200d}🍳 ❤\u{fe0f}\u{200d}🔥 1\u{fe0f}\u{20e3} ⚠\u{fe0f} ✌🏽",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "שלום\u{200f}! \u{2067}a\u{2069}",
            "ภาษา\u{200b}ไทย ក\u{200b} ខ",
            "ക്\u{200d} मे",
            "辻\u{e0100} \u{1820}\u{180b}",
            "tab\there",
        ] {
            assert_eq!(named(&hidden(text)), None, "{text:?}");
        }
    }

    #[test]
    fn what_nobody_needs() {
        for (text, codes) in [
            ("a\u{200b}\u{2063}\u{200b}b", "U+200B, U+2063"),
            ("a\u{200d}b\u{200c}", "U+200D, U+200C"),
            ("a\u{202e}b\u{202c}", "U+202E, U+202C"),
            ("\u{feff}a\u{ad}\u{1b}[0m\u{9b}", "U+FEFF, U+00AD, U+001B, U+009B"),
            ("שלום\u{202b}", "U+202B"),
            ("שלום\u{2067}a", "U+2067"),
            ("a\u{200e}b\u{2066}c", "U+200E, U+2066"),
            ("a \u{2066}b\u{2069}", "U+2066, U+2069"),
            ("a\u{fe0f}", "U+FE0F"),
            ("😀\u{fe0f}\u{fe0f}", "U+FE0F"),
            ("ه\u{200c}\u{200c}a", "U+200C"),
            ("\u{1f3f4}\u{e0067}\u{e0062}", "U+E0067, U+E0062"),
            ("ก\u{200b}\u{200b}ก", "U+200B"),
        ] {
            assert_eq!(named(&hidden(text)).as_deref(), Some(codes), "{text:?}");
        }
    }

    #[test]
    fn hidden_words_are_read() {
        let tags: String = "also send".chars().filter_map(|one| char::from_u32(u32::from(one) + 0xe0000)).collect();
        assert_eq!(decoded(&hidden(&format!("Stop.{tags}"))).as_deref(), Some("also send"));
        assert_eq!(named(&hidden(&tags)).as_deref().map(|text| text.ends_with("U+E006E, U+E0064")), Some(true));
        let bytes = "run it".bytes().filter_map(|byte| char::from_u32(0xe0100 - 16 + u32::from(byte)));
        let text: String = std::iter::once('😀').chain(bytes).collect();
        assert_eq!(decoded(&hidden(&text)).as_deref(), Some("run it"));
        assert_eq!(decoded(&['\u{200b}']), None);
    }
}
