//! `toolsurface capture`.

use super::args::{CaptureArgs, Common};
use super::targets;
use crate::error::Trouble;
use crate::exit::Exit;

pub(super) fn run(args: &CaptureArgs, common: &Common) -> Result<Exit, Trouble> {
    let (_, config) = super::settings(common)?;
    let chosen = targets::one(args.target.as_deref(), &args.reach, &config)?;
    let gathered = super::gather(&chosen)?;
    let Some(exchange) = gathered.exchange else {
        return Err(Trouble::usage("a saved list has no exchange to capture", "name a server: `-- command args`"));
    };
    let complete = super::measure::report_incidents(&gathered.surface, &chosen);
    if gathered.surface.pages.is_empty() && args.output.as_ref().is_some_and(|file| file.exists()) {
        super::say("nothing was listed, so that the capture that is there was kept");
        return Ok(Exit::Incomplete);
    }
    // What went wrong is in the capture too, so that it says itself that it is not whole.
    super::write_report(&exchange.to_jsonl(), args.output.as_ref())?;
    Ok(if complete { Exit::Clean } else { Exit::Incomplete })
}
