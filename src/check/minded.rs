//! From hits to findings: who minds them, how much, and in which words.
//!
//! What a rule says holds for everybody. A chosen host may mind it more: its profile has an entry for the rule, and the
//! finding then names the host, its limit and its source, and is as severe as what the host does.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::{Context, Hit, On};
use crate::finding::{Anchor, Effect, Finding, Level, Severity};
use crate::rule::{Rule, host::Limit};
use crate::subject::Subject;
use crate::surface::{Tool, UNNAMED};
use crate::text::{safe, veil};

/// Hosts that a message names; the report lists them all.
const MOST_NAMED: usize = 3;

/// How a hit is to be told.
struct Told {
    level: Level,
    severity: Severity,
    hosts: Vec<Arc<Effect>>,
}

/// The limits of the chosen hosts for a rule, by value: hosts that draw the same line speak with one voice.
pub(super) fn by_value<'a>(cx: &Context<'a>, rule: &str) -> Vec<Vec<&'a Limit>> {
    let mut groups: Vec<Vec<&Limit>> = Vec::new();
    for limit in cx.limits(rule) {
        let same = |group: &&mut Vec<&Limit>| {
            group.first().is_some_and(|first| {
                (&first.effect.limit, &first.within, &first.prefix)
                    == (&limit.effect.limit, &limit.within, &limit.prefix)
            })
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(limit),
            None => groups.push(vec![limit]),
        }
    }
    groups
}

/// The findings of a hit: one, or none where nobody minds it. `in_force` says whether the rule holds for everybody.
pub(super) fn finding_of(rule: &Rule, mut hit: Hit, in_force: bool, cx: &Context<'_>) -> Option<Finding> {
    let meta = &rule.meta;
    let for_all = in_force && hit.minded.is_none() && meta.level != Level::Host;
    let own = if hit.weaker { meta.weaker.unwrap_or(Severity::Info) } else { meta.severity };
    let mut hosts = match hit.minded.take() {
        Some(hosts) => hosts,
        // A config file names its host by itself.
        None if cx.is_of_files() => Vec::new(),
        None => cx.limits(&meta.id).filter(|limit| limit.covers(&hit.at)).map(|limit| limit.effect.clone()).collect(),
    };
    if hosts.is_empty() && !for_all && !cx.is_of_files() {
        return None;
    }
    hosts.sort_by(|a, b| b.harm.cmp(&a.harm).then_with(|| a.host.cmp(&b.host)));
    let most = meta.hosts_at_most.unwrap_or(Severity::Error);
    let by_hosts = hosts.iter().map(|effect| effect.severity().min(most)).max();
    let told = match by_hosts {
        Some(severity) if !for_all => Told { level: Level::Host, severity, hosts },
        Some(severity) if severity > own => Told { level: Level::Host, severity, hosts },
        _ => Told { level: meta.level, severity: own, hosts },
    };
    Some(finding(rule, hit, told, cx))
}

/// What the hosts do, behind the message: the worst of it, and who. What is above `most` may not come to pass.
fn consequence(hosts: &[Arc<Effect>], most: Severity) -> String {
    let Some(worst) = hosts.first() else { return String::new() };
    let same: Vec<&str> =
        hosts.iter().filter(|effect| effect.harm == worst.harm).map(|effect| effect.title.as_str()).collect();
    let named = same.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
    let more = match hosts.len() - same.len().min(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and minded by {more} more"),
    };
    let limit = match &worst.limit {
        Some(Value::Number(number)) => number.as_u64().map(|limit| format!("limit {}, ", safe::thousands(limit))),
        _ => None,
    };
    let source = match hosts {
        [only] => format!(" ({}{}, {})", limit.unwrap_or_default(), only.source, only.date),
        _ => limit.map_or_else(String::new, |limit| format!(" ({})", limit.trim_end_matches(", "))),
    };
    let worst_case = if worst.severity() > most { "at worst " } else { "" };
    format!("; {worst_case}{} {named}{more}{source}", worst.harm.told())
}

/// The facts of the hosts: who, and the limit that they share.
fn facts(hosts: &[Arc<Effect>]) -> Vec<(String, Value)> {
    let mut facts = Vec::new();
    match hosts {
        [] => return facts,
        [only] => facts.push(("host".to_owned(), only.host.as_str().into())),
        several => {
            let ids: Vec<&str> = several.iter().map(|effect| effect.host.as_str()).collect();
            facts.push(("host".to_owned(), ids.into()));
        }
    }
    let limit = hosts.first().and_then(|first| first.limit.as_ref()).filter(|limit| limit.is_number());
    if let Some(limit) = limit.filter(|limit| hosts.iter().all(|effect| effect.limit.as_ref() == Some(limit))) {
        facts.push(("limit".to_owned(), limit.clone()));
    }
    facts
}

