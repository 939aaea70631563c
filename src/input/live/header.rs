//! Values of headers.

/// Whether a text is visible ASCII, as the id of a session must be.
pub(super) fn is_visible(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| (0x21..=0x7e).contains(&byte))
}

/// A value as a header of 2026-07-28 carries it: as it is when it is plain, else Base64 between its marks.
pub(super) fn encoded(value: &str) -> String {
    let plain = value.bytes().all(|byte| (0x20..=0x7e).contains(&byte));
    if plain && value.trim() == value && !value.starts_with("=?") {
        return value.to_owned();
    }
    format!("=?base64?{}?=", base64(value.as_bytes()))
}

/// Base64 with the common alphabet and padding.
pub(super) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let at = |n: usize| u32::from(three.get(n).copied().unwrap_or_default());
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for n in 0..4 {
            let letter = LETTERS.get((bits >> (18 - 6 * n) & 63) as usize).copied().unwrap_or_default();
            text.push(if n <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tools_fit_into_headers() {
        assert_eq!(encoded("get_weather"), "get_weather");
        assert_eq!(encoded("wetter_für_köln"), "=?base64?d2V0dGVyX2bDvHJfa8O2bG4=?=");
        assert_eq!(encoded(" a"), "=?base64?IGE=?=");
        assert_eq!(base64(b""), "");
        assert_eq!(base64(b"abc"), "YWJj");
        assert_eq!(base64(b"ab"), "YWI=");
    }
}
