//! `toolsurface explain`, `toolsurface rules` and `toolsurface hosts`.

use super::args::{Common, ExplainArgs, HostsArgs, RulesArgs};
use crate::error::Trouble;
use crate::exit::Exit;
use crate::report::{self, Style};
use crate::rule::{Rule, RuleSet, coverage};

pub(super) fn explain(args: &ExplainArgs, common: &Common) -> Result<Exit, Trouble> {
    let rules = super::rules(common)?;
    let rule = rules.find(&args.rule)?;
    let live = live(rule, &rules);
    let to_terminal = std::io::IsTerminal::is_terminal(&std::io::stdout());
    let style = super::style(common, to_terminal);
    super::write_report(&report::explain::page(rule, &live, &rules, args.format.into(), style), None)?;
    Ok(Exit::Clean)
}

pub(super) fn rules(args: &RulesArgs, common: &Common) -> Result<Exit, Trouble> {
    let to_terminal = std::io::IsTerminal::is_terminal(&std::io::stdout());
    let style = super::style(common, to_terminal);
    if args.coverage {
        let rows = coverage::rows()?;
        super::write_report(&report::coverage::coverage(&rows, args.format.into(), style), None)?;
        return Ok(Exit::Clean);
    }
    let rules = super::rules(common)?;
    if args.check {
        return check(&rules);
    }
    super::write_report(&report::explain::list(&rules, args.format.into(), style), None)?;
    Ok(Exit::Clean)
}

/// Runs the examples of the user's own rules.
fn check(rules: &RuleSet) -> Result<Exit, Trouble> {
    let (mut told, mut right, mut count) = (String::new(), true, 0);
    for rule in rules.own().filter_map(|id| rules.get(id)) {
        count += 1;
        let (mut bad, mut good) = (0, 0);
        for example in &rule.examples {
            let number = if example.bad { &mut bad } else { &mut good };
            *number += 1;
            let outcome = crate::example(example, rules)?;
            let fired = outcome.findings.iter().filter(|judged| judged.finding.rule == rule.meta.id).count();
            if example.bad != (fired > 0) {
                let kind = if example.bad { "bad" } else { "good" };
                told.push_str(&format!("{}: {kind} {number} gives findings: {fired}\n", rule.meta.id));
                right = false;
            }
        }
        if bad == 0 || good == 0 {
            told.push_str(&format!(
                "{}: it has {bad} bad and {good} good examples; give one block `json bad` and one `json good`\n",
                rule.meta.id
            ));
            right = false;
        }
    }
    if count == 0 {
        let help = "name their folder with `--rules DIR`, or under `[rules] paths` in toolsurface.toml";
        return Err(Trouble::usage("there are no rules of your own here", help));
    }
    let (rules, verdict) =
        (if count == 1 { "rule" } else { "rules" }, if right { "as they say" } else { "not as they say" });
    told.push_str(&format!("{count} {rules} of your own, their examples {verdict}\n"));
    super::write_report(&told, None)?;
    Ok(if right { Exit::Clean } else { Exit::Findings })
}

pub(super) fn hosts(args: &HostsArgs, common: &Common) -> Result<Exit, Trouble> {
    let rules = RuleSet::shipped()?;
    let to_terminal = std::io::IsTerminal::is_terminal(&std::io::stdout());
    let (format, style) = (args.format.into(), super::style(common, to_terminal));
    let text = match &args.host {
        None => report::profiles::list(&rules, format, style),
        Some(id) => {
            let found = rules
                .host(id)
                .ok_or_else(|| Trouble::usage(format!("there is no host profile `{id}`"), rules.host_suggestion(id)))?;
            report::profiles::page(found, &rules, format, style)
        }
    };
    super::write_report(&text, None)?;
    Ok(Exit::Clean)
}

/// What the tool says today of the rule's first bad example, that rule alone.
fn live(rule: &Rule, rules: &RuleSet) -> String {
    let Some(example) = rule.examples.iter().find(|example| example.bad) else { return String::new() };
    let Ok(outcome) = crate::example(example, &rules.only(&rule.meta.id)) else { return String::new() };
    let text = report::human::findings(&outcome, rules, Style { width: 100, colour: false, verbose: true });
    text.trim_start_matches('\n').to_owned()
}
