//! The wire in order, both directions, byte for byte.
//!
//! One form for all transports: lines over stdio, requests and parts of their answers over HTTP. Its saved form is in
//! [`super::capture`].

use serde_json::{Map, Value};

use crate::finding::Incident;

/// The member of [`Exchange::made`] that holds the version which a manifest says the server has.
pub const MANIFEST_VERSION: &str = "manifest_version";

/// What stands for a value that is not told.
pub const HIDDEN: &str = "***";

/// The wire with one server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exchange {
    /// How it was made: command or address, declared capabilities, our version. Empty for a hand-made tape.
    pub made: Map<String, Value>,
    /// The frames in order.
    pub frames: Vec<Frame>,
}

/// One frame and when it passed.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Milliseconds since the first start, when known.
    pub ms: Option<u64>,
    /// What passed.
    pub what: What,
}

/// What a frame holds.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A message of ours over stdio, without its line end.
    Out(String),
    /// A line of the server's stdout, without its line end.
    In(Vec<u8>),
    /// A line of the server's stderr.
    Err(String),
    /// The process was started; again after it died on the probe, or for a second look.
    Spawn,
    /// We closed the process's stdin, so that it ends.
    Close,
    /// The process ended, with its exit code when it had one; by itself, unless [`What::Close`] came before.
    Exit(Option<i32>),
    /// A connection over HTTP began: a new session, as far as the server knows.
    Connect(Connect),
    /// A request of ours over HTTP.
    Ask(Ask),
    /// The head of the answer to one.
    Head(Head),
    /// A part of the answer to one: its body, or one event of its stream. The content coding is taken off.
    Part(Part),
    /// The answer to one is over.
    End(End),
    /// Something that could not be done.
    Incident(Incident),
}

/// The beginning of a connection over HTTP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Connect {
    /// The shape of HTTP.
    pub sse: bool,
    /// Whose credentials it carries, when tapes of several are put together; never the credentials.
    pub identity: Option<String>,
    /// What somebody called it.
    pub label: Option<String>,
}

/// A request over HTTP. Values of the user's headers are masked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ask {
    /// Its number, by which the frames of its answer name it.
    pub n: u64,
    /// `POST`, `GET` or `DELETE`.
    pub method: String,
    /// The address, secrets masked.
    pub url: String,
    /// Names and values, in the order sent.
    pub headers: Vec<(String, String)>,
    /// The body, when it has one.
    pub body: Option<String>,
}

/// The head of an answer over HTTP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The request's number.
    pub n: u64,
    /// The status code.
    pub status: u16,
    /// Names in lower case, and values, in the order received; values that could let somebody in are masked.
    pub headers: Vec<(String, String)>,
}

impl Head {
    /// The value of a header, its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The media type, without its parameters, in lower case.
    pub fn media_type(&self) -> Option<String> {
        let value = self.header("content-type")?;
        Some(value.split(';').next().unwrap_or(value).trim().to_lowercase())
    }

    /// Whether the body is a stream of events.
    pub fn is_stream(&self) -> bool {
        self.media_type().as_deref() == Some("text/event-stream")
    }
}

/// A part of an answer over HTTP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The request's number.
    pub n: u64,
    /// The bytes as received.
    pub bytes: Vec<u8>,
}

/// The end of an answer over HTTP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// The request's number.
    pub n: u64,
    /// Why it broke off or never came, in words; none when it was whole.
    pub cause: Option<String>,
}