fn finding(rule: &Rule, hit: Hit, told: Told, cx: &Context<'_>) -> Finding {
    // A config file is masked where it is read.
    let hit = if matches!(hit.on, On::Entry(..) | On::File(_)) { hit } else { veiled(hit) };
    let meta = &rule.meta;
    let tool = |index: usize| Subject::tool(cx.surface.tools.get(index).map_or(UNNAMED, Tool::label));
    let (subject, index) = match hit.on {
        On::Tool(index) => (tool(index), Some(index)),
        On::ToolOf(server, tool) => {
            let tool = cx.servers().get(server).and_then(|server| server.tools.get(tool));
            (Subject::tool(tool.map_or(UNNAMED, Tool::label)), None)
        }
        On::ServerOf(server) => {
            (Subject::server(cx.servers().get(server).map_or(UNNAMED, |server| &server.target)), None)
        }
        On::Server => (Subject::server(&cx.surface.target), None),
        On::Exchange => (Subject::exchange(&cx.surface.target), None),
        On::Entry(file, entry) => {
            let entry = cx.files().get(file).and_then(|file| file.entries.get(entry));
            (Subject::entry(entry.map_or(UNNAMED, |entry| &entry.name)), None)
        }
        On::File(file) => (Subject::file(cx.files().get(file).map_or(UNNAMED, |file| &file.path)), None),
    };
    let file = match hit.on {
        On::Entry(file, _) | On::File(file) => cx.files().get(file),
        On::Tool(_) | On::ToolOf(..) | On::Server | On::ServerOf(_) | On::Exchange => None,
    };
    let anchor = file.map_or_else(
        || Anchor { tool: index, at: hit.at.clone(), place: None },
        |file| Anchor::in_file(file.place(&hit.span)),
    );
    // Where the place of a file does not tell its host, nothing is said of a single one.
    let host = file.filter(|file| file.certain).map(|file| ("host".to_owned(), file.format.as_str().into()));
    let also: BTreeSet<Subject> = hit.also.iter().map(|index| tool(*index)).collect();
    Finding {
        rule: meta.id.clone(),
        level: told.level,
        severity: told.severity,
        message: format!(
            "{}{}",
            filled(&meta.title, &hit),
            consequence(&told.hosts, meta.hosts_at_most.unwrap_or(Severity::Error))
        ),
        help: filled(&meta.help, &hit),
        evidence: hit.evidence(),
        also: also.into_iter().filter(|other| *other != subject).collect(),
        anchor,
        facts: hit.facts.into_iter().chain(host).chain(facts(&told.hosts)).collect(),
        hosts: told.hosts,
        revisions: Vec::new(),
        subject,
    }
}

/// A hit without the credentials that a definition may hold: no report shows one, whichever rule quotes it.
fn veiled(mut hit: Hit) -> Hit {
    let owner = veil::owner(&hit.at);
    for value in hit.facts.values_mut() {
        mask(value, owner.as_deref());
    }
    hit
}

fn mask(value: &mut serde_json::Value, owner: Option<&str>) {
    match value {
        serde_json::Value::String(text) => {
            if let std::borrow::Cow::Owned(masked) = veil::masked(text, owner) {
                *text = masked;
            }
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(|item| mask(item, owner)),
        serde_json::Value::Object(members) => members.values_mut().for_each(|value| mask(value, owner)),
        _ => {}
    }
}

/// A title or help text with its `{fact}` placeholders filled from the hit.
fn filled(text: &str, hit: &Hit) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let fact = after.split_once('}').and_then(|(name, tail)| Some((name, hit.facts.get(name)?, tail)));
        if let Some((name, value, tail)) = fact {
            // Sentences of ours, which may quote some words.
            let most = if matches!(name, "cause" | "advice" | "problem") { 160 } else { 48 };
            out.push_str(&shown(value, most));
            rest = tail;
        } else {
            out.push('{');
            rest = after;
        }
    }
    out.push_str(rest);
    out
}

/// A text of a fact in at most `most` letters; of a list as many whole names as fit.
fn clipped(text: &str, most: usize) -> String {
    let is_list = || text.split(", ").all(|name| !name.is_empty() && !name.contains(char::is_whitespace));
    if text.chars().count() <= most || !text.contains(", ") || !is_list() {
        return safe::clip(text, most);
    }
    let all = text.split(", ").count();
    let mut shown = String::new();
    for (n, name) in text.split(", ").enumerate() {
        if n > 0 && shown.chars().count() + name.chars().count() > most {
            return format!("{shown} and {} more", all - n);
        }
        let name = safe::clip(name, most);
        shown = if n == 0 { name } else { format!("{shown}, {name}") };
    }
    shown
}

/// A fact as a few words of a message.
fn shown(value: &serde_json::Value, most: usize) -> String {
    match value {
        serde_json::Value::String(text) => clipped(text, most).replace('`', "'"),
        serde_json::Value::Number(number) => number.as_u64().map_or_else(|| number.to_string(), safe::thousands),
        other => safe::clip(&other.to_string(), most),
    }
}
