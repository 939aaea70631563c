//! The conventions over all rules, held by a test each, so that none is a matter of memory.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, and clippy knows test functions only, not what they call"
)]

use std::collections::BTreeSet;
use std::path::Path;

use toolsurface::check::{Validator, code_names};
use toolsurface::finding::{Level, Severity};
use toolsurface::input::hosts::Format;
use toolsurface::rule::{
    Body, Cite, Example, Rule, RuleSet, Selector, Status, coverage,
    fix::{Edit, applied},
};
use toolsurface::spec::{revision::Revision, threshold::thresholds};
use toolsurface::subject::Kind;

const CATEGORIES: [&str; 8] = ["annotations", "config", "context", "drift", "naming", "protocol", "safety", "schema"];
const MOST_TITLE: usize = 80;
const MOST_LINES: usize = 96;
const MOST_COLUMNS: usize = 120;

fn rules() -> RuleSet {
    RuleSet::shipped().unwrap_or_else(|trouble| panic!("{trouble}"))
}

/// Collects a sentence for each rule that breaks a convention.
fn hold(mut what: impl FnMut(&Rule) -> Vec<String>) {
    let rules = rules();
    let faults: Vec<String> = rules
        .iter()
        .flat_map(|rule| what(rule).into_iter().map(|fault| format!("{}: {fault}", rule.meta.id)).collect::<Vec<_>>())
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn unless(holds: bool, fault: impl Into<String>) -> Option<String> {
    (!holds).then(|| fault.into())
}

#[test]
fn ids_name_the_fault() {
    hold(|rule| {
        let id = &rule.meta.id;
        let words: Vec<&str> = id.split('-').collect();
        let kebab = id.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-');
        let cure = ["no", "use", "check", "disallow", "require"].contains(&words[0]);
        [
            unless(kebab, "the id is not kebab-case"),
            unless((2..=6).contains(&words.len()), "the id has not two to six words"),
            unless(!cure, "the id names the cure"),
            unless(CATEGORIES.contains(&rule.category.as_str()), format!("`{}` is no category", rule.category)),
        ]
        .into_iter()
        .flatten()
        .collect()
    });
}

#[test]
fn wording() {
    hold(|rule| {
        let meta = &rule.meta;
        let starts_low = |text: &str| text.starts_with(|letter: char| !letter.is_uppercase());
        let ends_open = |text: &str| !text.ends_with(['.', '!', '?']);
        [
            unless(starts_low(&meta.title), "the title starts with a capital"),
            unless(ends_open(&meta.title), "the title ends with a full stop"),
            unless(meta.title.chars().count() <= MOST_TITLE, "the title is too long"),
            unless(!meta.title.contains("should"), "the title says what should be, not what is"),
            unless(starts_low(&meta.help), "the help starts with a capital"),
            unless(ends_open(&meta.help), "the help ends with a full stop"),
            unless(!meta.help.starts_with("you "), "the help is no imperative"),
        ]
        .into_iter()
        .flatten()
        .collect()
    });
}

#[test]
fn every_section_is_there() {
    hold(|rule| {
        let mut wanted = vec!["Why it matters", "When to allow it"];
        if matches!(rule.body, Body::Code | Body::Budget(_)) {
            wanted.push("How it is decided");
        }
        let mut faults: Vec<String> = wanted
            .into_iter()
            .filter(|heading| rule.prose.section(heading).is_none())
            .map(|heading| format!("section `{heading}` is empty"))
            .collect();
        faults.extend(unless(!rule.prose.summary.trim().is_empty(), "there is no first paragraph"));
        let shown = |bad: bool| rule.meta.status == Status::Planned || rule.examples.iter().any(|one| one.bad == bad);
        faults.extend(unless(shown(true), "there is no bad example"));
        faults.extend(unless(shown(false), "there is no good example"));
        let path = format!("{}/rules/{}/{}.md", env!("CARGO_MANIFEST_DIR"), rule.category, rule.meta.id);
        let text = std::fs::read_to_string(path).unwrap();
        faults.extend(unless(text.lines().count() <= MOST_LINES, "the file is too long"));
        let prose = rule.prose.sections.iter().map(|(_, text)| text).chain([&rule.prose.summary]);
        let wide = prose.flat_map(|text| text.lines()).find(|line| line.chars().count() > MOST_COLUMNS);
        faults.extend(wide.map(|line| format!("a line is wider than {MOST_COLUMNS} columns: {line}")));
        faults.extend(unless(
            text.lines().any(|line| line == format!("# {}", rule.meta.id)),
            "there is no line `# <id>`",
        ));
        faults
    });
}

#[test]
fn checks_compile() {
    hold(|rule| match &rule.body {
        Body::Schema(asserts) => asserts.iter().filter_map(|(_, schema)| Validator::new(schema).err()).collect(),
        Body::Text { fields, must, must_not } => {
            let patterns = must.iter().chain(must_not);
            let mut faults: Vec<String> = patterns
                .filter_map(|pattern| regex::Regex::new(pattern).err())
                .map(|error| error.to_string())
                .collect();
            faults.extend(unless(!fields.is_empty(), "a text check names its `fields`"));
            faults
        }
        Body::Budget(_) | Body::Code | Body::None => Vec::new(),
    });
}

#[test]
fn code_rules_and_functions_are_the_same_set() {
    let rules = rules();
    let declared: BTreeSet<&str> =
        rules.iter().filter(|rule| matches!(rule.body, Body::Code)).map(|rule| rule.meta.id.as_str()).collect();
    let functions: BTreeSet<&str> = code_names().into_iter().collect();
    assert_eq!(declared, functions);
    assert!(code_names().is_sorted(), "the table in src/check/code/mod.rs is not sorted");
}

/// The severity that a keyword of the specification allows without a reason.
fn allowed(keyword: &str) -> Option<Severity> {
    match keyword {
        "MUST" | "MUST NOT" | "schema" => Some(Severity::Error),
        "SHOULD" | "SHOULD NOT" | "RECOMMENDED" => Some(Severity::Warn),
        "MAY" => Some(Severity::Info),
        _ => None,
    }
}

#[test]
fn severity_follows_its_source() {
    hold(|rule| {
        let meta = &rule.meta;
        let mut faults = Vec::new();
        let mut most = None;
        for cite in &meta.cites {
            if let Cite::Spec(cite) = cite {
                match allowed(&cite.keyword) {
                    Some(severity) => most = most.max(Some(severity)),
                    None => faults.push(format!("`{}` is no keyword", cite.keyword)),
                }
            }
        }
        faults.extend(unless(!meta.cites.is_empty(), "there is no source"));
        if meta.level == Level::Spec {
            faults.extend(unless(most.is_some(), "level spec, but no heading of the specification is cited"));
        }
        // What a host does is said by its profile.
        let covered = meta.level == Level::Host || most.is_some_and(|most| meta.severity <= most);
        let budget = matches!(rule.body, Body::Budget(_));
        let needs_harm = meta.severity == Severity::Error && !covered && !budget;
        faults.extend(unless(!needs_harm || meta.harm.is_some(), "an error above what its source allows needs `harm`"));
        faults.extend(unless(!(meta.heuristic && meta.severity == Severity::Error), "a heuristic rule is no error"));
        faults.extend(unless(meta.weaker.is_none_or(|weaker| weaker < meta.severity), "`weaker` is not weaker"));
        faults
    });
}

#[test]
fn cited_headings_exist() {
    let known = include_str!("data/spec_headings.txt");
    hold(|rule| {
        let missing = rule.meta.cites.iter().filter_map(|cite| match cite {
            Cite::Spec(cite) => {
                let heading = format!("{} {}#{}", cite.spec, cite.page, cite.section);
                unless(known.lines().any(|line| line == heading), format!("no such heading: {heading}"))
            }
            Cite::Page(page) => {
                let dated = page.read.len() == 10 && page.read.starts_with("20");
                unless(page.url.starts_with("https://") && dated, format!("not an address with its day: {}", page.url))
            }
        });
        missing.collect()
    });
}

#[test]
fn demands_on_tools_have_rules_or_a_reason() {
    let (rules, rows) = (rules(), coverage::rows().unwrap());
    let known = include_str!("data/spec_headings.txt");
    for row in &rows {
        assert_ne!(row.rules.is_empty(), row.none.is_none(), "{}: rules or a reason, one of both", row.says);
        for id in &row.rules {
            assert!(rules.get(id).is_some(), "{}: no rule `{id}`", row.says);
        }
        for revision in Revision::ALL.into_iter().filter(|revision| row.specs.contains(*revision)) {
            let heading = format!("{revision} {}#{}", row.page, row.section);
            assert!(known.lines().any(|line| line == heading), "{}: no such heading: {heading}", row.says);
        }
    }
    let named: BTreeSet<&str> = rows.iter().flat_map(|row| &row.rules).map(String::as_str).collect();
    hold(|rule| {
        let spec = rule.meta.level == Level::Spec;
        let about_tools = rule.meta.on != Selector::Exchange
            && rule.meta.on != Selector::Config
            && rule.meta.cites.iter().any(|cite| match cite {
                Cite::Spec(cite) => cite.page == "server/tools" || cite.section.contains("Tool"),
                Cite::Page(_) => false,
            });
        let fault =
            unless(!(spec && about_tools) || named.contains(rule.meta.id.as_str()), "no row of coverage.toml names it");
        fault.into_iter().collect()
    });
}

#[test]
fn every_finding_has_a_source_that_is_not_about_another_host() {
    hold(|rule| {
        let named = rule.meta.cites.iter().flat_map(|cite| match cite {
            Cite::Page(page) => page.hosts.as_slice(),
            Cite::Spec(_) => &[],
        });
        let mut faults: Vec<String> =
            named.filter_map(|id| unless(Format::from_text(id).is_some(), format!("`{id}` is no host"))).collect();
        faults.extend(unless(rule.meta.cites_for(None).next().is_some(), "every source is about single hosts"));
        faults
    });
}

#[test]
fn messages_are_whole() {
    let rules = rules();
    hold(|rule| {
        let bad = rule.examples.iter().filter(|example| example.bad);
        let outcomes = bad.filter_map(|example| toolsurface::example(example, &rules).ok());
        let own = outcomes.flat_map(|outcome| outcome.findings).map(|judged| judged.finding);
        own.filter(|finding| finding.rule == rule.meta.id)
            .filter(|finding| unfilled(&finding.message) || unfilled(&finding.help))
            .map(|finding| format!("a placeholder has no fact: {} / {}", finding.message, finding.help))
            .collect()
    });
}

#[test]
fn findings_stand_on_what_the_head_says() {
    let rules = rules();
    hold(|rule| {
        let wanted: &[Kind] = match rule.meta.on {
            Selector::Server => &[Kind::Server],
            Selector::Exchange => &[Kind::Exchange],
            Selector::Config => &[Kind::Entry, Kind::File],
            Selector::Targets => &[Kind::Server, Kind::Tool],
            _ => &[Kind::Tool],
        };
        let bad = rule.examples.iter().filter(|example| example.bad);
        let outcomes = bad.filter_map(|example| toolsurface::example(example, &rules).ok());
        let own = outcomes.flat_map(|outcome| outcome.findings).map(|judged| judged.finding);
        let other = own.filter(|finding| finding.rule == rule.meta.id && !wanted.contains(&finding.subject.kind));
        // A budget names its measures; those of single tools stand on tools.
        other.map(|finding| format!("`on` says {}, it stands on {}", rule.meta.on.as_str(), finding.subject)).collect()
    });
}

#[test]
fn limits_of_hosts_have_a_source_and_a_day() {
    let rules = rules();
    let limits = || rules.hosts().flat_map(|host| host.limits().iter().map(move |limit| (host, limit)));
    assert!(limits().count() > 0);
    // A day; a month or a year where no more is known.
    let day = regex::Regex::new(r"^20\d\d(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$").unwrap();
    for (host, limit) in limits() {
        let (effect, named) = (&limit.effect, format!("{}: {}", host.id, limit.rule));
        let dated = day.is_match(&effect.date);
        assert!(dated && effect.url.starts_with("https://"), "{named}");
        assert!(!effect.source.is_empty() && !host.title.is_empty(), "{named}");
        assert!(rules.get(&limit.rule).is_some(), "{named}: there is no such rule");
        let twins = host.limits().iter().filter(|other| (&other.rule, &other.within) == (&limit.rule, &limit.within));
        assert_eq!(twins.count(), 1, "{named} stands twice");
    }
}

#[test]
fn thresholds_have_a_source_and_a_day() {
    let ids: BTreeSet<&str> = thresholds().iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids.len(), thresholds().len(), "an id stands twice, or the file is not read");
    for one in thresholds() {
        assert!(one.date.len() == 10 && one.url.starts_with("https://") && !one.source.is_empty(), "{}", one.id);
    }
    let used = regex::Regex::new(r#"threshold\("([a-z.-]+)"\)"#).unwrap();
    let source = all_source();
    let named: BTreeSet<&str> = used.captures_iter(&source).map(|found| found.get(1).unwrap().as_str()).collect();
    assert_eq!(named, ids);
}

/// Whether `{word}` is left in a text; JSON in back-ticks has quotes or blanks behind its brace.
fn unfilled(text: &str) -> bool {
    let names = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    names
        .into_iter()
        .any(|(name, _)| !name.is_empty() && name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_'))
}

#[test]
fn words_of_rules_stand_in_rule_files_only() {
    let texts = all_source();
    hold(|rule| unless(!texts.contains(&rule.meta.title), "its title stands in src/ too").into_iter().collect());
}

/// The text of every source file.
fn all_source() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut texts = String::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension().and_then(std::ffi::OsStr::to_str) {
                _ if path.is_dir() => folders.push(path),
                Some("rs") => texts.push_str(&std::fs::read_to_string(&path).unwrap()),
                _ => {}
            }
        }
    }
    texts
}

