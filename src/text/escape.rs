//! Escapes of JSON, of addresses and of HTML taken off a text, and the way back from there to the text as it came.
//!
//! Apart from the parsers, because what is searched may be none of the three, or one inside another: every escape
//! counts wherever it stands, and what only begins like one stays as it is.

use std::ops::Range;

/// The most bytes that one escape takes: a letter of JSON in two halves, `\ud83d\ude00`.
pub const LONGEST: usize = 12;

/// Whether an escape can begin with this byte.
pub fn is_mark(byte: u8) -> bool {
    matches!(byte, b'\\' | b'%' | b'&')
}

/// `text` with each escape replaced by what it stands for; none when it holds no escape.
pub fn resolved(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut has_escape = false;
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| is_mark(*byte)) {
        let (before, marked) = rest.split_at_checked(at)?;
        out.extend_from_slice(before);
        let step = Step::first_of(marked)?;
        out.extend_from_slice(step.means());
        has_escape |= step.length > 1;
        rest = marked.get(step.length..)?;
    }
    out.extend_from_slice(rest);
    has_escape.then_some(out)
}

/// The way from what [`resolved`] gives back to the text.
pub struct WayBack<'t> {
    rest: &'t [u8],
    /// Where `rest` begins: in the text, and in what it is resolved to.
    raw: usize,
    plain: usize,
}

impl<'t> WayBack<'t> {
    /// The way back to this text.
    pub fn to(text: &'t [u8]) -> Self {
        Self { rest: text, raw: 0, plain: 0 }
    }

    /// The bytes of the text that are resolved to this range. It must not be empty, nor begin before the end of one
    /// that was asked for before.
    pub fn of(&mut self, range: &Range<usize>) -> Range<usize> {
        let start = self.byte(range.start).start;
        start..self.byte(range.end.saturating_sub(1)).end
    }

    /// The bytes that are resolved to the byte at `at`.
    fn byte(&mut self, at: usize) -> Range<usize> {
        while let Some(step) = Step::first_of(self.rest) {
            let plain = self.plain + step.means().len();
            if at < plain {
                return self.raw..self.raw + step.length;
            }
            self.plain = plain;
            self.raw += step.length;
            self.rest = self.rest.get(step.length..).unwrap_or_default();
        }
        self.raw..self.raw
    }
}

/// An escape, or a byte that stands for itself.
struct Step {
    /// The bytes that it takes.
    length: usize,
    letter: [u8; 4],
    letter_length: usize,
}

impl Step {
    /// What a text begins with; none when it is empty.
    fn first_of(text: &[u8]) -> Option<Self> {
        let escape = match text.first()? {
            b'\\' => json(text),
            b'%' => address(text),
            b'&' => html(text),
            _ => None,
        };
        escape.or_else(|| text.first().map(|byte| Self::byte(1, *byte)))
    }

    fn byte(length: usize, byte: u8) -> Self {
        Self { length, letter: [byte, 0, 0, 0], letter_length: 1 }
    }

    fn letter(length: usize, letter: char) -> Self {
        let mut bytes = [0; 4];
        let letter_length = letter.encode_utf8(&mut bytes).len();
        Self { length, letter: bytes, letter_length }
    }

    fn means(&self) -> &[u8] {
        self.letter.get(..self.letter_length).unwrap_or_default()
    }
}

/// The escape of JSON that a text begins with. Half a letter is none.
fn json(text: &[u8]) -> Option<Step> {
    let letter = match text.get(1)? {
        letter @ (b'"' | b'\\' | b'/') => *letter,
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'u' => {
            let first = hex(text.get(2..6)?)?;
            if let Some(letter) = char::from_u32(first) {
                return Some(Step::letter(6, letter));
            }
            let second = hex(text.get(6..12)?.strip_prefix(br"\u")?)?;
            return char::decode_utf16([first, second].map(|half| u16::try_from(half).unwrap_or_default()))
                .next()?
                .ok()
                .map(|letter| Step::letter(12, letter));
        }
        _ => return None,
    };
    Some(Step::byte(2, letter))
}

/// The escape of an address that a text begins with.
fn address(text: &[u8]) -> Option<Step> {
    let byte = u8::try_from(hex(text.get(1..3)?)?).ok()?;
    Some(Step::byte(3, byte))
}

/// The character reference that a text begins with: by number, or one of the five that every library escapes.
fn html(text: &[u8]) -> Option<Step> {
    let end = text.iter().take(LONGEST).position(|byte| *byte == b';')?;
    let name = text.get(1..end)?;
    let letter = match name {
        b"amp" => '&',
        b"lt" => '<',
        b"gt" => '>',
        b"quot" => '"',
        b"apos" => '\'',
        [b'#', b'x' | b'X', digits @ ..] => char::from_u32(hex(digits)?)?,
        [b'#', digits @ ..] => char::from_u32(std::str::from_utf8(digits).ok()?.parse().ok()?)?,
        _ => return None,
    };
    Some(Step::letter(end + 1, letter))
}

/// The number that these digits write.
fn hex(digits: &[u8]) -> Option<u32> {
    let all_hex = digits.iter().all(u8::is_ascii_hexdigit);
    std::str::from_utf8(digits).ok().filter(|_| all_hex).and_then(|digits| u32::from_str_radix(digits, 16).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_escape_is_resolved() {
        for (text, plain) in [
            (r#"a\u0026b\u003C\/\"\\n\n"#, "a&b</\"\\n\n"),
            (r"\ud83d\ude00 \u00e4", "😀 ä"),
            ("a%2Bb%2f%C3%a4", "a+b/ä"),
            ("&lt;&#43;&#x2B;&#X2b;&amp;lt;", "<+++&lt;"),
        ] {
            assert_eq!(String::from_utf8(resolved(text.as_bytes()).unwrap()).unwrap(), plain);
        }
    }

    #[test]
    fn what_is_no_escape_stays() {
        for text in ["", "plain", "50 % of a&b; 7%z1 %", r"C:\path\u12 \ud83d\u0041 \", "&#; &#x; &unknown; &#1114112;"]
        {
            let text = text.replace(r"\u0041", "A");
            assert_eq!(resolved(text.as_bytes()), None, "{text}");
        }
        assert_eq!(resolved(br"%\u00e4").unwrap(), "%ä".as_bytes());
    }

    #[test]
    fn the_way_back_takes_in_whole_escapes() {
        let text = r"x\u0026yä%C3%A4z".as_bytes();
        let plain = resolved(text).unwrap();
        assert_eq!(plain, "x&yääz".as_bytes());
        let mut back = WayBack::to(text);
        assert_eq!(back.of(&(0..2)), 0..7);
        assert_eq!(back.of(&(2..3)), 7..8);
        assert_eq!(back.of(&(5..7)), 10..16);
        assert_eq!(back.of(&(7..8)), 16..17);
    }
}
