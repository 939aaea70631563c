//! The arguments. Values are checked here and turned into plain types.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::input::{hosts::Platform, live::EraChoice, remote::Shape};
use crate::policy::FailOn;
use crate::policy::config::seconds;
use crate::report::{Format, View};
use crate::spec::revision::Revision;

/// Conformance linter and auditing CLI for the tool surface of MCP servers.
#[derive(Debug, Parser)]
#[command(name = "toolsurface", version, propagate_version = true, after_help = AFTER)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) common: Common,
    #[command(subcommand)]
    pub(super) command: Command,
}

const AFTER: &str = "\
Exit codes: 0 clean or below the gate · 1 findings at or above the gate · 2 wrong usage or configuration · 3 could \
not audit, or not all of it. Reports go to stdout, everything else to stderr.";

/// Options of every command.
#[derive(Debug, Args)]
pub(super) struct Common {
    /// Settings file, instead of the toolsurface.toml found upward
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "no_config")]
    pub(super) config: Option<PathBuf>,
    /// Read no settings file
    #[arg(long, global = true)]
    pub(super) no_config: bool,
    /// Folder with rules of your own; may be given several times
    #[arg(long, global = true, value_name = "DIR")]
    pub(super) rules: Vec<PathBuf>,
    /// When to use colours (NO_COLOR is honoured)
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(super) color: Colour,
    /// Columns of a terminal report; the terminal's, else 100
    #[arg(long, global = true, value_name = "COLUMNS")]
    pub(super) width: Option<usize>,
    /// Show the single findings of each group, at most 200
    #[arg(short, long, global = true)]
    pub(super) verbose: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Colour {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Measure, check and report
    Audit(AuditArgs),
    /// Figures only, each with its command; one figure by its id
    Measure(MeasureArgs),
    /// An architecture record with the measured table; its Decision is left empty
    Evidence(EvidenceArgs),
    /// Save the exchange with a server
    Capture(CaptureArgs),
    /// Explain a rule: what, why, examples, sources
    Explain(ExplainArgs),
    /// List the rules
    Rules(RulesArgs),
    /// List the host profiles, or show one: what it minds, with source and day
    Hosts(HostsArgs),
    /// Serve the bundled demonstration server over stdio
    Demo,
}