#[test]
fn fixes_mend_and_break_nothing() {
    let rules = rules();
    let mut mended = 0;
    hold(|rule| {
        let Some(fix) = &rule.meta.fix else { return Vec::new() };
        let mut faults = Vec::new();
        for example in rule.examples.iter().filter(|example| example.bad) {
            let mut document: serde_json::Value = serde_json::from_str(&example.text).unwrap();
            let before = toolsurface::example(example, &rules).unwrap().findings;
            let own = before.iter().map(|judged| &judged.finding).filter(|finding| finding.rule == rule.meta.id);
            for finding in own {
                let n = finding.anchor.tool.unwrap();
                let tool = document["tools"][n].clone();
                let edit = Edit { fix, at: &finding.anchor.at, facts: &finding.facts };
                let Some(patch) = edit.patch(&tool) else { continue };
                document["tools"][n] = applied(&tool, &patch);
                mended += 1;
            }
            let mended = Example { text: document.to_string(), ..example.clone() };
            let after = toolsurface::example(&mended, &rules).unwrap().findings;
            let known: BTreeSet<String> = before.iter().map(|judged| judged.finding.fingerprint()).collect();
            for finding in after.iter().map(|judged| &judged.finding) {
                if finding.rule == rule.meta.id || !known.contains(&finding.fingerprint()) {
                    faults.push(format!("behind the fix: {} {}", finding.rule, finding.message));
                }
            }
        }
        faults
    });
    assert!(mended > 5, "{mended}");
}
