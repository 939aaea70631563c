//! What a session needs of a transport.
//!
//! A link moves messages and records what passes, as received; it knows nothing of tools. The session above it knows
//! nothing of pipes and sockets.

use std::time::{Duration, Instant};

use super::header::Headers;
use super::http::Method;
use super::record::Record;
use crate::spec::revision::Revision;

/// The session cannot go on; why stands in the exchange.
#[derive(Debug)]
pub(super) struct Stopped;

/// A message of ours.
#[derive(Debug, Default)]
pub(super) struct Outgoing {
    /// Its id, when it is a request.
    pub(super) id: Option<u64>,
    /// Its method; empty for an answer.
    pub(super) method: String,
    /// Its text, without line feeds.
    pub(super) text: String,
    /// The revision that it names, when it is a modern one.
    pub(super) revision: Option<Revision>,
    /// The tool that it calls.
    pub(super) tool: Option<String>,
    /// Headers to send beside the usual ones, or instead of them.
    pub(super) headers: Headers,
    /// How long its answer may take.
    pub(super) time: Duration,
}

impl Outgoing {
    /// Whether it answers the server.
    pub(super) fn is_answer(&self) -> bool {
        self.id.is_none() && self.method.is_empty()
    }
}

/// What one waits for.
#[derive(Debug)]
pub(super) enum Next {
    /// A text that should hold messages; and whether it broke off before its end.
    Text(Vec<u8>, bool),
    /// An answer that is likely gone, and an incident says so.
    Lost,
    /// The reply that should have answered this request is over. Whether it did, the session knows.
    Over(u64, Over),
    /// The server is gone, in words that follow "the server".
    Gone(String),
    /// Nothing came in time.
    Silence,
}

/// How a reply over HTTP ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Over {
    /// Its status, if it came so far.
    pub(super) status: Option<u16>,
    /// Why it broke off or never came.
    pub(super) cause: Option<String>,
    /// Whether what was missed can be asked for.
    pub(super) can_resume: bool,
}

/// A transport. What only HTTP has is nothing for the others.
pub(super) trait Link {
    /// Begins, or begins anew: starts the process, or a new session over HTTP.
    ///
    /// # Errors
    ///
    /// When that failed.
    fn start(&mut self, record: &mut Record) -> Result<(), Stopped>;

    /// Sends a message. Bounded in time; what a dead server does not take is lost.
    fn send(&mut self, message: Outgoing, record: &mut Record);

    /// Waits for the next thing to happen, until then.
    ///
    /// # Errors
    ///
    /// When a bound is passed.
    fn next(&mut self, until: Instant, record: &mut Record) -> Result<Next, Stopped>;

    /// Closes the session and lets the server end, then ends what is left of it.
    fn end(&mut self, record: &mut Record);

    /// How long a start may take when nobody says it.
    fn start_time(&self) -> Duration;

    /// Whether the server is a process that dies and can be started again.
    fn is_process(&self) -> bool;

    /// Whether it carries nothing but the legacy era, so that there is nothing to ask.
    fn is_legacy(&self) -> bool {
        false
    }

    /// The HTTP status under which the request with this id was answered.
    fn status(&self, _id: u64) -> Option<u16> {
        None
    }

    /// Takes note of the revision that `initialize` settled.
    fn settled(&mut self, _revision: &str) {}

    /// Goes back to an older shape of the transport, if there is one; then the session begins anew.
    fn fall_back(&mut self) -> bool {
        false
    }

    /// Whether a reply that is a stream has not ended.
    fn is_streaming(&self) -> bool {
        false
    }

    /// Whether the user wants no older shape.
    fn is_fixed(&self) -> bool {
        false
    }

    /// Opens the stream on which a legacy server tells of changes, where that is a stream of its own.
    fn listen(&mut self, _time: Duration, _record: &mut Record) {}

    /// Asks for what was missed of the reply to this request, when the server wants it, but not after `until`.
    fn resume(&mut self, _id: u64, _until: Instant, _record: &mut Record) {}

    /// Takes back a request; says whether the transport did it, so that no message is needed.
    fn cancel(&mut self, _id: u64) -> bool {
        false
    }

    /// Sends a request that carries no message, as only probes do; gives back when it is answered.
    fn bare(&mut self, _method: Method, _headers: &[(&'static str, String)], _record: &mut Record) {}

    /// Asks for the public metadata that a server which wants authorization must have, where it does. No credentials go
    /// with that.
    fn metadata(&mut self, _record: &mut Record) {}

    /// What is on its way but not whole, to be put behind the sentence that misses an answer.
    fn instead(&self) -> Option<String>;

    /// The line of the server's log that says why it failed.
    fn last_words(&self) -> Option<String> {
        None
    }

    /// The line in which a package runner says that it got no package to run.
    fn runner_fault(&self) -> Option<String> {
        None
    }

    /// Where to look when the server went without a word, to be put behind that sentence.
    fn way_out(&self) -> String;

    /// The last lines of the server's log, each with its time, the oldest first; for after the end.
    fn log(&mut self) -> Vec<(u64, String)> {
        Vec::new()
    }
}
