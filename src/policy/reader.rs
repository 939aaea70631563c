//! Reading a settings file with places: its text, the rules that it may name, and how a fault in it is shown.
//!
//! Below the file's parts, which all complain through it.

use std::ops::Range;
use std::path::Path;

use crate::error::Trouble;
use crate::rule::RuleSet;

/// A settings file that is read.
pub(super) struct Reader<'t> {
    pub(super) name: &'t str,
    pub(super) text: &'t str,
    pub(super) folder: Option<&'t Path>,
    pub(super) rules: &'t RuleSet,
}

impl Reader<'_> {
    /// A fault at these characters. What stands around them is shown too, but no value that may be secret.
    pub(super) fn fault(&self, at: Range<usize>, problem: impl Into<String>, help: Option<String>) -> Trouble {
        Trouble::config(self.name, &masked(self.text, &at), Some(at), problem, help)
    }
}

/// The text with all that its targets set blanked out, but for the value at `keep`; every byte keeps its place.
fn masked(text: &str, keep: &Range<usize>) -> String {
    // A whole table is no value.
    let keep = if text.get(keep.clone()).is_some_and(|kept| kept.contains('=')) { 0..0 } else { keep.clone() };
    let mut out = String::with_capacity(text.len());
    let mut in_targets = false;
    for line in text.split_inclusive('\n') {
        let key = line.trim_start();
        let is_head = is_head(key);
        if is_head {
            in_targets = key.trim_start_matches('[').starts_with("targets");
        }
        let hides = !is_head && (in_targets || key.starts_with("targets"));
        // What has no `=` goes on with the value of the line above.
        let from = if hides { line.find('=').map_or(0, |equals| equals + 1) } else { line.len() };
        for (within, letter) in line.char_indices() {
            let shown = within < from || letter.is_whitespace() || keep.contains(&out.len());
            if shown { out.push(letter) } else { out.push_str(&"*".repeat(letter.len_utf8())) }
        }
    }
    out
}

/// Whether a line opens a table, and is no further line of an array.
fn is_head(line: &str) -> bool {
    let name = line.split(']').next().unwrap_or_default();
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "[-_. ".contains(letter);
    name.starts_with("[targets.") || (name.starts_with('[') && name.len() < line.len() && name.chars().all(is_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_targets_set_is_blanked_out_in_place() {
        let text = "fail-on = \"x\"\n[targets.a] # it's\nenv = { K = \"s3\" }\nera = \"old\"\ncommand = [\n  'é',\n]\n\
                    [band]\nlow = \"y\"\n";
        let blank = "fail-on = \"x\"\n[targets.a] # it's\nenv = * * * **** *\nera = \"old\"\ncommand = *\n  *****\n*\n\
                     [band]\nlow = \"y\"\n";
        let at = text.find("\"old\"").unwrap();
        assert_eq!(masked(text, &(at..at + 5)), blank);
        let all = masked(text, &(0..text.len()));
        assert_eq!(all, blank.replace("\"old\"", "*****"));
    }
}
