//! toolsurface: conformance linter and auditing CLI for the tool surface of MCP servers.
//!
//! # Words
//!
//! Each has one meaning, in code, reports and documents.
//!
//! | word | meaning |
//! |---|---|
//! | target | what the user points at: a command, a file, a name from the settings |
//! | exchange | the wire in order, both directions, as received, byte for byte |
//! | capture | a saved exchange (JSON Lines) with how it was made |
//! | surface | what one server shows: tools, server info, capabilities, instructions, each with its raw node |
//! | subject | the thing a finding stands on (server, exchange, tool, settings entry), named, never numbered |
//! | anchor | where: a JSON pointer into the subject |
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
use input::{Gathered, target::Target};
use policy::{Config, Day, Decisions, Examined, FailOn, Outcome};
use rule::RuleSet;
use surface::exchange::What;

/// Gathers, measures and checks one target. What the user decides about it comes after, in [`policy::judge`].
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
) -> Result<Examined, Trouble> {
    let gathered = input::gather(target, options)?;
    let mut examined = examine(target.words.clone(), gathered, rules, settings);
    examined.file = target.file();
    Ok(examined)
}

/// Measures and checks what was gathered.
pub fn examine(words: Vec<String>, gathered: Gathered, rules: &RuleSet, settings: &check::Settings) -> Examined {
    let Gathered { surface, exchange, .. } = gathered;
    let measures = measure::measure(&surface, settings.band);
    let checked = check::run(rules, &check::Context::new(&surface, &measures, settings));
    let frames = exchange.into_iter().flat_map(|exchange| exchange.frames);
    let stderr = frames.filter_map(|frame| match frame.what {
        What::Err(line) => Some(line),
        _ => None,
    });
    Examined { words, file: None, stderr: stderr.collect(), surface, measures, checked }
}

/// Runs all rules over an example of a rule file, with the settings that stand beside its list.
///
/// # Errors
///
/// A [`Trouble`] when the example is nothing that this tool reads, or its settings are none.
pub fn example(text: &str, rules: &RuleSet) -> Result<Outcome, Trouble> {
    let gathered = input::dump::read("example", "example", text.as_bytes())?;
    let config = match &gathered.settings {
        Some(settings) => Config::from_json(settings, rules)?,
        None => Config::default(),
    };
    let examined = examine(Vec::new(), gathered, rules, &config.checks);
    let decisions = Decisions { config: &config, fail_on: FailOn::Error, allow_empty: false, today: Day::from_unix(0) };
    Ok(policy::judge(examined, &decisions))
}
