//! The command line: raw arguments turned into plain options, one file per command. clap lives here and nowhere else.

use std::ffi::OsString;
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;

use clap::Parser as _;

use crate::error::Trouble;
use crate::exit::Exit;
use crate::input::target::{Place, Target};
use crate::policy::Config;
use crate::policy::config::Entry;
use crate::report::{self, Style};
use crate::rule::RuleSet;

mod args;
mod audit;
mod capture;
mod evidence;
mod explain;
mod measure;

use args::{Cli, Colour, Command, Common, TargetArgs};

/// Runs the program with these arguments, its own name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
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
        Command::Explain(args) => explain::explain(&args),
        Command::Rules(args) => explain::rules(&args, &cli.common),
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
    let width = common.width.or_else(columns).unwrap_or(100);
    Style { width: width.clamp(40, 160), colour, verbose: common.verbose }
}

/// The rules and the settings that hold here.
fn settings(common: &Common) -> Result<(RuleSet, Config), Trouble> {
    let rules = RuleSet::shipped()?;
    let found = || std::env::current_dir().ok().and_then(|folder| Config::locate(&folder));
    let file = match &common.config {
        Some(file) => Some(file.clone()),
        None if common.no_config => None,
        None => found(),
    };
    let config = file.map_or_else(|| Ok(Config::default()), |file| Config::read(&file, &rules))?;
    Ok((rules, config))
}

/// A target and what the settings say of it.
struct Chosen {
    target: Target,
    entry: Option<Entry>,
}

/// The target that the arguments name, or the default of the settings.
fn choose(word: Option<&str>, command: &[String], config: &Config) -> Result<Chosen, Trouble> {
    let mut chosen = match (word, command) {
        (Some(word), [_, ..]) => {
            return Err(Trouble::usage(
                format!("both `{word}` and a command after `--`"),
                "name one target: a file, a name from toolsurface.toml, or `-- command args`",
            ));
        }
        (None, [_, ..]) => Chosen { target: Target::command(command.to_vec())?, entry: None },
        (Some(word), []) => match config.targets.get(word) {
            Some(entry) => Chosen { target: entry.target.clone(), entry: Some(entry.clone()) },
            None => Chosen { target: Target::from_words(&[word.to_owned()])?, entry: None },
        },
        (None, []) => {
            let entry = config.default_target().ok_or_else(no_target)?;
            Chosen { target: entry.target.clone(), entry: Some(entry.clone()) }
        }
    };
    own_program(&mut chosen.target);
    Ok(chosen)
}

fn no_target() -> Trouble {
    Trouble::usage(
        "no target: none was named, and no toolsurface.toml above this folder has a default",
        "name one:\n  toolsurface audit -- npx -y @modelcontextprotocol/server-everything\n  toolsurface audit \
         list.json\n  toolsurface audit -- toolsurface demo",
    )
}

/// `toolsurface` as the first word of a command means this very program, which need not be on PATH.
fn own_program(target: &mut Target) {
    let Place::Stdio(launch) = &mut target.place else { return };
    if launch.command.first().is_some_and(|first| first == env!("CARGO_PKG_NAME")) {
        launch.program = std::env::current_exe().ok();
    }
}

/// The options for gathering, from arguments, then settings.
fn gathering(args: &TargetArgs, config: &Config, entry: Option<&Entry>) -> crate::input::Options {
    let mut options = crate::input::Options { revision: args.spec, ..crate::input::Options::default() };
    let live = &mut options.live;
    live.era = args.era.or_else(|| entry.and_then(|entry| entry.era)).unwrap_or_default();
    live.start = args.start_timeout.or_else(|| config.limits.start());
    live.probe_time = args.probe_timeout.or_else(|| config.limits.probe()).unwrap_or(live.probe_time);
    live.request = args.request_timeout.or_else(|| config.limits.request()).unwrap_or(live.request);
    options
}
