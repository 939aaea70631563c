//! Names of HTTP headers.

/// Whether a letter may stand in the name of a header: `tchar` of RFC 9110, section 5.6.2.
pub fn is_name_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(letter)
}

/// Whether a text is the name of a header: `token` of RFC 9110, section 5.6.2.
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_name_letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_token() {
        assert!(["Accept", "x-api_key", "!#$%&'*+-.^_`|~"].into_iter().all(is_name));
        assert!(!["", "a b", "a:b", "ü", "a\r\n", "\""].into_iter().any(is_name));
    }
}
