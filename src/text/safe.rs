//! Text of the audited server made fit for a terminal, a message and a table cell.
//!
//! Everything that a server said passes through here before a person sees it: a control or direction character in a
//! tool name must not reach a terminal.

/// Whether a character changes how its neighbours are shown, or is not shown at all.
///
/// Controls, direction marks, zero-width characters, tag characters, interlinear and variation marks outside their
/// use, and the byte order mark.
pub fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// `text` with every unseen character written as `\u{…}`; line feeds and tabs become spaces.
pub fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        push_safe(&mut out, letter);
    }
    out
}

/// [`line()`], cut to at most `most` characters, the last of them `…` when something was cut.
pub fn clip(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut used = 0;
    for letter in text.chars() {
        let mut piece = String::new();
        push_safe(&mut piece, letter);
        let width = piece.chars().count();
        if used + width > most {
            while used >= most && out.pop().is_some() {
                used -= 1;
            }
            out.push('…');
            return out;
        }
        out.push_str(&piece);
        used += width;
    }
    out
}

/// JSON with every unseen character in its strings escaped. Line feeds stay: JSON has none inside a string.
pub fn escaped(json: String) -> String {
    // Nearly every report is of visible letters only.
    if json.bytes().all(|byte| matches!(byte, b'\n' | b' '..=b'~')) {
        return json;
    }
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        if letter == '\n' || !is_unseen(letter) {
            out.push(letter);
            continue;
        }
        for unit in letter.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    }
    out
}

/// A name in back-ticks, clipped; a back-tick inside becomes `'`.
pub fn quoted(name: &str) -> String {
    format!("`{}`", clip(name, 64).replace('`', "'"))
}

/// `12345` as `12,345`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn push_safe(out: &mut String, letter: char) {
    match letter {
        '\n' | '\t' => out.push(' '),
        other if is_unseen(other) => out.push_str(&format!("\\u{{{:x}}}", u32::from(other))),
        other => out.push(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_unseen_survives() {
        assert_eq!(line("a\u{1b}[31mb\u{202e}c\nd"), "a\\u{1b}[31mb\\u{202e}c d");
        assert_eq!(line("\u{9b}2J"), "\\u{9b}2J");
    }

    #[test]
    fn clips_to_characters() {
        assert_eq!(clip("abcdef", 4), "abc…");
        assert_eq!(clip("abcd", 4), "abcd");
        assert_eq!(clip("äöüß€", 3), "äö…");
        assert_eq!(quoted("a`b"), "`a'b`");
    }

    #[test]
    fn groups_digits() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
