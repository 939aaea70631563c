//! The command line: raw arguments turned into plain options, one file per command. clap lives here and nowhere else.

use std::ffi::OsString;
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;

use clap::Parser as _;

use crate::error::Trouble;
use crate::exit::Exit;
use crate::input::{Gathered, progress::Tell};
use crate::policy::Config;
use crate::report::{self, Style};
use crate::rule::RuleSet;

mod args;
mod audit;
mod capture;
mod evidence;
mod explain;
mod measure;
mod private;
mod progress;
mod targets;

use args::{Cli, Colour, Command, Common};
use targets::Chosen;

/// Runs the program with these arguments, its own name first. When one of them may hold a secret, the process is
/// replaced by another that does not show it.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let Err(trouble) = private::hide(&arguments) {
        let exit = trouble.exit();
        say(&report::human::trouble(trouble, Style { width: 100, colour: false, verbose: false }));
        return exit;
    }
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // clap prints help and version to stdout and calls that an error; only the others are.
            let wrong = error.use_stderr();
            let _ = error.print();
            return if wrong { Exit::Usage } else { Exit::Clean };
        }
    };
    let errors = style(&cli.common, std::io::stderr().is_terminal());
    let done = match cli.command {
        Command::Audit(args) => audit::run(&args, &cli.common),
        Command::Measure(args) => measure::run(&args, &cli.common),
        Command::Evidence(args) => evidence::run(&args, &cli.common),
        Command::Capture(args) => capture::run(&args, &cli.common),
        Command::Explain(args) => explain::explain(&args, &cli.common),
        Command::Rules(args) => explain::rules(&args, &cli.common),
        Command::Hosts(args) => explain::hosts(&args, &cli.common),
        Command::Demo => demo(),
    };
    done.unwrap_or_else(|trouble| {
        let exit = trouble.exit();
        say(&report::human::trouble(trouble, errors));
        exit
    })
}

fn demo() -> Result<Exit, Trouble> {
    let served = crate::demo::serve(std::io::stdin().lock(), std::io::stdout().lock());
    match served {
        Err(cause) if cause.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Trouble::io("demo", cause, "the demonstration server speaks MCP on its standard input and output"))
        }
        _ => Ok(Exit::Clean),
    }
}

/// A line for the user on stderr. Nothing can be done when stderr is gone.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", text.trim_end());
}

/// Writes a report to `-o` or stdout. A reader that went away early is no error.
fn write_report(text: &str, to: Option<&PathBuf>) -> Result<(), Trouble> {
    if let Some(path) = to {
        let told = |cause| Trouble::usage(format!("{}: {cause}", path.display()), "check the folder given with `-o`");
        return std::fs::write(path, text).map_err(told);
    }
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(cause) if cause.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Trouble::io("standard output", cause, "write to a file with `-o FILE`"))
        }
        _ => Ok(()),
    }
}

/// How to draw for a stream.
fn style(common: &Common, is_terminal: bool) -> Style {
    let env = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let colour = match common.color {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => is_terminal && env("NO_COLOR").is_none() && env("TERM").as_deref() != Some("dumb"),
    };
    let columns = || {
        let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok().map(|size| usize::from(size.ws_col));
        size.filter(|columns| *columns > 0)
    };
    let told = || env("COLUMNS").and_then(|columns| columns.parse().ok());
    let width = common.width.or_else(columns).or_else(told).unwrap_or(100);
    Style { width: width.clamp(40, 160), colour, verbose: common.verbose }
}

/// The rules and the settings that hold here.
fn settings(common: &Common) -> Result<(RuleSet, Config), Trouble> {
    let file = settings_file(common);
    let rules = rules(common)?;
    let config = file.map_or_else(|| Ok(Config::default()), |file| Config::read(&file, &rules))?;
    Ok((rules, config))
}

/// The rules that ship with the program, and the user's own.
fn rules(common: &Common) -> Result<RuleSet, Trouble> {
    let mut rules = RuleSet::shipped()?;
    let named = settings_file(common).map(|file| Config::rule_folders(&file)).unwrap_or_default();
    for folder in common.rules.iter().chain(&named) {
        rules.add_folder(folder, crate::check::compiles)?;
    }
    Ok(rules)
}

/// The settings file that holds here.
fn settings_file(common: &Common) -> Option<PathBuf> {
    let found = || std::env::current_dir().ok().and_then(|folder| Config::locate(&folder));
    match &common.config {
        Some(file) => Some(file.clone()),
        None if common.no_config => None,
        None => found(),
    }
}

/// Reads or contacts one target.
fn gather(chosen: &Chosen) -> Result<Gathered, Trouble> {
    let gather = |one: &Chosen, tell: Tell<'_>| crate::input::gather(&one.target, &one.options, tell);
    let results = progress::each(std::slice::from_ref(chosen), gather, |result| match result {
        Ok(gathered) => format!("done: {} tools", gathered.surface.tools.len()),
        Err(trouble) => format!("failed: {trouble}"),
    })?;
    // One target has one result.
    results.into_iter().collect::<Result<Vec<_>, _>>()?.pop().ok_or_else(targets::no_target)
}
