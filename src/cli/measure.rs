//! `toolsurface measure`.

use std::path::Path;

use super::args::{Common, FormatWord, MeasureArgs};
use super::targets::{self, Chosen};
use crate::error::Trouble;
use crate::exit::Exit;
use crate::measure::{self, Measures};
use crate::policy::{self, Config};
use crate::record::how::Source;
use crate::report::{figures, forms};
use crate::surface::Surface;
use crate::text::near::nearest;
use crate::text::safe;

/// The word for the table of tokens, which is no single figure.
const TOKENS: &str = "tokens";

pub(super) fn run(args: &MeasureArgs, common: &Common) -> Result<Exit, Trouble> {
    let (_, config) = super::settings(common)?;
    let (word, id) = split(&args.words, &args.reach.command, &config);
    if let Some(id) = id {
        known(id)?;
    }
    let chosen = targets::one(word, &args.reach, &config)?;
    let surface = super::gather(&chosen)?.surface;
    let complete = report_incidents(&surface, &chosen);
    if !complete && (id.is_some() || surface.tools.is_empty()) && !matches!(args.format, FormatWord::Json) {
        // A script would take the figure of nothing, or of half a list, for that of the server.
        return Ok(Exit::Incomplete);
    }
    let is_seen = complete || !surface.tools.is_empty();
    let measures = if is_seen { measure::measure(&surface, config.checks.band) } else { Measures::default() };
    let source = Source::of(&surface, &chosen.target.words, chosen.target.file().as_deref());
    let to_terminal = std::io::IsTerminal::is_terminal(&std::io::stdout());
    let style = super::style(common, to_terminal);
    let format = args.format.into();
    let text = match id {
        Some(TOKENS) => forms::whole(&measure::forms::forms(&surface), format, style),
        Some(id) => measures.get(id).map_or_else(String::new, |one| figures::one(one, &source, format)),
        None => figures::all(&surface, &measures, &source, format, style),
    };
    super::write_report(&text, None)?;
    Ok(if complete { Exit::Clean } else { Exit::Incomplete })
}

/// Tells a target from a measure id. A word that is a file or a target of the settings is one, whatever its form.
fn split<'w>(words: &'w [String], command: &[String], config: &Config) -> (Option<&'w str>, Option<&'w str>) {
    match words {
        [target, id, ..] => (Some(target), Some(id)),
        [one] => {
            let is_target = config.targets.contains_key(one.as_str()) || one == "-" || Path::new(one).exists();
            let is_id = !command.is_empty() || ids().contains(&one.as_str()) || one.split('.').count() > 1;
            if is_id && !is_target && !looks_like_a_file(one) { (None, Some(one)) } else { (Some(one), None) }
        }
        [] => (None, None),
    }
}

fn looks_like_a_file(word: &str) -> bool {
    let extension = Path::new(word).extension().and_then(std::ffi::OsStr::to_str);
    word.contains(['/', '\\']) || matches!(extension, Some("json" | "jsonl"))
}

/// All measure ids. They do not depend on the surface, so an empty one names them all.
fn ids() -> Vec<&'static str> {
    let measures = measure::measure(&Surface::named("none"), measure::Band::default());
    measures.server.iter().map(|measure| measure.id).chain([TOKENS]).collect()
}

fn known(id: &str) -> Result<(), Trouble> {
    let ids = ids();
    if ids.contains(&id) {
        return Ok(());
    }
    let help = nearest(id, ids.iter().copied()).map_or_else(
        || "`toolsurface measure TARGET` lists them all".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    Err(Trouble::usage(format!("there is no measure `{id}`"), help))
}

/// Says what could not be read; true when there was nothing to say.
pub(super) fn report_incidents(surface: &Surface, chosen: &Chosen) -> bool {
    let incidents = policy::incidents(surface, chosen.allows_empty());
    for incident in &incidents {
        super::say(&format!("not measured ({}): {}", incident.stage.as_str(), safe::line(&incident.cause)));
    }
    incidents.is_empty()
}
