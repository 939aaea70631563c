//! What stands between several targets, for people: a line for each target, then what only shows when one sees all.

use super::{Style, table};
use crate::policy::{Across, Outcome};
use crate::text::{
    markdown::{cell, prose},
    safe,
};

/// The head of the table of targets.
const HEAD: [&str; 8] = ["target", "tools", "bytes", "tokens", "errors", "warnings", "info", "incidents"];

/// For a terminal.
pub fn human(outcomes: &[Outcome], across: &Across, style: Style) -> String {
    let rows: Vec<Vec<String>> = outcomes.iter().map(|outcome| row(outcome).map(shown).to_vec()).collect();
    let facts: Vec<Vec<String>> = facts(across).into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    format!(
        "all {} targets\n\n{}\n\n{}\n",
        outcomes.len(),
        table::of_numbers(&HEAD, &rows, style.width),
        table::table(&["over all", "value"], &facts, style.width)
    )
}

/// For a step summary or a pull request.
pub fn markdown(outcomes: &[Outcome], across: &Across) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut out = format!("## All {} targets\n\n", outcomes.len());
    out.push_str(&line(&HEAD.map(str::to_owned)));
    out.push_str(&line(&std::array::from_fn::<_, 8, _>(|n| if n == 0 { "---".to_owned() } else { "---:".to_owned() })));
    for outcome in outcomes {
        out.push_str(&line(&row(outcome).map(|text| cell(&text))));
    }
    out.push('\n');
    for (name, value) in facts(across) {
        out.push_str(&format!("- {name}: {}\n", prose(&value)));
    }
    out.push('\n');
    out
}

fn row(outcome: &Outcome) -> [String; 8] {
    let number = |id: &str| outcome.measures.number(id).map_or_else(|| "–".to_owned(), safe::thousands);
    let counts = outcome.counts();
    let seen = !outcome.surface.tools.is_empty();
    let figure = |id: &str| if seen { number(id) } else { "–".to_owned() };
    [
        outcome.surface.target.clone(),
        figure("tools.count"),
        figure("payload.bytes"),
        figure("payload.o200k"),
        counts.error.to_string(),
        counts.warn.to_string(),
        counts.info.to_string(),
        counts.incidents.to_string(),
    ]
}

/// Figures over all.
fn facts(across: &Across) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("tools", safe::thousands(across.tools)),
        ("sum of tokens", format!("{} (o200k_base)", safe::thousands(across.tokens))),
    ];
    if let Some((target, tokens)) = &across.dearest {
        let share = tokens * 100 / across.tokens.max(1);
        facts.push(("dearest", format!("{}: {} tokens, {share} %", shown(target), safe::thousands(*tokens))));
    }
    facts
}

fn shown(target: impl AsRef<str>) -> String {
    safe::clip(target.as_ref(), 40)
}
