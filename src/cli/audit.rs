//! `toolsurface audit`.

use std::time::{SystemTime, UNIX_EPOCH};

use super::args::{AuditArgs, Common};
use crate::error::Trouble;
use crate::exit::Exit;
use crate::policy::{self, Day, Decisions, FailOn};
use crate::report;

pub(super) fn run(args: &AuditArgs, common: &Common) -> Result<Exit, Trouble> {
    let (rules, mut config) = super::settings(common)?;
    if !args.hosts.is_empty() {
        let found: Result<Vec<_>, _> = args.hosts.iter().map(|id| rules.find_host(id).cloned()).collect();
        config.checks.hosts = found?;
    }
    let chosen = super::choose(args.target.as_deref(), &args.reach.command, &config)?;
    let entry = chosen.entry.as_ref();
    let today = today(args.today.as_deref())?;
    let options = super::gathering(&args.reach, &config, entry);
    let examined = crate::audit(&chosen.target, &rules, &config.checks, &options)?;
    let fail_on = args.fail_on.or_else(|| entry.and_then(|entry| entry.fail_on)).or(config.fail_on);
    let decisions = Decisions {
        config: &config,
        fail_on: fail_on.unwrap_or(FailOn::Error),
        allow_empty: entry.is_some_and(|entry| entry.allow_empty),
        today,
    };
    let outcome = policy::judge(examined, &decisions);
    let to_terminal = args.output.is_none() && std::io::IsTerminal::is_terminal(&std::io::stdout());
    let text = report::audit(&outcome, &rules, args.format.into(), super::style(common, to_terminal));
    super::write_report(&text, args.output.as_ref())?;
    let exit = outcome.exit;
    // The process ends now; giving back a large list piece by piece would cost a tenth of the run.
    std::mem::forget(outcome);
    Ok(exit)
}

fn today(given: Option<&str>) -> Result<Day, Trouble> {
    if let Some(text) = given {
        Day::from_text(text).ok_or_else(|| Trouble::usage(format!("`{text}` is not a day"), "write it like 2027-01-31"))
    } else {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(Day::from_unix(since.as_secs()))
    }
}
