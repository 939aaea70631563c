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

/// A page of prose whose lines are no wider than `width`. What stands between fences, and tables, stay as they are; so
/// do paragraphs that fit.
pub fn narrowed(page: &str, width: usize) -> String {
    let (mut out, mut paragraph, mut fenced) = (String::new(), Vec::new(), false);
    for line in page.lines() {
        let is_fence = line.starts_with("```");
        let stays = fenced || is_fence || line.trim().is_empty() || line.starts_with('|');
        if stays || is_item(line) {
            out.push_str(&reflowed(&paragraph, width));
            paragraph.clear();
        }
        fenced ^= is_fence;
        if stays {
            out.push_str(line);
            out.push('\n');
        } else {
            paragraph.push(line);
        }
    }
    out + &reflowed(&paragraph, width)
}

fn is_item(line: &str) -> bool {
    line.trim_start().starts_with("- ")
}

fn reflowed(paragraph: &[&str], width: usize) -> String {
    let Some(first) = paragraph.first() else { return String::new() };
    if paragraph.iter().all(|line| line.chars().count() <= width) {
        return paragraph.iter().map(|line| format!("{line}\n")).collect();
    }
    let indent = if is_item(first) { "  " } else { "" };
    let joined = paragraph.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
    wrapped(&joined, width, indent) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_narrowed_and_blocks_are_not() {
        let page = "one two\nthree four\n\n- five six seven\n- eight\n\n```text\nnine ten eleven\n```\n";
        let told = "one two\nthree\nfour\n\n- five six\n  seven\n- eight\n\n```text\nnine ten eleven\n```\n";
        assert_eq!(narrowed(page, 10), page.replace("- five six seven", "- five six\n  seven"));
        assert_eq!(narrowed(page, 9), told.replace("- five six\n  seven", "- five\n  six\n  seven"));
    }

    #[test]
    fn breaks_between_words() {
        assert_eq!(wrapped("one two three", 7, ""), "one two\nthree");
        assert_eq!(wrapped("one two three", 8, "  "), "one two\n  three");
        assert_eq!(wrapped("unbreakable-word x", 5, ""), "unbreakable-word\nx");
    }
}
