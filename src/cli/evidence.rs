//! `toolsurface evidence`.

use std::path::Path;

use super::args::{Common, EvidenceArgs};
use super::targets;
use crate::error::Trouble;
use crate::exit::Exit;
use crate::record::{evidence, how::Source};
use crate::text::safe;

pub(super) fn run(args: &EvidenceArgs, common: &Common) -> Result<Exit, Trouble> {
    let (_, config) = super::settings(common)?;
    let beside = |end: &str| args.output.as_ref().map(|record| record.with_extension(end));
    let files = [args.output.clone(), beside("payload.json"), beside("capture.jsonl")];
    if let Some(file) = files.into_iter().flatten().find(|file| file.exists()) {
        let name = safe::quoted(&file.to_string_lossy());
        return Err(Trouble::usage(
            format!("{name} is there already, and somebody may have written into it"),
            "give the new record another name, or take the old one away first",
        ));
    }
    let chosen = targets::one(args.target.as_deref(), &args.reach, &config)?;
    let gathered = super::gather(&chosen)?;
    let surface = &gathered.surface;
    if !super::measure::report_incidents(surface, &chosen) {
        // A record of half a list would be believed later.
        super::say("no record was written");
        return Ok(Exit::Incomplete);
    }
    let measures = crate::measure::measure(surface, config.checks.band);
    let source = match &args.output {
        None => Source::of(surface, &chosen.target.words, chosen.target.file().as_deref()),
        Some(record) => {
            let payload = record.with_extension("payload.json");
            super::write_report(&surface.payload(), Some(&payload))?;
            if let Some(exchange) = &gathered.exchange {
                super::write_report(&exchange.to_jsonl(), Some(&record.with_extension("capture.jsonl")))?;
            }
            Source::payload(&name_of(&payload), surface)
        }
    };
    super::write_report(&evidence::document(surface, &measures, &source), args.output.as_ref())?;
    Ok(Exit::Clean)
}

/// The file's name: the commands of a record are run in its own folder.
fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
