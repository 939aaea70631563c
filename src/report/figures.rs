//! The figures of the `measure` command: one, or all with their commands.

use serde_json::{Value, json};

use super::{Format, Style, json as report_json, lines, pretty, table};
use crate::measure::Measures;
use crate::metric::Measure;
use crate::record::{evidence, how::Source};
use crate::surface::Surface;
use crate::text::{markdown, safe};

/// One figure: the bare value for a script, or the measure as JSON or Markdown.
pub fn one(measure: &Measure, source: &Source, format: Format) -> String {
    match format {
        Format::Human => match &measure.value {
            Value::String(text) => format!("{}\n", safe::line(text)),
            Value::Null => "not applicable\n".to_owned(),
            other => format!("{}\n", safe::escaped(other.to_string())),
        },
        Format::Json => pretty(&report_json::measure(measure, source)),
        Format::Markdown => markdown_table(&[measure], source),
    }
}

/// All figures.
pub fn all(surface: &Surface, measures: &Measures, source: &Source, format: Format, style: Style) -> String {
    let list: Vec<&Measure> = measures.server.iter().collect();
    match format {
        Format::Human => human(&list, source, style),
        Format::Json => pretty(&json!({
            "schema": report_json::SCHEMA,
            "tool": env!("CARGO_PKG_VERSION"),
            "targets": [{
                "name": surface.target,
                "server": report_json::server(surface),
                "measures": list.iter().map(|measure| report_json::measure(measure, source)).collect::<Vec<_>>(),
                "tools": report_json::tools(measures),
                "incidents": report_json::incidents(&surface.incidents, &[]),
            }],
        })),
        Format::Markdown => markdown_table(&list, source),
    }
}

fn human(list: &[&Measure], source: &Source, style: Style) -> String {
    let rows: Vec<Vec<String>> = list
        .iter()
        .map(|measure| vec![measure.id.to_owned(), safe::clip(&evidence::value(measure), 60), measure.title.to_owned()])
        .collect();
    let mut out = table::table(&["id", "value", "what"], &rows, style.width);
    out.push_str(&format!("\n\neach figure by its id:\n  {}\n", source.own("ID")));
    let tokens = "what each host's form of the list costs, and estimates by model family:";
    out.push_str(&format!("{}\n  {}\n", lines::wrapped(tokens, style.width, ""), source.own("tokens")));
    let portable = list.iter().filter_map(|measure| Some((measure.id, source.portable(measure)?)));
    let portable: Vec<String> = portable.map(|(id, command)| format!("  {command}  # {id}\n")).collect();
    if !portable.is_empty() {
        let told = "the same without toolsurface, where other tools agree by construction:";
        out.push_str(&format!("{}\n{}", lines::wrapped(told, style.width, ""), portable.concat()));
    }
    out
}

fn markdown_table(list: &[&Measure], source: &Source) -> String {
    let mut out = String::from("| measurement | value | how |\n| --- | --- | --- |\n");
    for measure in list {
        let value = markdown::cell(&safe::clip(&evidence::value(measure), 400));
        out.push_str(&format!("| {} | {value} | `{}` |\n", measure.title, source.own(measure.id)));
    }
    out
}