/// How to reach a target.
#[derive(Debug, Args)]
pub(super) struct TargetArgs {
    /// Send this header to an address; its value is kept out of the list of processes
    #[arg(long, value_name = "NAME: VALUE")]
    pub(super) header: Vec<String>,
    /// Send a header whose value stands in a variable
    #[arg(long, value_name = "NAME=VARIABLE")]
    pub(super) header_env: Vec<String>,
    /// Send the bearer token that stands in a variable
    #[arg(long, value_name = "VARIABLE")]
    pub(super) bearer_env: Option<String>,
    /// Shape of HTTP: Streamable HTTP first, it alone, or HTTP+SSE of 2024-11-05 [auto]
    #[arg(long, value_name = "auto|http|sse", value_parser = transport)]
    pub(super) transport: Option<Shape>,
    /// Set a variable for a server that is started, or one that a config file uses and the environment has not; its
    /// value is kept out of the list of processes
    #[arg(long, value_name = "NAME=VALUE")]
    pub(super) env: Vec<String>,
    /// Take this server of a config file only; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(super) server: Vec<String>,
    /// Value of an input that a config file asks for
    #[arg(long, value_name = "ID=VALUE")]
    pub(super) input: Vec<String>,
    /// How to open the session: ask first, `initialize`, per-request metadata, or one session in each era [auto]
    #[arg(long, value_name = "auto|legacy|modern|both", value_parser = era)]
    pub(super) era: Option<EraChoice>,
    /// Judge by this revision instead of the negotiated one
    #[arg(long, value_name = "REVISION", value_parser = revision)]
    pub(super) spec: Option<Revision>,
    /// Walk the list of a live server this often in one session, at most 20 times [1]
    #[arg(long, value_name = "TIMES", value_parser = repeats())]
    pub(super) repeat: Option<u8>,
    /// See whether the list is stable: walk it at least three times, and in a second session
    #[arg(long)]
    pub(super) stability: bool,
    /// Wait this long for changes of the list
    #[arg(long, value_name = "SECONDS", value_parser = duration)]
    pub(super) watch: Option<Duration>,
    /// Ask for what must be refused too, such as an unknown method; nothing of it changes anything
    #[arg(long)]
    pub(super) probe: bool,
    /// Make the calls of this file: TOML with `[[calls]]`, each with its `tool` and a table `arguments`
    #[arg(long, value_name = "FILE")]
    pub(super) calls: Option<PathBuf>,
    /// Seconds from the start of the process to the open session [30, or 120 for npx, uvx, docker, pnpm dlx, bunx]
    #[arg(long, value_name = "SECONDS", value_parser = duration)]
    pub(super) start_timeout: Option<Duration>,
    /// Seconds that a server has to answer the era probe [3]
    #[arg(long, value_name = "SECONDS", value_parser = duration)]
    pub(super) probe_timeout: Option<Duration>,
    /// Seconds for one request [30]
    #[arg(long, value_name = "SECONDS", value_parser = duration)]
    pub(super) request_timeout: Option<Duration>,
    /// Start a server with this command and speak to it over stdio
    #[arg(last = true, value_name = "COMMAND")]
    pub(super) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct AuditArgs {
    /// Files with a list or a capture, config files of hosts, `-`, addresses, `npm:` or `pypi:` packages, or names from
    /// toolsurface.toml; its default when left out
    #[arg(value_name = "TARGET")]
    pub(super) targets: Vec<String>,
    /// Form of the report
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(super) format: AuditFormat,
    /// Write the report to a file
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Lowest severity that fails the run [error]
    #[arg(long, value_name = "error|warn|info|never", value_parser = fail_on)]
    pub(super) fail_on: Option<FailOn>,
    /// Judge config files of hosts as files; start and contact nothing
    #[arg(long)]
    pub(super) config_only: bool,
    /// The system that the hosts of config files run on [this one]
    #[arg(long, value_name = "linux|macos|windows", value_parser = platform, hide = true)]
    pub(super) platform: Option<Platform>,
    /// Judge by all revisions of a range at once, such as `2025-06-18..`; what does not hold under all of them says where
    #[arg(long, value_name = "FIRST..LAST", value_parser = revision_range, conflicts_with = "spec")]
    pub(super) spec_range: Option<RevisionRange>,
    /// Print the fixes that need no thought as JSON merge patches, one a tool; nothing is written
    #[arg(long)]
    pub(super) fix_preview: bool,
    /// Say on stderr how long reading, measuring and the ten dearest rules took
    #[arg(long)]
    pub(super) timings: bool,
    /// Host profiles to judge by, separated by commas; `all` for every one that holds what is true now
    #[arg(long, value_name = "HOSTS", value_delimiter = ',')]
    pub(super) hosts: Vec<String>,
    /// The day that `until` of an allow is compared with [today]
    #[arg(long, value_name = "YYYY-MM-DD", hide = true)]
    pub(super) today: Option<String>,
    #[command(flatten)]
    pub(super) reach: TargetArgs,
}

#[derive(Debug, Args)]
pub(super) struct MeasureArgs {
    /// A target and a measure id, or one of the two
    #[arg(num_args = 0..=2, value_name = "TARGET|ID")]
    pub(super) words: Vec<String>,
    /// Form of the figures
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(super) format: FormatWord,
    #[command(flatten)]
    pub(super) reach: TargetArgs,
}

#[derive(Debug, Args)]
pub(super) struct EvidenceArgs {
    /// A file with a list or a capture, `-`, an address, or a name from toolsurface.toml; its default when left out
    pub(super) target: Option<String>,
    /// Write the record here, and the payload (and the capture of a live server) beside it
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) reach: TargetArgs,
}

