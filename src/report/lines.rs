//! Lines that keep to the width of the terminal.

/// `text` broken between words so that no line is wider than `width`; lines after the first start with `indent`.
/// A word that is too long stays whole: a name that was cut could not be copied.
pub fn wrapped(text: &str, width: usize, indent: &str) -> String {
    let mut out = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        let long = word.chars().count();
        if used > 0 && used + 1 + long > width {
            out.push('\n');
            out.push_str(indent);
            used = indent.chars().count();
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += long;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_between_words() {
        assert_eq!(wrapped("one two three", 7, ""), "one two\nthree");
        assert_eq!(wrapped("one two three", 8, "  "), "one two\n  three");
        assert_eq!(wrapped("unbreakable-word x", 5, ""), "unbreakable-word\nx");
    }
}
