//! A rule, from its file to a page: for a terminal, as Markdown, as JSON.

use serde_json::{Value, json};

use super::{Format, Style, pretty, table};
use crate::rule::{Body, Host, Rule, RuleSet, host::Limit};
use crate::spec::threshold::thresholds;
use crate::text::markdown::cell;

/// The page of one rule. `live` is what the tool says today of the rule's first bad example.
pub fn page(rule: &Rule, live: &str, rules: &RuleSet, format: Format) -> String {
    let now = rules.hosts().filter(|host| host.superseded_by.is_none());
    let minding: Vec<(&Host, &Limit)> = now
        .flat_map(|host| host.limits().iter().map(move |limit| (host, limit)))
        .filter(|(_, limit)| limit.rule == rule.meta.id)
        .collect();
    match format {
        Format::Json => pretty(&entry(rule)),
        Format::Markdown => text(rule, live, &minding, true),
        Format::Human => text(rule, live, &minding, false),
    }
}

/// All rules, a line each.
pub fn list(rules: &RuleSet, format: Format, style: Style) -> String {
    match format {
        Format::Json => pretty(&json!({ "rules": rules.iter().map(entry).collect::<Vec<_>>() })),
        Format::Markdown => markdown_list(rules),
        Format::Human => {
            let rows: Vec<Vec<String>> = rules
                .iter()
                .map(|rule| {
                    vec![
                        rule.meta.id.clone(),
                        rule.meta.severity.as_str().to_owned(),
                        rule.meta.level.as_str().to_owned(),
                        plain_title(rule),
                    ]
                })
                .collect();
            let mut out = table::table(&["rule", "severity", "level", "what it says"], &rows, style.width);
            out.push_str(&format!("\n\n{} rules; `toolsurface explain RULE` for one\n", rows.len()));
            out
        }
    }
}

/// The table of thresholds, as it stands in README.md.
pub fn markdown_thresholds() -> String {
    let mut out = String::from(
        "| threshold | value | what | whose line | source | day |\n| --- | ---: | --- | --- | --- | --- |\n",
    );
    for one in thresholds() {
        let (what, source) = (cell(&one.what), cell(&one.source));
        let basis = one.basis.as_str();
        out.push_str(&format!(
            "| `{}` | {} | {what} | {basis} | [{source}]({}) | {} |\n",
            one.id, one.value, one.url, one.date
        ));
    }
    out
}

/// The table of all rules, also in README.
pub fn markdown_list(rules: &RuleSet) -> String {
    let mut out = String::from("| rule | severity | level | what it says |\n| --- | --- | --- | --- |\n");
    for rule in rules.iter() {
        out.push_str(&format!(
            "| [`{id}`](rules/{category}/{id}.md) | {severity} | {level} | {title} |\n",
            id = rule.meta.id,
            category = rule.category,
            severity = rule.meta.severity.as_str(),
            level = rule.meta.level.as_str(),
            title = plain_title(rule).replace('|', "\\|"),
        ));
    }
    out
}

/// The title with its placeholders as words.
pub fn plain_title(rule: &Rule) -> String {
    rule.meta.title.replace('{', "‹").replace('}', "›")
}

fn text(rule: &Rule, live: &str, minding: &[(&Host, &Limit)], markdown: bool) -> String {
    let meta = &rule.meta;
    let mark = |heading: &str| if markdown { format!("\n## {heading}\n\n") } else { format!("\n{heading}\n\n") };
    let mut out = if markdown { format!("# {}\n\n", meta.id) } else { format!("{}\n\n", meta.id) };
    out.push_str(&format!("{} · {} · {}", meta.severity.as_str(), meta.level.as_str(), rule.category));
    if let Some(weaker) = meta.weaker {
        out.push_str(&format!(" · {} when less certain", weaker.as_str()));
    }
    out.push_str(&format!(" · revisions: {} · since {}\n\n{}\n", meta.specs, meta.since, rule.prose.summary.trim()));
    if let Some(harm) = &meta.harm {
        out.push_str(&format!("\nWhy this severity: {harm}.\n"));
    }
    for (heading, words) in &rule.prose.sections {
        if words.trim().is_empty() || heading == "Bad" || heading == "Good" {
            continue;
        }
        out.push_str(&mark(heading));
        out.push_str(&format!("{}\n", words.trim()));
    }
    out.push_str(&mark("What to do"));
    out.push_str(&format!("{}\n", meta.help));
    for (bad, heading) in [(true, "Bad"), (false, "Good")] {
        if !rule.examples.iter().any(|example| example.bad == bad) {
            continue;
        }
        out.push_str(&mark(heading));
        for example in rule.examples.iter().filter(|example| example.bad == bad) {
            let path = example.config.as_ref().map_or_else(String::new, |config| format!(" {}", config.path));
            out.push_str(&format!("```{}{path}\n{}```\n", example.language, example.text));
            for (path, text) in example.config.iter().flat_map(|config| &config.with) {
                out.push_str(&format!("```{} {path}\n{text}```\n", example.language));
            }
        }
        if bad && !live.is_empty() {
            out.push_str(&format!("\n{}\n\n```text\n{}```\n", "What toolsurface says of it:", live));
        }
    }
    if !minding.is_empty() {
        out.push_str(&mark("Hosts that mind it"));
        for (host, limit) in minding {
            let (effect, value) = (&limit.effect, super::profiles::value(limit));
            let value = if value.is_empty() { value } else { format!(" ({value})") };
            out.push_str(&format!(
                "- {}: {}{value}; {}, {}\n",
                host.id,
                effect.harm.as_str(),
                effect.source,
                effect.date
            ));
        }
    }
    out.push_str(&mark("Sources"));
    for cite in &meta.cites {
        out.push_str(&format!("- {}: {}\n", cite.label(), cite.url()));
    }
    out.push_str(&mark("How to allow it"));
    out.push_str(&format!(
        "```toml\n[[allow]]\nrule = \"{}\"\nsubject = \"NAME OR GLOB\"\nreason = \"WHY THIS IS FINE HERE\"\n```\n",
        meta.id
    ));
    out
}

fn entry(rule: &Rule) -> Value {
    let meta = &rule.meta;
    json!({
        "id": meta.id,
        "category": rule.category,
        "title": meta.title,
        "level": meta.level.as_str(),
        "severity": meta.severity.as_str(),
        "weaker": meta.weaker.map(crate::finding::Severity::as_str),
        "on": meta.on.as_str(),
        "check": match rule.body {
            Body::Schema(_) => "schema",
            Body::Text { .. } => "text",
            Body::Budget(_) => "budget",
            Body::Code => "code",
            Body::None => "none",
        },
        "revisions": meta.specs.to_string(),
        "heuristic": meta.heuristic,
        "since": meta.since,
        "help": meta.help,
        "harm": meta.harm,
        "summary": rule.prose.summary.trim(),
        "why": rule.prose.section("Why it matters"),
        "when_to_allow": rule.prose.section("When to allow it"),
        "cites": meta.cites.iter().map(|cite| json!({ "label": cite.label(), "url": cite.url() })).collect::<Vec<_>>(),
    })
}