#[derive(Debug, Args)]
pub(super) struct CaptureArgs {
    /// An address, or a name from toolsurface.toml; its default when left out
    pub(super) target: Option<String>,
    /// Write the capture to a file
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) reach: TargetArgs,
}

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// The rule's id
    pub(super) rule: String,
    /// Form of the page
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(super) format: FormatWord,
}

#[derive(Debug, Args)]
pub(super) struct RulesArgs {
    /// Run the examples of your own rules: each `bad` must give a finding of its rule, each `good` none
    #[arg(long)]
    pub(super) check: bool,
    /// Print what the specification demands about tools instead, and which rules check it
    #[arg(long, conflicts_with = "check")]
    pub(super) coverage: bool,
    /// Form of the list
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(super) format: FormatWord,
}

#[derive(Debug, Args)]
pub(super) struct HostsArgs {
    /// The profile's id
    pub(super) host: Option<String>,
    /// Form of the list
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(super) format: FormatWord,
}

/// The forms of the report of an audit.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum AuditFormat {
    Human,
    Json,
    Markdown,
    /// Tools and hosts, a sign for each
    Hosts,
}

impl From<AuditFormat> for View {
    fn from(word: AuditFormat) -> Self {
        match word {
            AuditFormat::Human => Self::Report(Format::Human),
            AuditFormat::Json => Self::Report(Format::Json),
            AuditFormat::Markdown => Self::Report(Format::Markdown),
            AuditFormat::Hosts => Self::Hosts,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum FormatWord {
    Human,
    Json,
    Markdown,
}

impl From<FormatWord> for Format {
    fn from(word: FormatWord) -> Self {
        match word {
            FormatWord::Human => Self::Human,
            FormatWord::Json => Self::Json,
            FormatWord::Markdown => Self::Markdown,
        }
    }
}

fn era(text: &str) -> Result<EraChoice, String> {
    EraChoice::from_text(text).ok_or_else(|| "write auto, legacy, modern or both".to_owned())
}

fn transport(text: &str) -> Result<Shape, String> {
    Shape::from_text(text).ok_or_else(|| "write auto, http or sse".to_owned())
}

fn repeats() -> clap::builder::RangedI64ValueParser<u8> {
    clap::value_parser!(u8).range(1..=20)
}

fn platform(text: &str) -> Result<Platform, String> {
    Platform::from_text(text).ok_or_else(|| "write linux, macos or windows".to_owned())
}

fn revision(text: &str) -> Result<Revision, String> {
    let known: Vec<&str> = Revision::ALL.into_iter().map(Revision::as_str).collect();
    Revision::from_text(text).ok_or_else(|| format!("known revisions: {}", known.join(", ")))
}

/// Revisions one after another, at least one.
#[derive(Clone, Debug)]
pub(super) struct RevisionRange(pub(super) Vec<Revision>);

fn revision_range(text: &str) -> Result<RevisionRange, String> {
    let (first, last) =
        text.split_once("..").ok_or("write it like 2025-06-18..2026-07-28; either end may be left out")?;
    let end = |word: &str, open: Revision| if word.is_empty() { Ok(open) } else { revision(word) };
    let (first, last) = (end(first, Revision::ALL[0])?, end(last, Revision::NEWEST)?);
    let within: Vec<Revision> = Revision::ALL.into_iter().filter(|one| (first..=last).contains(one)).collect();
    if within.is_empty() {
        Err("the first revision is younger than the last".to_owned())
    } else {
        Ok(RevisionRange(within))
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    text.parse().ok().and_then(seconds).ok_or_else(|| "write a number of seconds above 0".to_owned())
}

fn fail_on(text: &str) -> Result<FailOn, String> {
    match text {
        "error" => Ok(FailOn::Error),
        "warn" => Ok(FailOn::Warn),
        "info" => Ok(FailOn::Info),
        "never" => Ok(FailOn::Never),
        _ => Err("write error, warn, info or never".to_owned()),
    }
}
