//! Names and descriptions cut into words and sentences, for the checks that read them.

/// The words of a name or a text, lower-cased: cut at everything that is neither letter nor digit, and at a change
/// from lower to upper case, or behind an acronym.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let runs = text.split(|letter: char| !letter.is_alphanumeric()).filter(|run| !run.is_empty());
    runs.flat_map(humps).map(str::to_lowercase)
}

/// `getLampState` as `get`, `Lamp`, `State`; `VSDRemoveSource` as `VSD`, `Remove`, `Source`.
fn humps(run: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = run;
    while let Some(cut) = hump_end(rest) {
        let (part, tail) = rest.split_at_checked(cut).unwrap_or((rest, ""));
        parts.push(part);
        rest = tail;
    }
    parts.push(rest);
    parts
}

fn hump_end(run: &str) -> Option<usize> {
    let letters: Vec<(usize, char)> = run.char_indices().collect();
    let is = |n: usize, is: fn(char) -> bool| letters.get(n).is_some_and(|(_, letter)| is(*letter));
    let ends = (1..letters.len()).find(|n| {
        let hump = is(n - 1, char::is_lowercase) && is(*n, char::is_uppercase);
        // A plural is no new word: `IDs`.
        let acronym = is(n - 1, char::is_uppercase)
            && is(*n, char::is_uppercase)
            && is(n + 1, char::is_lowercase)
            && is(n + 2, char::is_lowercase);
        hump || acronym
    });
    ends.and_then(|n| letters.get(n)).map(|(at, _)| *at)
}

/// The sentences of a text, blanks around them off, empty ones left out.
///
/// A sentence ends at `.`, `!` or `?` before a blank, at an empty line, and at a line end unless the next line goes on
/// with a small letter, as it does in wrapped text. The dots of "e.g." end none.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    let pieces = std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (sentence, tail) = rest.split_at_checked(sentence_end(rest)).unwrap_or((rest, ""));
        rest = tail;
        Some(sentence.trim())
    });
    pieces.filter(|sentence| !sentence.is_empty())
}

/// Where the first sentence of `text` ends, its mark included.
fn sentence_end(text: &str) -> usize {
    let mut letters_before = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((_, letter)) = letters.next() {
        let next = letters.peek().map_or(text.len(), |(next, _)| *next);
        let ends = match letter {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => {
                let before_blank = letters.peek().is_none_or(|(_, next)| next.is_whitespace());
                before_blank && !(letter == '.' && letters_before == 1)
            }
            '\n' => !goes_on(text.get(next..).unwrap_or_default()),
            _ => false,
        };
        if ends {
            return next;
        }
        letters_before = if letter.is_alphanumeric() { letters_before + 1 } else { 0 };
    }
    text.len()
}

/// Whether a line continues the one before it.
fn goes_on(line: &str) -> bool {
    line.trim_start_matches([' ', '\t', '\r']).starts_with(char::is_lowercase)
}

/// The first word of a text behind signs and blanks, and what follows it.
pub(super) fn first_word(text: &str) -> (&str, &str) {
    let start = text.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let end = start.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(start.len());
    start.split_at_checked(end).unwrap_or((start, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_names() {
        assert_eq!(
            words("getLamp_state-2 HTTPStatus").collect::<Vec<_>>(),
            ["get", "lamp", "state", "2", "http", "status"]
        );
        assert_eq!(words("Größe messen").collect::<Vec<_>>(), ["größe", "messen"]);
        assert_eq!(words("--").count(), 0);
    }

    #[test]
    fn sentences_of_texts() {
        let cut = |text| sentences(text).collect::<Vec<_>>();
        assert_eq!(cut("Lists 3.5 boats. Removes one!  "), ["Lists 3.5 boats.", "Removes one!"]);
        assert_eq!(cut("Lists boats, e.g. small ones"), ["Lists boats, e.g. small ones"]);
        assert_eq!(cut("Finds boats and\n  removes them.\n\n- Sorts"), ["Finds boats and\n  removes them.", "- Sorts"]);
        assert_eq!(cut(""), Vec::<&str>::new());
    }

    #[test]
    fn first_words() {
        assert_eq!(first_word("**Lists** boats"), ("Lists", "** boats"));
        assert_eq!(first_word("…"), ("", ""));
    }
}
