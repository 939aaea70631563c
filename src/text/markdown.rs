//! Text of a server made fit for Markdown: no markup of its own, no cell border, no control character.

use super::safe;

/// `text` for a table cell. Between back-ticks only a `|` is escaped: everything else is literal there already.
pub fn cell(text: &str) -> String {
    escaped(text, true)
}

/// `text` for a line of prose or a list item.
pub fn prose(text: &str) -> String {
    escaped(text, false)
}

fn escaped(text: &str, in_table: bool) -> String {
    // Our own code spans have one back-tick; a run of them could only be the server's, and would pair otherwise.
    let text = safe::line(text).replace("``", "''");
    let text = match text.trim_start().strip_prefix(['#', '>', '-', '+', '=']) {
        Some(_) => format!("\\{}", text.trim_start()),
        None => text,
    };
    // An odd back-tick opens nothing; what follows it is prose.
    let last_open = if text.matches('`').count() % 2 == 1 { text.rfind('`') } else { None };
    let mut out = String::with_capacity(text.len());
    let mut in_code = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '`' if Some(at) == last_open => out.push_str("\\`"),
            '`' => {
                in_code = !in_code;
                out.push('`');
            }
            '|' if in_table => out.push_str("\\|"),
            other if in_code => out.push(other),
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '*' | '_' | '[' | ']' | '\\' | '~' => {
                out.push('\\');
                out.push(letter);
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_literal_and_prose_is_not() {
        assert_eq!(cell("a[b]<c> `x[y]<z>|w`"), "a\\[b\\]&lt;c> `x[y]<z>\\|w`");
        assert_eq!(prose("a|b `c|d`"), "a|b `c|d`");
        assert_eq!(cell("odd ` tick <b>"), "odd \\` tick &lt;b>");
        assert_eq!(cell("\u{1b}[2J"), "\\\\u{1b}\\[2J");
    }
}
