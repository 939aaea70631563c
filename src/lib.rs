//! toolsurface: conformance linter and auditing CLI for the tool surface of MCP servers.
//!
//! # Words
//!
//! Each has one meaning, in code, reports and documents.
//!
//! | word | meaning |
//! |---|---|
//! | target | what the user points at: a command, an address, a file, a host's config file, a name from the settings |
//! | link | one transport under a session: a process, or HTTP in one of its shapes |
//! | exchange | the wire in order, both directions, as received, byte for byte |
//! | capture | a saved exchange (JSON Lines) with how it was made |
//! | surface | what one server shows: tools, server info, capabilities, instructions, each with its raw node |
//! | subject | the thing a finding stands on (server, exchange, tool, entry of a config file, file), named, never numbered |
//! | anchor | where: a JSON pointer into the subject, or file, line and column |
//! | measure | a named figure with unit, method, value, and the commands that reproduce it |
//! | rule | one Markdown file: words, check, examples, sources |
//! | finding | a fault of the audited thing, by a rule |
//! | incident | something that could not be checked, and which rules therefore did not run |
//! | trouble | what stops a run before it has anything to report |
//! | level | who says so: `spec`, `host`, `advice` |
//! | severity | how much harm: `error`, `warn`, `info` |
//! | band | 30 to 50 tools, inclusive; settable |
//! | core, catalogue | core: tools listed flat. catalogue: every tool reachable, also through a gateway tool |
//! | outcome | findings, figures and incidents of one target, after the user's decisions |
//! | verdict | the outcomes of all targets of one run, and what stands between them |
//!
//! # Layers
//!
//! `cli → report → {policy, record} → check → {input, measure, rule} → surface → {subject, metric, finding} →
//! {text, spec, error}`. An arrow means "may import"; `tests/layers.rs` fails on any other import. [`audit`] below is
//! the whole tool in one screen.

pub mod check;
pub mod cli;
pub mod demo;
pub mod error;
pub mod exit;
pub mod finding;
pub mod input;
pub mod measure;
pub mod metric;
pub mod policy;
pub mod record;
pub mod report;
pub mod rule;
pub mod spec;
pub mod subject;
pub mod surface;
pub mod text;

use error::Trouble;
use input::hosts::{self, File, Lookup, Platform};
use input::{
    Gathered,
    progress::Tell,
    target::{Place, Target},
};
use policy::{Config, Day, Decisions, Examined, FailOn, Outcome, Times};
use rule::{Example, RuleSet};
use surface::{Surface, exchange::What};

/// Gathers, measures and checks one target, telling what is being done. What the user decides about it comes after,
/// in [`policy::judge`].
///
/// # Errors
///
/// A [`Trouble`] when the target is a file that cannot be read. A server that cannot be audited is no error: the
/// surface carries the incident.
pub fn audit(
    target: &Target,
    rules: &RuleSet,
    settings: &check::Settings,
    options: &input::Options,
    tell: Tell<'_>,
) -> Result<Examined, Trouble> {
    if let Place::Config(configs) = &target.place {
        return Ok(examine_config(target.words.clone(), &configs.judged()?, configs.platform, rules, settings));
    }
    let began = std::time::Instant::now();
    let mut gathered = input::gather(target, options, tell)?;
    let reading = began.elapsed();
    gathered.surface.id.clone_from(&target.id);
    gathered.surface.profile_of.clone_from(&target.profile_of);
    let mut examined = examine(target.words.clone(), gathered, rules, settings);
    examined.file = target.file();
    examined.times.reading = reading;
    Ok(examined)
}

/// Measures and checks what was gathered.
pub fn examine(words: Vec<String>, gathered: Gathered, rules: &RuleSet, settings: &check::Settings) -> Examined {
    let Gathered { mut surface, exchange, .. } = gathered;
    // The newest of several stands for all where a report has room for one.
    surface.judged_by = settings.revisions.last().copied().or(surface.judged_by);
    let began = std::time::Instant::now();
    let measures = measure::measure(&surface, settings.band);
    let times = Times { measuring: began.elapsed(), ..Times::default() };
    let checked = match settings.revisions.as_slice() {
        [] | [_] => check::run(rules, &check::Context::new(&surface, &measures, settings)),
        several => check::run_under(several, rules, &surface, &measures, settings),
    };
    let frames = exchange.into_iter().flat_map(|exchange| exchange.frames);
    let stderr = frames.filter_map(|frame| match frame.what {
        What::Err(line) => Some(line),
        _ => None,
    });
    Examined { words, file: None, is_config: false, stderr: stderr.collect(), surface, measures, times, checked }
}

