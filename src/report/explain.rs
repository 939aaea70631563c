//! A rule, from its file to a page: for a terminal, as Markdown, as JSON.

use serde_json::{Value, json};

use super::{Format, Style, lines, pretty, table};
use crate::finding::Level;
use crate::rule::{Body, Example, Host, Need, Rule, RuleSet, Status, example::Written, host::Limit};
use crate::spec::threshold::thresholds;
use crate::text::markdown::cell;

/// The page of one rule. `live` is what the tool says today of the rule's first bad example.
pub fn page(rule: &Rule, live: &str, rules: &RuleSet, format: Format, style: Style) -> String {
    let now = rules.hosts().filter(|host| host.superseded_by.is_none());
    let minding: Vec<(&Host, &Limit)> = now
        .flat_map(|host| host.limits().iter().map(move |limit| (host, limit)))
        .filter(|(_, limit)| limit.rule == rule.meta.id)
        .collect();
    match format {
        Format::Json => pretty(&entry(rule)),
        Format::Markdown => text(rule, live, &minding, true),
        Format::Human => lines::narrowed(&text(rule, live, &minding, false), style.width),
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
                        severity(rule),
                        rule.meta.level.as_str().to_owned(),
                        plain(&rule.meta.title),
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
            severity = severity(rule),
            level = rule.meta.level.as_str(),
            title = plain(&rule.meta.title).replace('|', "\\|"),
        ));
    }
    out
}

/// A text with its placeholders as words: `{value}` is `‹value›`.
pub fn plain(text: &str) -> String {
    let mut parts = text.split('{');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_word = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        match part.split_once('}').filter(|(word, _)| is_word(word)) {
            Some((word, rest)) => out.push_str(&format!("‹{word}›{rest}")),
            None => out.push_str(&format!("{{{part}")),
        }
    }
    out
}

/// The severity in words, and that a rule does not look yet: who reads the list must not take it for checked.
fn severity(rule: &Rule) -> String {
    let severity = rule.meta.severity.as_str();
    match rule.meta.status {
        Status::Stable => severity.to_owned(),
        status => format!("{severity}, {}", status.as_str()),
    }
}

/// What to do, where it does not depend on the case alone.
fn help(rule: &Rule) -> String {
    let help = plain(&rule.meta.help);
    if help.starts_with('‹') && help.ends_with('›') {
        return "What each finding says: it depends on the case.".to_owned();
    }
    help
}

/// What must be known beside an example, and its files.
fn shown(example: &Example) -> String {
    let mut out = String::new();
    for word in example.config.iter().flat_map(|config| &config.given) {
        let known = match word.split_once(':') {
            Some(("on", platform)) => format!("On {platform}:"),
            Some(("input", input)) => format!("With the input {input}:"),
            _ => format!("With {word} in the environment:"),
        };
        out.push_str(&format!("{known}\n\n"));
    }
    for Written { path, language, text, .. } in example.files() {
        out.push_str(&format!("```{language} {path}\n{text}```\n"));
    }
    out
}

/// The command that shows an example, once its files are written.
fn command(rule: &Rule, example: &Example) -> String {
    let files = example.files();
    let has_settings = files.iter().any(|file| !file.audited);
    let mut words = vec!["toolsurface audit".to_owned()];
    words.extend(files.into_iter().filter(|file| file.audited).map(|file| file.path));
    if example.config.is_some() {
        words.push("--config-only".to_owned());
    } else if rule.meta.level == Level::Host && !has_settings {
        words.push("--hosts all".to_owned());
    }
    words.join(" ")
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
    if let Some(need) = meta.need() {
        out.push_str(&format!("\n{}\n", need.advice()));
    }
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
    out.push_str(&format!("{}\n", help(rule)));
    for (bad, heading) in [(true, "Bad"), (false, "Good")] {
        let examples: Vec<&Example> = rule.examples.iter().filter(|example| example.bad == bad).collect();
        let Some(first) = examples.first() else { continue };
        out.push_str(&mark(heading));
        out.push_str(&examples.iter().map(|example| shown(example)).collect::<Vec<_>>().join("\n"));
        if bad && !live.is_empty() {
            let which = if examples.len() > 1 { " of the first" } else { "" };
            let command = command(rule, first);
            out.push_str(&format!("\nWhat `{command}` says of this rule{which}:\n\n```text\n{live}```\n"));
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
        "```toml\n[[allow]]\nrule = \"{}\"\nsubject = \"NAME OR GLOB\"\nreason = \"\" # why this is fine here\n```\n",
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
        "needs": meta.need().map(Need::advice),
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
        "status": meta.status.as_str(),
        "help": meta.help,
        "harm": meta.harm,
        "summary": rule.prose.summary.trim(),
        "why": rule.prose.section("Why it matters"),
        "when_to_allow": rule.prose.section("When to allow it"),
        "cites": meta.cites.iter().map(|cite| json!({ "label": cite.label(), "url": cite.url() })).collect::<Vec<_>>(),
    })
}
