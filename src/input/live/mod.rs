//! A live session with a server: opened in whichever era it speaks, its tools listed, and ended.
//!
//! Apart from reading the answers: here the wire is only recorded, byte for byte, and what it means is decided later
//! from the record, so that a capture and a live server cannot be judged differently. The server is taken to be
//! hostile; every wait has a deadline and every quantity a bound ([`limits`]).

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::command::in_words;
use super::progress::Tell;
use super::remote::Remote;
use crate::finding::Stage;
use crate::surface::exchange::Exchange;

mod call;
mod flying;
mod group;
mod header;
mod http;
pub mod limits;
mod lines;
mod link;
mod list;
mod mask;
mod message;
mod open;
mod probe;
mod process;
mod record;
mod session;
mod stdio;
mod web;

pub use limits::Limits;

use limits::ERA_OPTION;
use link::{Link, Stopped};
use mask::Secret;
use open::Opened;
use process::Process;
use record::Record;
use session::Session;
use web::Web;

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

impl Launch {
    /// The command as it may be told: without what looks like a credential in it.
    pub fn shown(&self) -> Vec<String> {
        in_words(&self.command).0
    }

    /// What looks like a credential in the command, and in variables by their values.
    pub fn credentials(&self) -> Vec<String> {
        let mut found = in_words(&self.command).1;
        found.extend(self.env.values().flat_map(|value| in_words(std::slice::from_ref(value)).1));
        found
    }
}

/// A server that can be spoken to.
#[derive(Clone, Copy, Debug)]
pub enum Server<'t> {
    /// One that we start.
    Local(&'t Launch),
    /// One over HTTP.
    Remote(&'t Remote),
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
    /// One session in each, to compare the two.
    Both,
}

impl EraChoice {
    /// The choice of this name, if there is one.
    pub fn from_text(text: &str) -> Option<Self> {
        [Self::Auto, Self::Legacy, Self::Modern, Self::Both].into_iter().find(|choice| choice.as_str() == text)
    }

    /// Its name in options and captures.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Legacy => "legacy",
            Self::Modern => "modern",
            Self::Both => "both",
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
    /// How long the question for the era may stay unanswered before `initialize` is sent too.
    pub probe_time: Duration,
    /// How long each page of the list may take.
    pub request: Duration,
    /// How often the list is fetched in one session; at least once.
    pub repeat: usize,
    /// How often the server is started, or a session over HTTP begun, in each era; at least once.
    pub starts: usize,
    /// How long to wait for the server to say that its list changed; not at all when none.
    pub watch: Option<Duration>,
    /// Whether to ask, once all is listed, for what must be refused.
    pub probe: bool,
    /// Tools to call, since the user says so.
    pub calls: Vec<Call>,
    /// Bounds on everything else.
    pub limits: Limits,
    /// Our version, as told to the server.
    pub version: &'static str,
}

/// A call of a tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Call {
    /// The name of the tool.
    pub tool: String,
    /// What it is called with.
    pub arguments: Map<String, Value>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            era: EraChoice::Auto,
            start: None,
            probe_time: limits::PROBE,
            request: limits::REQUEST,
            repeat: 1,
            starts: 1,
            watch: None,
            probe: false,
            calls: Vec::new(),
            limits: Limits::default(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// Reaches a server, lists its tools, ends the session, and gives back all that passed. Tells meanwhile what is being
/// done.
///
/// Never fails: what could not be done is an incident in the exchange. An answer to `initialize` or `tools/list` that
/// refuses is none, because the wire shows it. For each session it takes at most two start-up time-outs, the bound on
/// the list and about four seconds for the ending. No process of the server's group is left.
pub fn converse(server: Server<'_>, options: &Options, tell: Tell<'_>) -> Exchange {
    let (made, secrets) = how(server, options);
    let record = Record::new(made, secrets, &options.limits);
    let link: Box<dyn Link> = match server {
        Server::Local(launch) => Box::new(Process::new(launch, options)),
        Server::Remote(remote) => Box::new(Web::new(remote, options)),
    };
    let mut session = Session::new(link, record, options, tell);
    let eras = match options.era {
        EraChoice::Both => vec![EraChoice::Modern, EraChoice::Legacy],
        one => vec![one],
    };
    let starts = options.starts.max(1);
    let (mut opened_in, mut called) = (Vec::new(), false);
    for era in eras {
        for start in 1..=starts {
            let Ok(opened) = list::reach(&mut session, era) else { break };
            opened_in.push(era);
            let is_last_of_era = start == starts;
            let turn =
                Turn { is_last_of_era, makes_calls: is_last_of_era && !std::mem::replace(&mut called, is_last_of_era) };
            // What stopped it stands in the exchange already.
            let (Ok(()) | Err(Stopped)) = talk(&mut session, opened, turn);
        }
        // Who cannot be reached would not be so a second time either, and could cost each time-out again. A process may
        // have died on the question of the other era.
        if opened_in.is_empty() && session.record.has_incident() && !session.link.is_process() {
            break;
        }
    }
    if opened_in.is_empty() && options.probe {
        // Who refused us may say where to get authorized.
        session.record.stage = Stage::Probe;
        session.link.metadata(&mut session.record);
    }
    opened_in.dedup();
    if let (EraChoice::Both, [only]) = (options.era, opened_in.as_slice()) {
        let era = only.as_str();
        session.record.stage = Stage::Open;
        session.record.incident(format!(
            "a session opened in the {era} era only, so there are no two lists to compare; try without `{ERA_OPTION} both`"
        ));
    }
    session.finish()
}

/// Which of the sessions it is.
#[derive(Clone, Copy)]
struct Turn {
    is_last_of_era: bool,
    /// Calls may change something, so each is made once.
    makes_calls: bool,
}

/// The rest of a session. Only the last of an era does more than to list: what a call changes, and what changes in the
/// time of a watch, must not look like the whim of the next session.
fn talk(session: &mut Session<'_>, opened: Opened, turn: Turn) -> Result<(), Stopped> {
    list::again(session, opened)?;
    if turn.makes_calls {
        call::calls(session, opened)?;
    }
    if turn.is_last_of_era {
        list::watch(session, opened)?;
        probe::probes(session, opened)?;
    }
    Ok(())
}

/// How the exchange is made, and what of it is secret.
fn how(server: Server<'_>, options: &Options) -> (Map<String, Value>, Vec<Secret>) {
    let mut made = Map::new();
    let secrets = match server {
        Server::Local(launch) => {
            let variables = launch.env.iter().map(|(name, value)| Secret::variable(name, value));
            let words = launch.credentials();
            let secrets: Vec<Secret> = variables.chain(words.iter().map(|word| Secret::word(word))).collect();
            let mask = Record::new(Map::new(), secrets.clone(), &options.limits);
            let command: Vec<String> = launch.shown().iter().map(|word| mask.masked(word)).collect();
            made.insert("command".to_owned(), json!(command));
            made.insert("env".to_owned(), json!(launch.env.keys().collect::<Vec<_>>()));
            secrets
        }
        Server::Remote(remote) => {
            let names: Vec<&str> = remote.headers.iter().map(|header| header.name.as_str()).collect();
            made.insert("url".to_owned(), json!(remote.shown()));
            made.insert("headers".to_owned(), json!(names));
            remote.credentials().iter().map(|value| Secret::credential(value)).collect()
        }
    };
    made.insert("era".to_owned(), json!(options.era.as_str()));
    made.insert("client".to_owned(), message::client(options.version));
    made.insert("capabilities".to_owned(), message::capabilities());
    (made, secrets)
}