/// Checks what stands between several servers that one host shows together.
pub fn examine_across(servers: &[&Surface], rules: &RuleSet, settings: &check::Settings) -> Examined {
    let surface = Surface::named(&format!("all {} targets", servers.len()));
    let measures = measure::Measures::default();
    let checked = check::run(rules, &check::Context::new(&surface, &measures, settings).with_servers(servers));
    let (words, stderr) = (Vec::new(), Vec::new());
    Examined { words, file: None, is_config: true, stderr, surface, measures, times: Times::default(), checked }
}

/// Checks config files of hosts alone: nothing in them is started or contacted.
pub fn examine_config(
    words: Vec<String>,
    files: &[File],
    platform: Platform,
    rules: &RuleSet,
    settings: &check::Settings,
) -> Examined {
    let name = match files {
        [one] => one.path.as_str(),
        _ => "config files",
    };
    let surface = Surface::named(name);
    let measures = measure::measure(&surface, settings.band);
    let context = check::Context::new(&surface, &measures, settings);
    let checked = check::run(rules, &context.with_files(files, platform == Platform::Windows));
    Examined {
        words,
        file: None,
        is_config: true,
        stderr: Vec::new(),
        surface,
        measures,
        times: Times::default(),
        checked,
    }
}

/// Runs all rules over an example of a rule file, with the settings that stand beside its list.
///
/// # Errors
///
/// A [`Trouble`] when the example is nothing that this tool reads, or its settings are none.
pub fn example(example: &Example, rules: &RuleSet) -> Result<Outcome, Trouble> {
    let nobody_decides = |config: &Config, examined: Examined| {
        let decisions = Decisions { config, fail_on: FailOn::Error, allow_empty: false, today: Day::from_unix(0) };
        policy::judge(examined, &decisions)
    };
    if let Some(config) = &example.config {
        let (files, platform) = example_files(example, config)?;
        let settings = Config::default();
        let examined = examine_config(Vec::new(), &files, platform, rules, &settings.checks);
        return Ok(nobody_decides(&settings, examined));
    }
    if let Some(servers) = example_servers(example)? {
        let settings = Config::default();
        let shown: Vec<&Surface> = servers.iter().collect();
        return Ok(nobody_decides(&settings, examine_across(&shown, rules, &settings.checks)));
    }
    let gathered = input::dump::read("example", "example", example.text.as_bytes())?;
    let config = match &gathered.settings {
        Some(settings) => Config::from_json(settings, rules)?,
        None => Config::default(),
    };
    let examined = examine(Vec::new(), gathered, rules, &config.checks);
    Ok(nobody_decides(&config, examined))
}

/// The servers of an example that holds several, each by its id.
fn example_servers(example: &Example) -> Result<Option<Vec<Surface>>, Trouble> {
    let Ok(text::json::Parsed { value, .. }) = text::json::parse(&example.text) else { return Ok(None) };
    let Some(servers) = value.get("servers").and_then(serde_json::Value::as_object) else { return Ok(None) };
    let read = servers.iter().map(|(id, list)| {
        let mut surface = input::dump::read(id, id, list.to_string().as_bytes())?.surface;
        surface.id = Some(id.clone());
        surface.profile_of = list.get("profile-of").and_then(serde_json::Value::as_str).map(str::to_owned);
        Ok(surface)
    });
    read.collect::<Result<_, Trouble>>().map(Some)
}

/// The config files of an example. It has no environment but what stands beside it.
fn example_files(example: &Example, config: &rule::ConfigFile) -> Result<(Vec<File>, Platform), Trouble> {
    let mut lookup = Lookup { platform: Platform::Linux, ..Lookup::default() };
    for word in &config.given {
        let unknown =
            || Trouble::usage(format!("`{word}` beside an example"), "write NAME=value, input:ID=value or on:windows");
        if let Some(platform) = word.strip_prefix("on:") {
            lookup.platform = Platform::from_text(platform).ok_or_else(unknown)?;
        } else {
            let (name, value) = word.split_once('=').ok_or_else(unknown)?;
            match name.strip_prefix("input:") {
                Some(id) => lookup.inputs.insert(id.to_owned(), value.to_owned()),
                None => lookup.env.insert(name.to_owned(), value.to_owned()),
            };
        }
    }
    let first = std::iter::once((config.path.as_str(), example.text.as_str()));
    let further = config.with.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    let read = |(path, text): (&str, &str)| {
        let none = || Trouble::usage(format!("`{path}` is no config file"), "take a path that tells its host");
        hosts::read(path, text, &lookup).ok_or_else(none)
    };
    let files: Result<Vec<File>, Trouble> = first.chain(further).map(read).collect();
    Ok((files?, lookup.platform))
}
