//! A live session with a server over stdio: opened in whichever era it speaks, its tools listed, and ended.
//!
//! Apart from reading the answers: here the wire is only recorded, byte for byte, and what it means is decided later
//! from the record, so that a capture and a live server cannot be judged differently. The server is taken to be
//! hostile; every wait has a deadline and every quantity a bound ([`limits`]).

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use crate::surface::exchange::Exchange;

mod group;
mod http;
pub mod limits;
mod lines;
mod list;
mod message;
mod open;
mod record;
mod session;
mod stdio;

pub use limits::Limits;

use session::{Session, Stopped};

/// How to start a server over stdio.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The program and its arguments as the user wrote them; no shell reads them.
    pub command: Vec<String>,
    /// The file to run in place of the command's first word, when that word does not name it.
    pub program: Option<PathBuf>,
    /// Variables set for the server, above those it inherits from us. Their values stay out of the exchange.
    pub env: BTreeMap<String, String>,
    /// The folder it starts in; ours when none.
    pub cwd: Option<PathBuf>,
}

/// Which era to speak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EraChoice {
    /// Ask with `server/discover`, fall back to `initialize`.
    #[default]
    Auto,
    /// `initialize` only.
    Legacy,
    /// No `initialize`: metadata on every request.
    Modern,
}

impl EraChoice {
    /// The choice of this name, if there is one.
    pub fn from_text(text: &str) -> Option<Self> {
        [Self::Auto, Self::Legacy, Self::Modern].into_iter().find(|choice| choice.as_str() == text)
    }

    /// Its name in options and captures.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Legacy => "legacy",
            Self::Modern => "modern",
        }
    }
}

/// How to talk to a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which era to speak.
    pub era: EraChoice,
    /// Time from a start of the process until the session is open; by the command ([`limits::start_for`]) when none.
    pub start: Option<Duration>,
    /// How long the probe may stay unanswered before `initialize` is sent too.
    pub probe: Duration,
    /// How long each page of the list may take.
    pub request: Duration,
    /// Bounds on everything else.
    pub limits: Limits,
    /// Our version, as told to the server.
    pub version: &'static str,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            era: EraChoice::Auto,
            start: None,
            probe: limits::PROBE,
            request: limits::REQUEST,
            limits: Limits::default(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// Starts a server, lists its tools, ends it, and gives back all that passed.
///
/// Never fails: what could not be done is an incident in the exchange. An error answer to `initialize` or
/// `tools/list` is none, because the wire shows it. Takes at most two start-up time-outs, the bound on the list and
/// about four seconds for each ending. No process of the server's group is left.
pub fn converse(launch: &Launch, options: &Options) -> Exchange {
    let mut session = Session::new(launch, options);
    // What stopped it stands in the exchange already.
    let (Ok(()) | Err(Stopped)) = talk(&mut session);
    session.finish()
}

fn talk(session: &mut Session<'_>) -> Result<(), Stopped> {
    let opened = open::open(session)?;
    list::list(session, opened)
}
