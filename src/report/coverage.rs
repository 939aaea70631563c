//! What the specification demands about tools, revision by revision, and how much of it rules check.

use serde_json::{Value, json};

use super::{Format, pretty};
use crate::rule::coverage::{Row, State, of};
use crate::spec::revision::Revision;

const STATES: [State; 3] = [State::Covered, State::NotCheckable, State::Open];

/// The table of all demands.
pub fn coverage(rows: &[Row], format: Format) -> String {
    match format {
        Format::Json => pretty(&json!({ "revisions": Revision::ALL.map(|revision| entry(rows, revision)).as_slice() })),
        Format::Markdown => Revision::ALL.map(|revision| text(rows, revision, true)).concat(),
        Format::Human => Revision::ALL.map(|revision| text(rows, revision, false)).concat(),
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

fn text(rows: &[Row], revision: Revision, markdown: bool) -> String {
    let all = of(rows, revision).count();
    let shares = STATES.map(|state| {
        let n = count(rows, revision, state);
        format!("{n} {} ({} %)", state.as_str(), (n * 100).checked_div(all).unwrap_or_default())
    });
    let shares = shares.join(", ");
    let mut out = if markdown {
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
        out.push_str(&if markdown {
            format!("| {keyword} | {actor} | {says} | {place} | {answer} |\n")
        } else {
            format!("  {:<13} {says}\n                {keyword}, {actor}, {place}: {answer}\n", row.state().as_str())
        });
    }
    out.push('\n');
    out
}
