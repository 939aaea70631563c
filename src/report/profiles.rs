//! The host profiles, for people and for machines.

use serde_json::{Value, json};

use super::{Format, Style, explain::plain, lines, table};
use crate::rule::{Host, RuleSet, host::Limit};
use crate::text::markdown::cell;

/// The list of all profiles.
pub fn list(rules: &RuleSet, format: Format, style: Style) -> String {
    match format {
        Format::Json => super::pretty(&json!({ "hosts": rules.hosts().map(whole).collect::<Vec<_>>() })),
        Format::Markdown => markdown_list(rules),
        Format::Human => {
            let rows: Vec<Vec<String>> = rules.hosts().map(|host| row(host).to_vec()).collect();
            let table = table::table(&HEAD, &rows, style.width);
            format!("{table}\n\n`toolsurface hosts HOST` shows what a host minds, with source and day\n")
        }
    }
}

/// One profile.
pub fn page(host: &Host, rules: &RuleSet, format: Format, style: Style) -> String {
    match format {
        Format::Json => super::pretty(&whole(host)),
        Format::Human => {
            let limits: String = host.limits().iter().map(|limit| told(limit, rules, style.width)).collect();
            format!("{} ({})\n{}{limits}", host.title, host.id, notes(host))
        }
        Format::Markdown => {
            let row = |limit: &Limit| {
                let cells = limit_row(limit).map(|text| cell(&text));
                format!("| {} |\n", cells.join(" | "))
            };
            let rows: String = host.limits().iter().map(row).collect();
            format!(
                "# {} (`{}`)\n\n{}\n| rule | what the host does | limit | source | day |\n\
                 | --- | --- | --- | --- | --- |\n{rows}",
                host.title,
                host.id,
                notes(host)
            )
        }
    }
}

/// What a host does with the fault of a rule, and who says so. The rule's title tells what its figures count.
fn told(limit: &Limit, rules: &RuleSet, width: usize) -> String {
    const INDENT: &str = "    ";
    let [rule, harm, value, source, day] = limit_row(limit);
    let title = rules.get(&limit.rule).map_or_else(String::new, |rule| plain(&rule.meta.title));
    let value = if value.is_empty() { value } else { format!(" (limit: {value})") };
    let line = |text: &str| format!("{INDENT}{}\n", lines::wrapped(text, width, INDENT));
    let lines = [line(&format!("{title}{value}")), line(&format!("{source}, {day}")), line(&limit.effect.url)];
    format!("\n{rule}: {harm}\n{}", lines.concat())
}

/// The table of all profiles, as it stands in README.md.
pub fn markdown_list(rules: &RuleSet) -> String {
    let mut out = String::from(
        "| profile | host | minds | loses tool, server or request by | newest source |\n| --- | --- | ---: | ---: | --- |\n",
    );
    for host in rules.hosts() {
        let [id, title, minds, worst, day] = row(host);
        out.push_str(&format!("| `{id}` | {} | {minds} | {worst} | {day} |\n", cell(&title)));
    }
    out
}

const HEAD: [&str; 5] = ["profile", "host", "minds", "loses by", "newest source"];

/// Id, title, number of rules that it minds, and of those that lose something, the newest day.
fn row(host: &Host) -> [String; 5] {
    let worst = host.limits().iter().filter(|limit| limit.effect.harm >= crate::finding::Harm::ReviewFails).count();
    let newest = host.limits().iter().map(|limit| limit.effect.date.as_str()).max().unwrap_or_default();
    let title = match &host.superseded_by {
        Some(now) => format!("{} (earlier; now `{now}`)", host.title),
        None => host.title.clone(),
    };
    [host.id.clone(), title, host.limits().len().to_string(), worst.to_string(), newest.to_owned()]
}

fn notes(host: &Host) -> String {
    let mut out = String::new();
    if let Some(now) = &host.superseded_by {
        out.push_str(&format!("an earlier state, not part of `--hosts all`; what is true now: {now}\n"));
    }
    if let Some(prefix) = &host.prefix {
        out.push_str(&format!("names are built as {prefix}\n"));
    }
    out
}

fn limit_row(limit: &Limit) -> [String; 5] {
    let effect = &limit.effect;
    let within = limit.within.as_ref().map_or_else(String::new, |at| format!(" within {at}"));
    let value = value(limit);
    let source = format!("{} ({} confidence)", effect.source, effect.confidence.as_str());
    [format!("{}{within}", limit.rule), effect.harm.as_str().to_owned(), value, source, effect.date.clone()]
}

/// The line that a host draws, in words; empty where it draws none.
pub(super) fn value(limit: &Limit) -> String {
    limit.effect.limit.as_ref().map_or_else(String::new, |value| match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items
            .iter()
            .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
            .collect::<Vec<_>>()
            .join(", "),
        other => other.to_string(),
    })
}

fn whole(host: &Host) -> Value {
    let limits = host.limits().iter().map(|limit| {
        let effect = &limit.effect;
        json!({
            "rule": limit.rule, "harm": effect.harm.as_str(), "limit": effect.limit,
            "within": limit.within.as_ref().map(crate::text::pointer::Pointer::as_str), "source": effect.source, "url": effect.url,
            "date": effect.date, "confidence": effect.confidence.as_str(),
        })
    });
    json!({
        "id": host.id, "title": host.title, "superseded_by": host.superseded_by, "prefix": host.prefix,
        "limits": limits.collect::<Vec<_>>(),
    })
}
