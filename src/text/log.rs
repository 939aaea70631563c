//! The log of a program that failed: which of its lines says why.

use std::sync::LazyLock;

use regex::Regex;

/// What a line that says nothing looks like: no word, a step of a stack trace, the version that Node.js ends with.
static EMPTY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"^\s*(?:at |File "|Node\.js v\d|\^+\s*$)|^[^\p{L}]*$|^\P{L}*\p{L}{1,2}\P{L}*$"#).ok()
});

/// A word that names a failure.
static FAILURE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\b\w*(?:error|exception|panicked|fatal)\b").ok());

/// The line that most likely says why: the last one that names a failure, else the last one that says anything.
/// Programs end with brackets, stack traces and versions, which say nothing.
pub fn telling_line<'l>(lines: impl DoubleEndedIterator<Item = &'l str> + Clone) -> Option<&'l str> {
    let is = |form: &LazyLock<Option<Regex>>, line: &str| form.as_ref().is_some_and(|form| form.is_match(line));
    let telling = lines.rev().map(str::trim).filter(|line| !line.is_empty() && !is(&EMPTY, line));
    telling.clone().find(|line| is(&FAILURE, line)).or_else(|| telling.clone().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_that_says_why() {
        for (log, line) in [
            (
                "starting\nTypeError: x is not a function\n    at run (a.js:1:2)\n}\n\nNode.js v20.20.2",
                "TypeError: x is not a function",
            ),
            (
                "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: 'LAMP_TOKEN'",
                "KeyError: 'LAMP_TOKEN'",
            ),
            ("thread 'main' panicked at src/main.rs:1:1:\nno lamp", "thread 'main' panicked at src/main.rs:1:1:"),
            ("Please log in first\n}\n", "Please log in first"),
            ("Error: connect refused\n{\n  errno: -111,\n}", "Error: connect refused"),
        ] {
            assert_eq!(telling_line(log.lines()), Some(line), "{log}");
        }
        assert_eq!(telling_line("}\n  ]\n\n".lines()), None);
    }
}
