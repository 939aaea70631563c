//! The offending node, pretty-printed and clipped, with the label moved along.
//!
//! miette panics past column 65,535 and prints whole lines; so it is never handed raw wire text, only what is made
//! here: at most [`MOST_LINES`] lines of at most [`MOST_COLUMNS`] columns.

use std::ops::Range;

use serde_json::Value;

use crate::finding::Place;
use crate::text::{pointer::Pointer, safe, veil};

/// Lines of an excerpt.
pub const MOST_LINES: usize = 14;
/// Columns of a line, however wide the terminal is.
pub const MOST_COLUMNS: usize = 96;
/// Members shown of an object around the labelled one, on each side.
const AROUND: usize = 1;

/// A text to show and the place in it to point at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The lines.
    pub text: String,
    /// The bytes to label.
    pub label: Range<usize>,
    /// The number of the first line.
    pub first_line: usize,
}

/// The excerpt for a place in a file, in lines of at most `columns`: a long line is cut on both sides of the place.
pub fn of_place(place: &Place, columns: usize) -> Excerpt {
    let columns = columns.min(MOST_COLUMNS);
    let mut out = Excerpt { text: String::new(), label: 0..0, first_line: place.first_line };
    for (n, line) in place.shown.iter().enumerate() {
        let start = out.text.len();
        if place.first_line + n == place.line {
            let part = |from: usize, most: usize| safe::line(&line.chars().skip(from).take(most).collect::<String>());
            let width = place.label.len();
            let skipped = (place.label.start + width.min(columns / 2)).saturating_sub(columns.saturating_sub(2));
            let head = part(skipped, place.label.start - skipped);
            let label = part(place.label.start, width.min(columns.saturating_sub(2 + place.label.start - skipped)));
            out.text.push_str(if skipped > 0 { "…" } else { "" });
            out.text.push_str(&head);
            let from = out.text.len();
            out.text.push_str(&label);
            out.label = from..out.text.len();
            let used = out.text.get(start..).map_or(0, |text| text.chars().count());
            out.text.push_str(&safe::clip(&part(place.label.start + width, usize::MAX), columns.saturating_sub(used)));
        } else {
            out.text.push_str(&safe::clip(line, columns));
        }
        out.text.push('\n');
    }
    out
}

/// The excerpt for a place in a tool, in lines of at most `columns`: the member there, between its neighbours, without
/// credentials. None at the tool itself.
pub fn of(tool: &Value, at: &Pointer, columns: usize) -> Option<Excerpt> {
    let (above, step) = at.split_last()?;
    let holder = above.find(tool)?;
    let mut lines = Lines { columns: columns.min(MOST_COLUMNS), ..Lines::default() };
    match holder {
        Value::Object(members) => {
            let place = members.keys().position(|name| *name == step)?;
            let shown = members.iter().enumerate().filter(|(i, _)| i.abs_diff(place) <= AROUND);
            lines.open("{", place > AROUND);
            for (i, (name, value)) in shown {
                let head = format!("{}: ", Value::String(name.clone()));
                lines.entry(&head, &veil::veiled(value, &above.key(name)), i == place, i + 1 < members.len());
            }
            lines.close("}", place + AROUND + 1 < members.len());
        }
        Value::Array(items) => {
            let place: usize = step.parse().ok()?;
            let shown = items.iter().enumerate().filter(|(i, _)| i.abs_diff(place) <= AROUND);
            lines.open("[", place > AROUND);
            for (i, value) in shown {
                lines.entry("", &veil::veiled(value, &above.index(i)), i == place, i + 1 < items.len());
            }
            lines.close("]", place + AROUND + 1 < items.len());
        }
        _ => return None,
    }
    lines.finish()
}

#[derive(Default)]
struct Lines {
    text: String,
    label: Option<Range<usize>>,
    columns: usize,
}

impl Lines {
    fn open(&mut self, bracket: &str, cut: bool) {
        self.text.push_str(bracket);
        self.text.push('\n');
        if cut {
            self.text.push_str("  …\n");
        }
    }

