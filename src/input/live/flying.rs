//! Requests over HTTP that are on their way, and what is known of their answers so far.

use std::time::Duration;

/// A request that is on its way.
pub(super) struct Flying {
    /// The id of the message that it carries, or whose answer it goes on with.
    pub(super) id: Option<u64>,
    pub(super) kind: Purpose,
    /// Whether a session begins with its answer.
    pub(super) is_opening: bool,
    pub(super) status: Option<u16>,
    pub(super) is_stream: bool,
    /// The last event of its stream.
    pub(super) last_event: Option<String>,
    /// When the server wants to be asked again.
    pub(super) retry: Option<Duration>,
}

/// What a request is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Carries a message.
    Message,
    /// Carries an answer to the server, of which it may ask for any number.
    Answer,
    /// The stream of HTTP+SSE, without which there is no session.
    Stream,
    /// A stream that one listens to beside.
    Listening,
    /// Public, so that no credentials go with it.
    Public,
}

impl Flying {
    /// A request that was just sent.
    pub(super) fn new(id: Option<u64>, kind: Purpose) -> Self {
        Self { id, kind, is_opening: false, status: None, is_stream: false, last_event: None, retry: None }
    }
}
