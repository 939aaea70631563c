//! `toolsurface audit`.

use std::time::{SystemTime, UNIX_EPOCH};

use super::args::{AuditArgs, Common};
use super::progress;
use super::targets::{self, Chosen, Files};
use crate::error::Trouble;
use crate::exit::Exit;
use crate::finding::{Incident, Stage};
use crate::input::{Gathered, hosts::Platform, progress::Tell};
use crate::policy::{self, Config, Day, Decisions, Examined, FailOn, Verdict};
use crate::report::{self, View};
use crate::rule::RuleSet;
use crate::surface::Surface;
use crate::text::safe;

pub(super) fn run(args: &AuditArgs, common: &Common) -> Result<Exit, Trouble> {
    let (rules, mut config) = super::settings(common)?;
    if !args.hosts.is_empty() {
        config.checks.hosts = rules.find_hosts(&args.hosts)?;
    }
    if let Some(range) = &args.spec_range {
        config.checks.revisions.clone_from(&range.0);
    }
    if config.checks.hosts.is_empty() && matches!(args.format.into(), View::Hosts) {
        let help = "name some with `--hosts`, or all with `--hosts all`";
        return Err(Trouble::usage("the matrix of hosts is of those that are chosen, and none is", help));
    }
    let today = today(args.today.as_deref())?;
    let platform = args.platform.unwrap_or(Platform::HERE);
    let files = Files { judged: true, entered: !args.config_only, platform };
    let chosen = targets::all(&args.targets, &args.reach, &config, files)?;
    // Files that lead to no server leave nothing audited, which must not look like a clean run.
    let leads_nowhere = !args.config_only && matches!(chosen.as_slice(), [only] if only.target.is_config());
    let (mut outcomes, mut timings) = (Vec::new(), String::new());
    for (one, mut examined) in chosen.iter().zip(examined(&chosen, &rules, &config)?) {
        if args.timings {
            timings.push_str(&times(&examined));
        }
        if leads_nowhere {
            let cause =
                "its host starts no server; judge the file alone with `--config-only` if that is meant".to_owned();
            examined.surface.incidents.push(Incident { stage: Stage::Start, cause });
        }
        let fail_on = args.fail_on.or_else(|| one.entry.as_ref()?.fail_on).or(config.fail_on);
        let decisions = Decisions {
            config: &config,
            fail_on: fail_on.unwrap_or(FailOn::Error),
            allow_empty: one.allows_empty(),
            today,
        };
        outcomes.push(policy::judge(examined, &decisions));
    }
    let between = (outcomes.len() > 1).then(|| {
        let servers: Vec<&Surface> =
            outcomes.iter().filter(|outcome| !outcome.is_config).map(|outcome| &outcome.surface).collect();
        let decisions = Decisions {
            config: &config,
            fail_on: args.fail_on.or(config.fail_on).unwrap_or(FailOn::Error),
            allow_empty: true,
            today,
        };
        policy::judge(crate::examine_across(&servers, &rules, &config.checks), &decisions)
    });
    let verdict = Verdict::of(outcomes, between, &config, today);
    let view = if args.fix_preview { View::Fixes } else { args.format.into() };
    let to_terminal = args.output.is_none() && std::io::IsTerminal::is_terminal(&std::io::stdout());
    let text = report::audit(&verdict, &rules, view, super::style(common, to_terminal));
    super::write_report(&text, args.output.as_ref())?;
    if args.timings {
        super::say(&timings);
    }
    let exit = verdict.exit();
    // The process ends now; giving back a large list piece by piece would cost a tenth of the run.
    std::mem::forget(verdict);
    Ok(exit)
}

/// How long reading, measuring and the dearest rules took.
fn times(examined: &Examined) -> String {
    let ms = |time: std::time::Duration| format!("{:.1} ms", time.as_secs_f64() * 1000.0);
    let checked = &examined.checked;
    let all: std::time::Duration = checked.timings.values().sum();
    let mut out = format!(
        "{}: reading {}, measuring {}, {} rules {}\n",
        safe::clip(&examined.surface.target, 60),
        ms(examined.times.reading),
        ms(examined.times.measuring),
        checked.timings.len(),
        ms(all)
    );
    let mut dearest: Vec<_> = checked.timings.iter().collect();
    dearest.sort_by_key(|(_, time)| std::cmp::Reverse(**time));
    for (rule, time) in dearest.into_iter().take(10) {
        let found = checked.findings.iter().filter(|finding| finding.rule == *rule).count();
        out.push_str(&format!("  {rule:40} {:>12}  findings: {found}\n", ms(*time)));
    }
    out
}

/// Examines all targets, several at once. What stops a run on one target alone is an incident among others: they are
/// not to suffer for it.
fn examined(chosen: &[Chosen], rules: &RuleSet, config: &Config) -> Result<Vec<Examined>, Trouble> {
    let examine = |one: &Chosen, tell: Tell<'_>| {
        let mut settings = config.checks.clone();
        settings.limits.extend(one.entry.iter().flat_map(|entry| entry.budgets.clone()));
        crate::audit(&one.target, rules, &settings, &one.options, tell)
    };
    let results = progress::each(chosen, examine, told)?;
    let examined = chosen.iter().zip(results).map(|(one, result)| match result {
        Err(trouble) if chosen.len() > 1 => Ok(unread(one, &trouble, rules, config)),
        result => result,
    });
    examined.collect()
}

/// A target of which nothing could be seen.
fn unread(one: &Chosen, trouble: &Trouble, rules: &RuleSet, config: &Config) -> Examined {
    let mut surface = Surface::named(&one.target.name);
    surface.incidents.push(Incident { stage: Stage::Read, cause: trouble.to_string() });
    let gathered = Gathered { surface, exchange: None, settings: None };
    crate::examine(one.target.words.clone(), gathered, rules, &config.checks)
}

/// A result in a few words.
fn told(result: &Result<Examined, Trouble>) -> String {
    let examined = match result {
        Ok(examined) => examined,
        Err(trouble) => return format!("failed: {trouble}"),
    };
    if let Some(incident) = examined.surface.incidents.first() {
        return format!("failed: {}", incident.cause);
    }
    let figure = |id| examined.measures.number(id).map_or_else(String::new, safe::thousands);
    format!("done: {} tools, {} tokens", figure("tools.count"), figure("payload.o200k"))
}

fn today(given: Option<&str>) -> Result<Day, Trouble> {
    if let Some(text) = given {
        Day::from_text(text).ok_or_else(|| Trouble::usage(format!("`{text}` is not a day"), "write it like 2027-01-31"))
    } else {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(Day::from_unix(since.as_secs()))
    }
}
