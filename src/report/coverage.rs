//! What the specification demands about tools, revision by revision, and how much of it rules check.

use serde_json::{Value, json};

use super::{Format, Style, lines, pretty};
use crate::rule::coverage::{Row, State, of};
use crate::spec::revision::Revision;

/// What stands before the second line of a demand.
const INDENT: &str = "                ";

const STATES: [State; 3] = [State::Covered, State::NotCheckable, State::Open];

/// The table of all demands.
pub fn coverage(rows: &[Row], format: Format, style: Style) -> String {
    match format {
        Format::Json => pretty(&json!({ "revisions": Revision::ALL.map(|revision| entry(rows, revision)).as_slice() })),
        Format::Markdown => Revision::ALL.map(|revision| text(rows, revision, None)).concat(),
        Format::Human => Revision::ALL.map(|revision| text(rows, revision, Some(style.width))).concat(),
    }
}

fn count(rows: &[Row], revision: Revision, state: State) -> usize {
    of(rows, revision).filter(|row| row.state() == state).count()
}

fn entry(rows: &[Row], revision: Revision) -> Value {
    let list: Vec<Value> = of(rows, revision)
        .map(|row| {
            json!({
                "page": row.page, "section": row.section, "keyword": row.keyword, "actor": row.actor,
                "says": row.says, "state": row.state().as_str(), "rules": row.rules, "none": row.none,
            })
        })
        .collect();
    let counts: serde_json::Map<String, Value> =
        STATES.iter().map(|state| (state.as_str().replace(' ', "_"), count(rows, revision, *state).into())).collect();
    json!({ "revision": revision.as_str(), "demands": list.len(), "counts": counts, "list": list })
}

/// The demands of a revision; as lines of at most `width`, or as a Markdown table without one.
fn text(rows: &[Row], revision: Revision, width: Option<usize>) -> String {
    let all = of(rows, revision).count();
    let shares = STATES.map(|state| {
        let n = count(rows, revision, state);
        format!("{n} {} ({} %)", state.as_str(), (n * 100).checked_div(all).unwrap_or_default())
    });
    let shares = shares.join(", ");
    let mut out = if width.is_none() {
        format!(
            "## {revision}\n\n{all} demands: {shares}\n\n| keyword | actor | demand | page | rules, or why none |\n\
             | --- | --- | --- | --- | --- |\n"
        )
    } else {
        format!("{revision}: {all} demands: {shares}\n\n")
    };
    for row in of(rows, revision) {
        let (place, answer) = (format!("{}#{}", row.page, row.section), row.answer());
        let (keyword, actor, says) = (&row.keyword, &row.actor, &row.says);
        let Some(width) = width else {
            out.push_str(&format!("| {keyword} | {actor} | {says} | {place} | {answer} |\n"));
            continue;
        };
        let room = width.saturating_sub(INDENT.len());
        let demand = lines::wrapped(says, room, INDENT);
        let place = lines::wrapped(&format!("{keyword}, {actor}, {place}: {answer}"), width, INDENT);
        out.push_str(&format!("  {:<13} {demand}\n{INDENT}{place}\n", row.state().as_str()));
    }
    out.push('\n');
    out
}
