//! The split of a text into the pieces within which bytes may merge.
//!
//! Apart, because it is one published regular expression per encoding, written out by hand: compiling the expression
//! takes longer than counting a usual answer, and its look-ahead and backtracking are not linear. Each function names
//! the branch that it stands for; a branch is tried only when those before it failed, as the expression does it. The
//! expressions are in tiktoken-rs, `src/tiktoken_ext/openai_public.rs`.

use super::layout::{LOWER, MARK, NEWLINE, NUMBER, PAGE_BITS, SPACE, UNCASED, UPPER};

/// `\p{L}`.
const LETTER: u8 = UPPER | LOWER | UNCASED;
/// `[\p{Lm}\p{Lo}\p{M}]`: what both runs of a word of o200k take.
const SHARED: u8 = UNCASED | MARK;

/// The number of the page of each stretch of code points, and the pages, one class per code point.
static INDEX: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/classes.index"));
static PAGES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/classes.pages"));

/// The length in bytes of the first piece of a text under o200k's expression.
pub(super) fn o200k(text: &str) -> usize {
    let Some(first) = text.chars().next() else {
        return 0;
    };
    cased_word(text, first)
        .or_else(|| number(text))
        .or_else(|| symbols(text, first, b"\r\n/"))
        .unwrap_or_else(|| Blank::of(text).o200k())
}

/// The length in bytes of the first piece of a text under cl100k's expression.
pub(super) fn cl100k(text: &str) -> usize {
    let Some(first) = text.chars().next() else {
        return 0;
    };
    contraction(text)
        .or_else(|| word(text, first))
        .or_else(|| number(text))
        .or_else(|| symbols(text, first, b"\r\n"))
        .unwrap_or_else(|| Blank::of(text).cl100k())
}

/// The two first branches of o200k: `[^\r\n\p{L}\p{N}]?[Lu Lt Lm Lo M]*[Ll Lm Lo M]+` and
/// `[^\r\n\p{L}\p{N}]?[Lu Lt Lm Lo M]+[Ll Lm Lo M]*`, each with a contraction at the end if there is one.
fn cased_word(text: &str, first: char) -> Option<usize> {
    let start = lead(first);
    let mut end = start;
    let mut last_shared = None;
    let mut lower_follows = false;
    for char in text.get(start..)?.chars() {
        let class = class(char);
        if class & (UPPER | SHARED) == 0 {
            lower_follows = class & LOWER != 0;
            break;
        }
        end += char.len_utf8();
        if class & SHARED != 0 {
            last_shared = Some(end);
        }
    }
    if lower_follows {
        end = run(text, end, |class| class & (LOWER | SHARED) != 0);
    } else if let Some(shared) = last_shared {
        // The second run needs a character: the first gives back all it took after the last one that both may have,
        // capitals too, for the first branch wins even where the second would reach further.
        end = shared;
    } else if class(first) & MARK != 0 {
        // The same, where the only such character is the one taken for the lead.
        end = start;
    } else if end == start {
        return None;
    }
    Some(end + contraction(text.get(end..)?).unwrap_or(0))
}

/// `[^\r\n\p{L}\p{N}]?+\p{L}++` of cl100k.
fn word(text: &str, first: char) -> Option<usize> {
    let start = lead(first);
    let end = run(text, start, |class| class & LETTER != 0);
    (end > start).then_some(end)
}

/// `[^\r\n\p{L}\p{N}]?`: how much of the text goes before the letters of a word.
fn lead(first: char) -> usize {
    if class(first) & (LETTER | NUMBER | NEWLINE) == 0 { first.len_utf8() } else { 0 }
}

/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)`. The long s folds to s; the other letters have no such relative.
fn contraction(text: &str) -> Option<usize> {
    let mut chars = text.strip_prefix('\'')?.chars();
    let first = chars.next()?;
    let second = match first {
        's' | 'S' | '\u{17F}' | 't' | 'T' | 'm' | 'M' | 'd' | 'D' => {
            return Some(1 + first.len_utf8());
        }
        'r' | 'R' | 'v' | 'V' => 'e',
        'l' | 'L' => 'l',
        _ => return None,
    };
    (chars.next()?.to_ascii_lowercase() == second).then_some(3)
}

/// `\p{N}{1,3}`.
fn number(text: &str) -> Option<usize> {
    let digits = text.chars().take(3);
    let end = digits.take_while(|&char| class(char) & NUMBER != 0).map(char::len_utf8).sum();
    (end > 0).then_some(end)
}

/// ` ?[^\s\p{L}\p{N}]+` and after it any number of the bytes in `tail`.
fn symbols(text: &str, first: char, tail: &[u8]) -> Option<usize> {
    let start = usize::from(first == ' ');
    let end = run(text, start, |class| class & (SPACE | LETTER | NUMBER) == 0);
    if end == start {
        return None;
    }
    let after = text.as_bytes().get(end..)?.iter();
    Some(end + after.take_while(|byte| tail.contains(byte)).count())
}

/// The white space that a text begins with, and the ways to end a piece within it. All are offsets in bytes.
struct Blank {
    /// Where the white space ends.
    end: usize,
    /// Where its last character begins.
    last: usize,
    /// Where its last line break ends; 0 if it has none.
    newline: usize,
    /// Whether the text ends with it.
    is_rest: bool,
}

impl Blank {
    fn of(text: &str) -> Self {
        let (mut end, mut last, mut newline) = (0, 0, 0);
        for char in text.chars() {
            let class = class(char);
            if class & SPACE == 0 {
                break;
            }
            last = end;
            end += char.len_utf8();
            if class & NEWLINE != 0 {
                newline = end;
            }
        }
        let is_rest = end == text.len();
        Self { end, last, newline, is_rest }
    }

    /// `\s*[\r\n]+|\s+(?!\S)|\s+`.
    fn o200k(&self) -> usize {
        if self.newline > 0 { self.newline } else { self.before_word() }
    }

    /// `\s++$|\s*[\r\n]|\s+(?!\S)|\s`.
    fn cl100k(&self) -> usize {
        if self.is_rest { self.end } else { self.o200k() }
    }

    /// `\s+(?!\S)|\s+`: the last character is left to the word behind, unless it is the only one.
    fn before_word(&self) -> usize {
        if self.is_rest || self.last == 0 { self.end } else { self.last }
    }
}

/// Where the characters from `from` on end whose class is accepted.
fn run(text: &str, from: usize, accepts: impl Fn(u8) -> bool) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let stop = rest.find(|char| !accepts(class(char)));
    stop.map_or(text.len(), |length| from + length)
}

/// What the expressions may ask of a character, as bits of `layout`.
fn class(char: char) -> u8 {
    let point = char as usize;
    let page = INDEX.get(point >> PAGE_BITS).copied().unwrap_or(0);
    let within = point & ((1 << PAGE_BITS) - 1);
    let class = PAGES.get(usize::from(page) << PAGE_BITS | within);
    class.copied().unwrap_or(0)
}
