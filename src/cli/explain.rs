//! `toolsurface explain`, `toolsurface rules` and `toolsurface hosts`.

use super::args::{Common, ExplainArgs, HostsArgs, RulesArgs};
use crate::error::Trouble;
use crate::exit::Exit;
use crate::report::{self, Style};
use crate::rule::{Rule, RuleSet, coverage};

pub(super) fn explain(args: &ExplainArgs) -> Result<Exit, Trouble> {
    let rules = RuleSet::shipped()?;
    let rule = rules.find(&args.rule)?;
    let live = live(rule, &rules);
    super::write_report(&report::explain::page(rule, &live, &rules, args.format.into()), None)?;
    Ok(Exit::Clean)
}

pub(super) fn rules(args: &RulesArgs, common: &Common) -> Result<Exit, Trouble> {
    if args.coverage {
        let rows = coverage::rows()?;
        super::write_report(&report::coverage::coverage(&rows, args.format.into()), None)?;
        return Ok(Exit::Clean);
    }
    let rules = RuleSet::shipped()?;
    let to_terminal = std::io::IsTerminal::is_terminal(&std::io::stdout());
    super::write_report(&report::explain::list(&rules, args.format.into(), super::style(common, to_terminal)), None)?;
    Ok(Exit::Clean)
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
            report::profiles::page(found, format, style)
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
