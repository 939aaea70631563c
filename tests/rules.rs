//! Every rule on every example of every rule: bad fires, good is silent for its own rule, and what all other rules say
//! of it stands in the snapshot, so that an over-eager rule shows at once.
//!
//! `RULE=<id>` runs one rule; `INSTA_UPDATE=always` writes its snapshot.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, and clippy knows test functions only, not what they call"
)]

use std::fmt::Write as _;

use toolsurface::finding::Finding;
use toolsurface::policy::Outcome;
use toolsurface::report::{Style, human};
use toolsurface::rule::{Example, Rule, RuleSet};

#[test]
fn every_example() {
    let rules = RuleSet::shipped().unwrap_or_else(|trouble| panic!("{trouble}"));
    let only = std::env::var("RULE").ok();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for rule in rules.iter().filter(|rule| only.as_ref().is_none_or(|id| *id == rule.meta.id)) {
        seen += 1;
        let text = snapshot(rule, &rules, &mut wrong);
        let name = format!("rules__{}__{}", rule.category, rule.meta.id);
        insta::with_settings!({
            snapshot_path => "snapshots", prepend_module_to_snapshot => false, omit_expression => true
        }, { insta::assert_snapshot!(name, text) });
    }
    assert!(seen > 0, "there is no rule {only:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn snapshot(rule: &Rule, rules: &RuleSet, wrong: &mut Vec<String>) -> String {
    let id = &rule.meta.id;
    let mut text = String::new();
    let mut counts = (0, 0);
    for example in &rule.examples {
        let n = if example.bad { &mut counts.0 } else { &mut counts.1 };
        *n += 1;
        let name = format!("{} {n}", if example.bad { "bad" } else { "good" });
        let outcome = toolsurface::example(example, rules).unwrap_or_else(|trouble| panic!("{id}, {name}: {trouble}"));
        let own = outcome.counted().filter(|finding| finding.rule == *id).count();
        match (example.bad, own) {
            (true, 0) => wrong.push(format!("{id}, {name}: the rule does not fire")),
            (false, 1..) => wrong.push(format!("{id}, {name}: the rule fires {own} times")),
            _ => {}
        }
        let _ = writeln!(text, "## {name}\n\n{}", said(example, outcome, rule, rules));
    }
    text
}

fn said(example: &Example, mut outcome: Outcome, rule: &Rule, rules: &RuleSet) -> String {
    let incidents: Vec<String> =
        outcome.incidents.iter().map(|incident| format!("incident: {}\n", incident.cause)).collect();
    let others: Vec<String> = outcome
        .counted()
        .filter(|finding| finding.rule != rule.meta.id)
        .map(|finding| format!("other: {}\n", line(finding)))
        .collect();
    outcome.findings.retain(|judged| judged.finding.rule == rule.meta.id);
    let style = Style { width: 100, colour: false, verbose: true };
    let own = if example.bad { human::findings(&outcome, rules, style) } else { String::new() };
    format!("{}{}{}", incidents.concat(), own.trim_start(), others.concat())
}

fn line(finding: &Finding) -> String {
    format!("{}[{}] {} {}", finding.severity.as_str(), finding.rule, finding.subject, finding.anchor.at)
}

#[test]
fn an_example_on_the_wrong_side_is_caught() {
    // The check above can fail, both ways: a bad example that is clean, and a good one that is not.
    let rules = RuleSet::shipped().unwrap();
    for (from, to, fault) in [("bad", "good", "fires 1 times"), ("good", "bad", "does not fire")] {
        let text = include_str!("../rules/naming/title-missing.md");
        let text = text.replace(&format!("```json {from}"), &format!("```json {to}"));
        let rule = Rule::from_text("naming", "title-missing", &text).unwrap();
        let mut wrong = Vec::new();
        let _ = snapshot(&rule, &rules, &mut wrong);
        assert!(wrong.iter().any(|line| line.contains(fault)), "{wrong:?}");
    }
}
