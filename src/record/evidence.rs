//! An architecture-record document: the measured table filled in, the Decision left empty.
//!
//! Every figure stands beside a command that gives it again. A `|` inside a table cell does not survive copying, so
//! cells hold our own commands, which have none, and the portable ones stand in a block below the table.

use serde_json::{Value, json};

use super::how::Source;
use crate::measure::Measures;
use crate::metric::{Measure, Unit};
use crate::surface::Surface;
use crate::text::{digest, markdown, safe};

/// The rows of the table: measure ids in the order of the seeds.
const ROWS: [&str; 26] = [
    "tools.count",
    "tools.distinct",
    "band.verdict",
    "core.count",
    "catalogue.count",
    "gateway.enum",
    "output_schema.present",
    "output_schema.empty",
    "annotations.tools",
    "annotations.read_only.true",
    "annotations.destructive.true",
    "deprecated.marker",
    "title.tool",
    "payload.bytes",
    "payload.chars",
    "payload.o200k",
    "payload.cl100k",
    "visible.o200k",
    "window.200k.share",
    "top5.share.o200k",
    "repeat.waste.utf16",
    "params.top",
    "params.all",
    "params.all.undescribed",
    "enums.count",
    "description.longest",
];

/// The document's text.
pub fn document(surface: &Surface, measures: &Measures, source: &Source) -> String {
    let name = markdown::prose(&surface.target);
    let mut out = format!("# Tool surface of {name}\n\n");
    out.push_str("## Context and Problem Statement\n\n");
    out.push_str(&context(surface));
    out.push_str("\n\n## Measured\n\nEvery figure is given again by the command beside it.\n\n");
    let rows: Vec<&Measure> = ROWS.into_iter().filter_map(|id| measures.get(id)).collect();
    out.push_str("| measurement | value | how |\n| --- | --- | --- |\n");
    for row in &rows {
        let value = markdown::cell(&value(row));
        out.push_str(&format!("| {} | **{value}** | `{}` |\n", row.title, source.own(row.id)));
    }
    out.push_str(&portable(&rows, source));
    out.push_str("\n## Decision Drivers\n\n- \n\n## Considered Options\n\n1. \n\n## Consequences\n\n- \n\n");
    out.push_str("## Decision\n\n<!-- left empty on purpose: this record measures, its owner decides -->\n\n");
    out.push_str("## Confirmation\n\nRun the commands of the table again; a figure that differs has gone stale.\n\n");
    out.push_str(&machine_block(surface, &rows, source));
    out
}

fn context(surface: &Surface) -> String {
    let say = |text: &Option<String>| text.as_deref().map_or_else(|| "not known".to_owned(), markdown::prose);
    format!(
        "Server: {}, version {}, protocol revision {}; tools: {}, pages: {}. Tokens are exact counts of o200k_base and \
         cl100k_base; the payload is the compact JSON of `{{\"tools\":[…]}}`.",
        say(&surface.server.name),
        say(&surface.server.version),
        say(&surface.negotiated),
        surface.tools.len(),
        surface.pages.len()
    )
}

/// The value with its unit, fit for a cell.
pub fn value(measure: &Measure) -> String {
    let shown = match &measure.value {
        Value::Null => return "not applicable".to_owned(),
        Value::Number(number) => number.as_u64().map_or_else(|| number.to_string(), safe::thousands),
        Value::String(text) => safe::line(text),
        Value::Array(items) => list(items),
        other => safe::line(&other.to_string()),
    };
    match measure.unit {
        Unit::Count | Unit::Text => shown,
        Unit::Percent => format!("{shown} %"),
        Unit::Estimate => format!("~{shown}"),
        unit if shown == "1" => format!("{shown} {}", unit.as_str()),
        unit => format!("{shown} {}s", unit.as_str()),
    }
}

/// The items of a list, pairs as `name (figure)`.
fn list(items: &[Value]) -> String {
    let shown = items.iter().map(|item| match item {
        Value::String(text) => safe::line(text),
        Value::Array(pair) => match pair.as_slice() {
            [Value::String(name), figure] => format!("{} ({figure})", safe::line(name)),
            _ => safe::line(&item.to_string()),
        },
        other => safe::line(&other.to_string()),
    });
    let shown: Vec<String> = shown.collect();
    if shown.is_empty() { "none".to_owned() } else { shown.join(", ") }
}

fn portable(rows: &[&Measure], source: &Source) -> String {
    let commands: Vec<String> = rows
        .iter()
        .filter_map(|row| Some(format!("# {}: {}\n{}\n", row.title, value(row), source.portable(row)?)))
        .collect();
    if commands.is_empty() {
        return String::new();
    }
    format!(
        "\nThe same without toolsurface, where other tools agree by construction:\n\n```sh\n{}```\n",
        commands.join("")
    )
}

/// The block that a later run reads to print the change.
fn machine_block(surface: &Surface, rows: &[&Measure], source: &Source) -> String {
    let measures: Vec<Value> = rows
        .iter()
        .map(|row| json!({ "id": row.id, "value": row.value, "unit": row.unit.as_str(), "how": source.own(row.id) }))
        .collect();
    let block = json!({
        "evidence": "toolsurface/1",
        "tool": env!("CARGO_PKG_VERSION"),
        "server": { "name": surface.server.name, "version": surface.server.version },
        "revision": surface.negotiated,
        "payload_sha256": digest::sha256(surface.payload().as_bytes()),
        "measures": measures,
    });
    // `--` may not stand inside an HTML comment; a command after `--` would end it in some readers.
    let text = safe::escaped(block.to_string().replace("--", "\\u002d\\u002d"));
    format!("<!-- toolsurface:evidence {text} -->\n")
}
