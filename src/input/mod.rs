//! From what the user points at to a surface: the only layer that opens files and starts servers.

use std::path::Path;

use crate::error::Trouble;
use crate::finding::{Incident, Stage};
use crate::spec::revision::Revision;
use crate::surface::{
    Surface, assemble,
    exchange::{Exchange, MANIFEST_VERSION},
};

pub mod calls;
mod command;
pub mod dump;
pub mod headers;
pub mod hosts;
pub mod live;
pub mod private;
pub mod progress;
pub mod remote;
pub mod target;
pub mod windows;

use progress::{Progress, Tell};
use target::{Place, Target};

/// What was gathered from one target.
#[derive(Debug)]
pub struct Gathered {
    /// The surface, and in it what could not be read.
    pub surface: Surface,
    /// The wire, when there was one: a live server or a capture.
    pub exchange: Option<Exchange>,
    /// Settings that stood in the file beside the list; rule examples use them.
    pub settings: Option<serde_json::Value>,
}

/// How to gather.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How to talk to a live server.
    pub live: live::Options,
    /// A revision to judge by instead of the negotiated one.
    pub revision: Option<Revision>,
}

/// Reads or contacts a target, and tells what is being done.
///
/// # Errors
///
/// [`Trouble::Io`] or [`Trouble::Input`] for a file that cannot be read or holds no tool list. A server that cannot
/// be audited is no trouble: its surface carries the incident.
pub fn gather(target: &Target, options: &Options, tell: Tell<'_>) -> Result<Gathered, Trouble> {
    if !target.is_live() {
        tell(Progress::Reading);
    }
    let mut gathered = match &target.place {
        Place::Stdio(launch) => contacted(target, live::Server::Local(launch), options, tell),
        Place::Http(remote) => contacted(target, live::Server::Remote(remote), options, tell),
        Place::File(path) => dump::read(&target.name, &path.display().to_string(), &read_file(path)?)?,
        Place::Stdin => dump::read(&target.name, "-", &read_stdin()?)?,
        Place::Blocked(why) => blocked(&target.name, why),
        Place::Config(_) => Gathered { surface: Surface::named(&target.name), exchange: None, settings: None },
    };
    if let Some(revision) = options.revision {
        assemble::force_revision(&mut gathered.surface, revision);
    }
    Ok(gathered)
}

/// A server that was not contacted, since that would not be what its host does.
fn blocked(name: &str, why: &str) -> Gathered {
    let mut surface = Surface::named(name);
    surface.incidents.push(Incident { stage: Stage::Start, cause: format!("it was not contacted: {why}") });
    Gathered { surface, exchange: None, settings: None }
}

fn contacted(target: &Target, server: live::Server<'_>, options: &Options, tell: Tell<'_>) -> Gathered {
    let mut exchange = live::converse(server, &options.live, tell);
    let version = target.version.as_ref().map(|version| (MANIFEST_VERSION.to_owned(), version.as_str().into()));
    exchange.made.extend(version);
    Gathered { surface: Surface::from_exchange(&target.name, &exchange), exchange: Some(exchange), settings: None }
}

/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 512 * 1024 * 1024;

fn read_file(path: &Path) -> Result<Vec<u8>, Trouble> {
    let name = path.display().to_string();
    let told = |cause| Trouble::io(name.clone(), cause, "check the path and its permissions");
    let file = std::fs::File::open(path).map_err(told)?;
    bounded(file, &name)
}

fn read_stdin() -> Result<Vec<u8>, Trouble> {
    bounded(std::io::stdin().lock(), "-")
}

fn bounded(from: impl std::io::Read, name: &str) -> Result<Vec<u8>, Trouble> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    let told = |cause| Trouble::io(name, cause, "check the path and its permissions");
    from.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(told)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Trouble::Input {
            name: name.to_owned(),
            problem: format!("larger than {} MiB", MOST_BYTES / 1024 / 1024),
            help: "a tool list is far smaller; check that this is the right file".to_owned(),
        });
    }
    Ok(bytes)
}
