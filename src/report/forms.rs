//! The table of tokens: exact counts by text, then estimates by model family, never in one column.

use serde_json::{Value, json};

use super::{Format, Style, lines, pretty, table};
use crate::measure::forms::{Form, Forms};
use crate::text::{markdown::cell, safe};

const HEAD: [&str; 4] = ["text", "bytes", "o200k_base", "cl100k_base"];
const FAMILIES: [&str; 5] = ["family (estimate)", "tokens", "spread", "confidence", "as of"];
const WHY: &str = "Estimates: exact o200k_base tokens of the Claude form times a dated factor of each family. What \
                   stands behind a `+` is a fixed prompt that a request with tools costs beside them. A sum over single members is no part of another text: \
                   tokens merge across borders.";

/// The table alone.
pub fn whole(forms: &Forms, format: Format, style: Style) -> String {
    match format {
        Format::Human => human(forms, style),
        Format::Json => pretty(&value(forms)),
        Format::Markdown => markdown(forms),
    }
}

/// For a terminal.
pub fn human(forms: &Forms, style: Style) -> String {
    let mut rows: Vec<Vec<String>> = forms.sent.iter().map(row).collect();
    rows.extend(forms.unseen.iter().filter(|form| form.bytes > 0).map(|form| {
        let mut row = row(form);
        if let Some(first) = row.first_mut() {
            *first = format!("kept from the model: {first}");
        }
        row
    }));
    format!(
        "{}\n\n{}\n\n{}\n",
        table::of_numbers(&HEAD, &rows, style.width),
        table::table(&FAMILIES, &estimates(forms), style.width),
        lines::wrapped(WHY, style.width, "")
    )
}

fn row(form: &Form) -> Vec<String> {
    vec![form.title.to_owned(), safe::thousands(form.bytes), safe::thousands(form.o200k), safe::thousands(form.cl100k)]
}

fn estimates(forms: &Forms) -> Vec<Vec<String>> {
    let row = |estimate: &crate::measure::forms::Estimate| {
        let family = estimate.family;
        let prompt = family.prompt.map_or_else(String::new, |prompt| format!(" + {}", safe::thousands(prompt)));
        vec![
            family.title.clone(),
            format!("~{}{prompt}", safe::thousands(estimate.tokens)),
            estimate.range.map_or_else(
                || "–".to_owned(),
                |(low, high)| format!("{} to {}", safe::thousands(low), safe::thousands(high)),
            ),
            family.confidence.as_str().to_owned(),
            family.date.clone(),
        ]
    };
    forms.estimates.iter().map(row).collect()
}

fn markdown(forms: &Forms) -> String {
    let line =
        |cells: &[String]| format!("| {} |\n", cells.iter().map(|text| cell(text)).collect::<Vec<_>>().join(" | "));
    let mut out = line(&HEAD.map(str::to_owned)) + "| --- | ---: | ---: | ---: |\n";
    for form in &forms.sent {
        out.push_str(&line(&row(form)));
    }
    for form in forms.unseen.iter().filter(|form| form.bytes > 0) {
        let mut cells = row(form);
        if let Some(first) = cells.first_mut() {
            *first = format!("kept from the model: {first}");
        }
        out.push_str(&line(&cells));
    }
    out.push_str(&format!("\n{}| --- | ---: | --- | --- | --- |\n", line(&FAMILIES.map(str::to_owned))));
    for cells in estimates(forms) {
        out.push_str(&line(&cells));
    }
    format!("{out}\n{WHY}\n")
}

/// For machines.
pub fn value(forms: &Forms) -> Value {
    let exact = |all: &[Form]| -> Vec<Value> {
        let one = |form: &Form| json!({ "id": form.id, "text": form.title, "bytes": form.bytes, "o200k": form.o200k, "cl100k": form.cl100k });
        all.iter().map(one).collect()
    };
    let estimates = forms.estimates.iter().map(|estimate| {
        let family = estimate.family;
        json!({
            "family": family.id, "title": family.title, "estimate": estimate.tokens,
            "low": estimate.range.map(|range| range.0), "high": estimate.range.map(|range| range.1), "prompt": family.prompt, "factor": family.factor,
            "confidence": family.confidence.as_str(), "basis": family.basis, "source": family.source,
            "url": family.url, "date": family.date,
        })
    });
    json!({ "sent": exact(&forms.sent), "kept_from_model": exact(&forms.unseen), "estimates": estimates.collect::<Vec<_>>() })
}
