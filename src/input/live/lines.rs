//! A stream of bytes cut into lines, with bounded memory.
//!
//! Apart from the threads that read, because it is pure and every border can be tested.

use std::collections::VecDeque;

/// What a stream held.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A line without its line feed.
    Line(Vec<u8>),
    /// A line that was dropped for its length, in bytes.
    Overlong(u64),
}

/// Cuts stdout into lines.
pub(super) struct Lines {
    most: usize,
    held: Vec<u8>,
    length: u64,
}

impl Lines {
    /// Lines of at most `most` bytes.
    pub(super) fn new(most: usize) -> Self {
        Self { most, held: Vec::new(), length: 0 }
    }

    /// Takes in a chunk; every line that it ends goes to `each`.
    pub(super) fn take(&mut self, chunk: &[u8], mut each: impl FnMut(Piece)) {
        let mut parts = chunk.split(|byte| *byte == b'\n');
        self.grow(parts.next().unwrap_or_default());
        for part in parts {
            each(self.close());
            self.grow(part);
        }
    }

    /// Bytes of the line that has begun and not ended.
    pub(super) fn open(&self) -> u64 {
        self.length
    }

    /// What stands behind the last line feed, if anything.
    pub(super) fn end(&mut self) -> Option<Piece> {
        (self.length > 0).then(|| self.close())
    }

    fn grow(&mut self, part: &[u8]) {
        self.length = self.length.saturating_add(part.len() as u64);
        if self.length > self.most as u64 {
            // Given back at once: what is too long is not kept in part either.
            self.held = Vec::new();
        } else {
            self.held.extend_from_slice(part);
        }
    }

    fn close(&mut self) -> Piece {
        let length = std::mem::take(&mut self.length);
        let mut line = std::mem::take(&mut self.held);
        if length > self.most as u64 {
            return Piece::Overlong(length);
        }
        line.shrink_to_fit();
        Piece::Line(line)
    }
}

/// The last lines of stderr, each with the time at which it began.
pub(super) struct Tail {
    most_lines: usize,
    most_bytes: usize,
    lines: VecDeque<(u64, Vec<u8>)>,
    /// The line that has not ended yet is the last of `lines`.
    open: bool,
}

impl Tail {
    /// The last `most_lines` lines, each clipped to `most_bytes`.
    pub(super) fn new(most_lines: usize, most_bytes: usize) -> Self {
        Self { most_lines, most_bytes, lines: VecDeque::new(), open: false }
    }

    /// Takes in a chunk that came `ms` after the first start.
    pub(super) fn take(&mut self, chunk: &[u8], ms: u64) {
        let chunk = self.without_old(chunk);
        let mut parts = chunk.split(|byte| *byte == b'\n').peekable();
        while let Some(part) = parts.next() {
            let ends = parts.peek().is_some();
            if !part.is_empty() || ends {
                self.grow(part, ms);
            }
            self.open = (self.open || !part.is_empty()) && !ends;
        }
    }

    /// `chunk` without the lines that it pushes out itself, so that a flood of short lines costs no more than its bytes.
    fn without_old<'c>(&mut self, chunk: &'c [u8]) -> &'c [u8] {
        let ends = chunk.iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n');
        match ends.map(|(at, _)| at + 1).nth(self.most_lines) {
            Some(start) => {
                self.lines.clear();
                self.open = false;
                chunk.get(start..).unwrap_or_default()
            }
            None => chunk,
        }
    }

    /// The lines as text, invalid bytes replaced. `…` stands where one was clipped.
    pub(super) fn lines(&self) -> Vec<(u64, String)> {
        let text = |line: &[u8]| {
            if let Some((line, [_, ..])) = line.split_at_checked(self.most_bytes) {
                // The cut may go through a letter.
                let line = String::from_utf8_lossy(line);
                return format!("{}…", line.trim_end_matches(char::REPLACEMENT_CHARACTER));
            }
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            String::from_utf8_lossy(line).into_owned()
        };
        self.lines.iter().map(|(ms, line)| (*ms, text(line))).collect()
    }

    fn grow(&mut self, part: &[u8], ms: u64) {
        if !self.open {
            self.lines.push_back((ms, Vec::new()));
            if self.lines.len() > self.most_lines {
                self.lines.pop_front();
            }
        }
        if let Some((_, line)) = self.lines.back_mut() {
            // One byte more shows that it was clipped.
            let room = (self.most_bytes + 1).saturating_sub(line.len());
            line.extend(part.iter().take(room));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(most: usize, chunks: &[&str]) -> (Vec<Piece>, Option<Piece>) {
        let mut lines = Lines::new(most);
        let mut pieces = Vec::new();
        for chunk in chunks {
            lines.take(chunk.as_bytes(), |piece| pieces.push(piece));
        }
        (pieces, lines.end())
    }

    fn line(text: &str) -> Piece {
        Piece::Line(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_do_not_depend_on_chunks() {
        let whole = cut(9, &["a\n\nbc\r\nd"]);
        assert_eq!(whole, (vec![line("a"), line(""), line("bc\r")], Some(line("d"))));
        assert_eq!(cut(9, &["a", "\n", "\nb", "c\r\n", "", "d"]), whole);
        assert_eq!(cut(9, &["a\n"]), (vec![line("a")], None));
    }

    #[test]
    fn a_long_line_is_dropped_and_the_next_is_read() {
        assert_eq!(cut(3, &["abc\nab", "cd", "ef\ngh\n"]).0, [line("abc"), Piece::Overlong(6), line("gh")]);
        assert_eq!(cut(3, &["abcd"]).1, Some(Piece::Overlong(4)));
    }

    fn tail(lines: usize, bytes: usize, chunks: &[&str]) -> Vec<String> {
        let mut tail = Tail::new(lines, bytes);
        for chunk in chunks {
            tail.take(chunk.as_bytes(), 0);
        }
        tail.lines().into_iter().map(|(_, line)| line).collect()
    }

    #[test]
    fn the_tail_keeps_the_last_lines_clipped() {
        assert_eq!(tail(2, 9, &["a\nb\nc\n"]), ["b", "c"]);
        assert_eq!(tail(2, 9, &["z", "a\nb\nc\nd\ne"]), ["d", "e"]);
        assert_eq!(tail(2, 9, &["a\nb", "b\nc", "c\r"]), ["bb", "cc"]);
        assert_eq!(tail(3, 9, &["a\n", "\n", "b\n"]), ["a", "", "b"]);
        assert_eq!(tail(2, 3, &["abcdef\ngh\nxyz"]), ["gh", "xyz"]);
        assert_eq!(tail(2, 3, &["abcdef\ngh"]), ["abc…", "gh"]);
        assert_eq!(tail(2, 3, &["ab", "cd", "ef\n"]), ["abc…"]);
        assert_eq!(tail(2, 3, &["abé"]), ["ab…"]);
    }
}