    fn close(&mut self, bracket: &str, cut: bool) {
        if cut {
            self.text.push_str("  …\n");
        }
        self.text.push_str(bracket);
        self.text.push('\n');
    }

    /// One member or item. The label ends before the comma that follows where there is `more`.
    fn entry(&mut self, head: &str, value: &Value, labelled: bool, more: bool) {
        let start = self.text.len() + 2;
        let compact = safe::line(&value.to_string());
        let fits = head.chars().count() + compact.chars().count() + 3 < self.columns;
        let whole = if labelled && !fits { indented(value) } else { vec![compact] };
        let most = if labelled { MOST_LINES - 2 * AROUND - 2 } else { 1 };
        for (i, line) in whole.iter().take(most).enumerate() {
            let line = if i == 0 { format!("{}{line}", safe::line(head)) } else { line.clone() };
            self.text.push_str("  ");
            self.text.push_str(&safe::clip(&line, self.columns.saturating_sub(3)));
            if labelled && i == 0 {
                self.label = Some(start..self.text.len());
            }
            self.text.push_str(if more && i + 1 == whole.len() { ",\n" } else { "\n" });
        }
        if whole.len() > most {
            self.text.push_str("    …\n");
        }
    }

    fn finish(self) -> Option<Excerpt> {
        Some(Excerpt { label: self.label?, text: self.text, first_line: 1 })
    }
}

/// A value on several lines, each made safe.
fn indented(value: &Value) -> Vec<String> {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.lines().take(MOST_LINES + 1).map(|line| safe::line(line).clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_member_stands_between_its_neighbours() {
        let tool = json!({ "inputSchema": { "a": 1, "b": 2, "c": { "$ref": "#/x" }, "d": 4, "e": 5 } });
        let excerpt = of(&tool, &Pointer::from_text("/inputSchema/c"), 80).unwrap();
        assert_eq!(excerpt.text, "{\n  …\n  \"b\": 2,\n  \"c\": {\"$ref\":\"#/x\"},\n  \"d\": 4,\n  …\n}\n");
        assert_eq!(&excerpt.text[excerpt.label], "\"c\": {\"$ref\":\"#/x\"}");
    }

    #[test]
    fn a_megabyte_is_clipped() {
        let tool =
            json!({ "description": "x".repeat(1_000_000), "deep": vec![json!({ "a": "y".repeat(200) }); 5_000] });
        for place in ["/description", "/deep"] {
            let excerpt = of(&tool, &Pointer::from_text(place), 200).unwrap();
            assert!(excerpt.text.lines().count() <= MOST_LINES + 4, "{}", excerpt.text);
            assert!(excerpt.text.lines().all(|line| line.chars().count() <= MOST_COLUMNS + 2));
            assert!(excerpt.text.get(excerpt.label).is_some());
        }
    }

    #[test]
    fn a_place_in_a_file_keeps_its_line_number() {
        let shown = |line: &str| vec!["{".to_owned(), line.to_owned(), "}".to_owned()];
        let place = Place { line: 41, first_line: 40, shown: shown("  \"url\": ***"), label: 2..7, ..Place::default() };
        let excerpt = of_place(&place, 80);
        assert_eq!((excerpt.text.as_str(), excerpt.first_line), ("{\n  \"url\": ***\n}\n", 40));
        assert_eq!(&excerpt.text[excerpt.label], "\"url\"");

        let long = format!("{}HERE{}", "a".repeat(500), "b".repeat(500));
        let place = Place { line: 2, first_line: 1, shown: shown(&long), label: 500..504, ..Place::default() };
        let excerpt = of_place(&place, 40);
        assert_eq!(&excerpt.text[excerpt.label.clone()], "HERE");
        assert!(excerpt.text.lines().all(|line| line.chars().count() <= 40), "{}", excerpt.text);
        let place = Place { label: 500..1004, ..place };
        assert!(of_place(&place, 40).text.lines().all(|line| line.chars().count() <= 41));
    }

    #[test]
    fn the_tool_itself_has_no_excerpt() {
        assert_eq!(of(&json!({ "name": "a" }), &Pointer::root(), 80), None);
    }
}
