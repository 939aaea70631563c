//! Places of a config file as line and column, with the lines around them, from which every value is taken out.

use std::ops::Range;

use super::File;
use super::vars::MASK;
use crate::finding::Place;
use crate::input::windows::without_return;

/// Letters kept of a line on each side of where a label begins.
const AROUND: usize = 160;

impl File {
    /// The place of these bytes: line and column from 1, and the line with one neighbour on each side. Values that may
    /// be secret are masked in them.
    pub fn place(&self, at: &Range<usize>) -> Place {
        let start = self.text.floor_char_boundary(at.start.min(self.text.len()));
        let before = self.text.get(..start).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line_end = self.line_end(start);
        let end = self.text.floor_char_boundary(at.end.clamp(start, line_end));
        let column = self.text.get(line_start..start).unwrap_or_default().chars().count() + 1;

        let head = last(&self.masked(line_start..start), AROUND);
        let label = first(&self.masked(start..end), AROUND);
        let rest = first(&self.masked(end..line_end), AROUND);
        let width = label.chars().count().max(1);
        let from = head.chars().count();
        let mut shown = vec![format!("{head}{label}{rest}")];
        let mut first_line = line;
        // Of a file that does not parse it is not known what is a value: the line at fault must do.
        if self.broken.is_none() {
            if line_start > 0 {
                let above = self.text.get(..line_start - 1).and_then(|text| text.rfind('\n')).map_or(0, |at| at + 1);
                shown.insert(0, first(&self.masked(above..line_start - 1), 2 * AROUND));
                first_line -= 1;
            }
            if line_end + 1 < self.text.len() {
                shown.push(first(&self.masked(line_end + 1..self.line_end(line_end + 1)), 2 * AROUND));
            }
        }
        Place { file: self.path.clone(), line, column, first_line, shown, label: from..from + width }
    }

    fn line_end(&self, from: usize) -> usize {
        self.text.get(from..).and_then(|rest| rest.find('\n')).map_or(self.text.len(), |at| from + at)
    }

    /// A part of the text on one line, without what no output may show.
    fn masked(&self, part: Range<usize>) -> String {
        let mut out = String::new();
        let mut from = part.start;
        for hidden in &self.hidden {
            if hidden.end <= from || hidden.start >= part.end {
                continue;
            }
            out.push_str(self.text.get(from..hidden.start.max(from)).unwrap_or_default());
            out.push_str(MASK);
            from = hidden.end.min(part.end);
        }
        out.push_str(self.text.get(from..part.end).unwrap_or_default());
        without_return(&out).to_owned()
    }
}

/// The last letters of a text.
fn last(text: &str, most: usize) -> String {
    let skipped = text.chars().count().saturating_sub(most);
    text.chars().skip(skipped).collect()
}

/// The first letters of a text.
fn first(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// What is quoted in a text that does not parse, and is no name: the bytes between the quotes.
pub(super) fn strings(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        match (open, letter) {
            (Some(_), '\\') => escaped = !escaped,
            // A line end closes what somebody forgot to.
            (Some(start), '"' | '\n') if !escaped => {
                let name = text.get(at + 1..).is_some_and(|rest| rest.trim_start().starts_with(':'));
                if !name && at > start {
                    found.push(start..at);
                }
                open = None;
            }
            (None, '"') => open = Some(at + 1),
            _ => escaped = false,
        }
    }
    found.extend(open.filter(|start| *start < text.len()).map(|start| start..text.len()));
    // Text without quotes can hold a value too, in TOML at least; what has no blank and is long is taken for one.
    found.extend(long_words(text));
    found.sort_unstable_by_key(|at| at.start);
    found
}

fn long_words(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for piece in text.split_inclusive(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | ',' | '='))
    {
        let word =
            piece.trim_end_matches(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | ',' | '='));
        if word.len() >= 12 && word.bytes().any(|byte| byte.is_ascii_digit()) {
            found.push(start..start + word.len());
        }
        start += piece.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_and_no_name_is_found() {
        let text = "{ \"TOKEN\": \"a\\\"b\", // x\n \"open";
        let found: Vec<&str> = strings(text).into_iter().map(|at| &text[at]).collect();
        assert_eq!(found, ["a\\\"b", "open"]);
        let text = "token = 'abcdef0123456789'\n";
        assert_eq!(strings(text).iter().map(|at| &text[at.clone()]).collect::<Vec<_>>(), ["abcdef0123456789"]);
    }
}
