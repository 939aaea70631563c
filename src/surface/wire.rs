//! What the wire shows beside the list: every message in order, the HTTP around it, starts, noise and broken text.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde_json::{Map, Value};

use super::Tool;
use super::challenge::Challenge;
use super::exchange::{Ask, Connect, End, HIDDEN, Head};
use crate::text::{digest, json::text_of, safe};

/// A line of stdout that is no JSON-RPC message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noise {
    /// The line, invalid bytes replaced.
    pub text: String,
    /// Position among the lines of stdout, from 1.
    pub line: usize,
}

/// The wire of one server, looked at as a whole.
#[derive(Clone, Debug, Default)]
pub struct Wire {
    /// Lines that are no messages, empty ones included.
    pub noise: Vec<Noise>,
    /// Lines that hold bytes which are not UTF-8.
    pub invalid_utf8: Vec<usize>,
    /// Every JSON-RPC message in order, ours and the server's.
    pub messages: Vec<Message>,
    /// Every request over HTTP in order; empty over stdio.
    pub https: Vec<Http>,
    /// The sessions in order: each start of the process, each connection over HTTP.
    pub sessions: Vec<Session>,
    /// The last lines of stderr.
    pub stderr: Vec<String>,
    /// The command of the server, when it was started by one.
    pub command: Vec<String>,
}

/// Who said a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// We did.
    Client,
    /// The server did.
    Server,
}

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It asks for an answer.
    Request,
    /// It does not.
    Notification,
    /// An answer that went well.
    Result,
    /// An answer that did not.
    Error,
    /// None of these; [`Message::body`] is the whole of it.
    Broken,
}

/// One JSON-RPC message.
#[derive(Clone, Debug)]
pub struct Message {
    /// Who said it.
    pub side: Side,
    /// What it is.
    pub kind: Kind,
    /// Its method; of an answer, that of the request.
    pub method: Option<String>,
    /// Its id, as written; null when it has none.
    pub id: Value,
    /// The names of its members beside `params`, `result` and `error`, to see what the envelope lacks.
    pub members: Vec<String>,
    /// Its `params`, `result` or `error`. The tools of a list are taken out; null when it is larger than
    /// [`MOST_BODY`] and holds nothing that is looked at.
    pub body: Value,
    /// Of an answer: the position of the request in [`Wire::messages`].
    pub to: Option<usize>,
    /// Of a request: the position of its first answer.
    pub answer: Option<usize>,
    /// The position in [`Wire::https`] of the request that carried it.
    pub http: Option<usize>,
    /// The position in [`Wire::sessions`] of its session.
    pub session: usize,
    /// Milliseconds since the first start.
    pub ms: Option<u64>,
}

/// Bytes of a message above which its body is not kept.
pub const MOST_BODY: usize = 64 * 1024;

impl Message {
    /// The parts of a message; `keep` says whether its body is kept.
    pub(super) fn read(value: &Value, side: Side, keep: bool) -> Self {
        let member = |name: &str| value.get(name);
        let id = member("id").cloned().unwrap_or_default();
        let (kind, body) = match (text_of(value, "method"), member("result"), member("error")) {
            (Some(_), _, _) if member("id").is_some() => (Kind::Request, member("params")),
            (Some(_), _, _) => (Kind::Notification, member("params")),
            (None, _, Some(error)) => (Kind::Error, Some(error)),
            (None, Some(result), None) => (Kind::Result, Some(result)),
            (None, None, None) => (Kind::Broken, Some(value)),
        };
        let members = value.as_object().map(|members| members.keys().cloned().collect()).unwrap_or_default();
        Self {
            side,
            kind,
            method: text_of(value, "method"),
            id,
            members,
            body: body.filter(|_| keep).cloned().unwrap_or_default(),
            to: None,
            answer: None,
            http: None,
            session: 0,
            ms: None,
        }
    }

    /// Whether it is a message of the server of this kind and method.
    pub fn is_from_server(&self, kind: Kind, method: &str) -> bool {
        self.side == Side::Server && self.kind == kind && self.method.as_deref() == Some(method)
    }

    /// A member of its body.
    pub fn member(&self, name: &str) -> Option<&Value> {
        self.body.get(name)
    }

    /// A member of the `_meta` in its body.
    pub fn meta(&self, name: &str) -> Option<&Value> {
        self.body.get("_meta")?.get(name)
    }

    /// The code of an error.
    pub fn code(&self) -> Option<i64> {
        self.body.get("code")?.as_i64()
    }
}

/// A request over HTTP and what came of it.
#[derive(Clone, Debug)]
pub struct Http {
    /// The request; its body stands in [`Wire::messages`].
    pub ask: Ask,
    /// The head of the answer, if one came.
    pub head: Option<Head>,
    /// The end of the answer, if it came.
    pub end: Option<End>,
    /// How many parts of it were messages.
    pub messages: usize,
    /// The text of its first part, when that was no message; at most 2,000 characters.
    pub text: Option<String>,
    /// The session it belongs to.
    pub session: usize,
}

impl Http {
    /// The value of a header that was sent, by its name in any case.
    pub fn sent(&self, name: &str) -> Option<&str> {
        let found = self.ask.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Whether the server no longer knew the session that was named.
    pub fn is_forgotten(&self) -> bool {
        self.status() == Some(404) && self.sent("mcp-session-id").is_some()
    }

    /// How an answer without a message refused, in words; none when it did not, or not yet.
    pub(super) fn refusal(&self) -> Option<String> {
        let head = self.head.as_ref()?;
        if let Some(cause) = self.end.as_ref().and_then(|end| end.cause.as_ref()) {
            return Some(format!("HTTP {}, and then {cause}", head.status));
        }
        let status = head.status;
        if let Some(how) = self.denial() {
            return Some(how);
        }
        let way_out = match status {
            404 | 405 => "is this the address of its MCP endpoint? It often ends with `/mcp` or `/sse`",
            429 => "it limits how often one may ask; try later",
            500.. => "look into its log",
            _ => "is it an MCP server?",
        };
        let kind = head.media_type().map_or_else(|| "no content type".to_owned(), |kind| safe::quoted(&kind));
        Some(format!("HTTP {status} and no JSON-RPC message ({kind}{}); {way_out}", self.words()))
    }

    /// How it was refused for who asks, in words.
    pub(super) fn denial(&self) -> Option<String> {
        let head = self.head.as_ref().filter(|head| matches!(head.status, 401 | 403))?;
        let status = head.status;
        let challenge = head.header("www-authenticate").and_then(Challenge::read);
        let asks = challenge.as_ref().map_or_else(String::new, |challenge| format!(" ({challenge})"));
        Some(match (self.has_credentials(), status, challenge) {
            (true, _, _) => {
                let words = self.words();
                format!("HTTP {status}: it does not take the credentials that were sent{asks}{words}; check them")
            }
            (false, 403, None) => format!(
                "HTTP 403{}: it may want credentials (`--bearer-env VAR`, `--header-env`), or not be open to us",
                self.words()
            ),
            (false, _, _) => format!(
                "HTTP {status}: it asks for authorization{asks}; give it with `--bearer-env VAR` or `--header-env`"
            ),
        })
    }

    /// Whether the request held headers of the user, which the wire shows masked.
    pub fn has_credentials(&self) -> bool {
        self.ask.headers.iter().any(|(name, value)| value == HIDDEN && !name.eq_ignore_ascii_case("mcp-session-id"))
    }

    /// The beginning of a body that is no message, to be put behind what it came with. A page for people says nothing
    /// in few words.
    fn words(&self) -> String {
        let text = self.text.as_deref().map(str::trim).unwrap_or_default();
        if text.is_empty() || text.starts_with('<') {
            return String::new();
        }
        format!(", which says: {}", safe::clip(&safe::line(text), 100))
    }

    /// Whether it opened a stream of events.
    pub fn is_open_stream(&self) -> bool {
        self.ask.method == "GET" && self.head.as_ref().is_some_and(|head| head.status == 200 && head.is_stream())
    }

    /// The status of the answer.
    pub fn status(&self) -> Option<u16> {
        self.head.as_ref().map(|head| head.status)
    }
}

/// A start of the process, or a connection over HTTP.
#[derive(Clone, Debug, Default)]
pub struct Session {
    /// The connection; none for a process, or a tape that does not say.
    pub connect: Option<Connect>,
    /// Whether a process was started.
    pub is_start: bool,
    /// When it began, in milliseconds since the first start.
    pub began: Option<u64>,
    /// Milliseconds from its begin to the answer that opened it.
    pub opened: Option<u64>,
    /// The exit code of the process, once it has ended by itself; none inside when a signal ended it.
    pub exit: Option<Option<i32>>,
}

/// One page of `tools/list`.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The cursor it was asked with; none for the first.
    pub cursor: Option<String>,
    /// Its `nextCursor`, whatever it is; none when absent.
    pub next: Option<Value>,
    /// Those of [`super::assemble::HINTS`] that its result holds, as written.
    pub hints: Map<String, Value>,
    /// How many of its entries are no objects.
    pub strangers: usize,
    /// Its tools within the merged list. Empty for a page that brought only what was there.
    pub tools: Range<usize>,
    /// Names that stood on an earlier page already.
    pub seen_before: Vec<String>,
    /// Whether it had tools, all of them seen before.
    pub nothing_new: bool,
}

impl Page {
    /// The cursor that this page hands out, if the list goes on.
    ///
    /// An empty string is a cursor; `null` breaks the schema and is read as the end.
    pub fn next_cursor(&self) -> Option<&str> {
        self.next.as_ref().and_then(Value::as_str)
    }
}

/// A further walk through the list, after the one that is the surface.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The position of its session in [`Wire::sessions`].
    pub session: usize,
    /// The position of its first request in [`Wire::messages`].
    pub request: usize,
    /// Its tools, all pages merged.
    pub tools: Vec<Tool>,
    /// Whether it was followed to its end.
    pub whole: bool,
}

/// The tools of the pages so far. A live session and the reading of its record ask the same: does a page bring
/// anything new?
#[derive(Clone, Debug, Default)]
pub struct Known(BTreeMap<String, BTreeSet<String>>);

impl Known {
    /// Takes in a tool by its label and its compact JSON.
    pub fn add(&mut self, label: &str, text: &str) {
        self.0.entry(label.to_owned()).or_default().insert(digest::short(&[text]));
    }

    /// Whether this very tool came before.
    pub fn holds(&self, label: &str, text: &str) -> bool {
        self.0.get(label).is_some_and(|digests| digests.contains(&digest::short(&[text])))
    }

    /// Whether any tool of this label came before.
    pub fn has_label(&self, label: &str) -> bool {
        self.0.contains_key(label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_earlier_form_of_a_tool_is_known_too() {
        let mut known = Known::default();
        for text in ["v1", "v2"] {
            assert!(!known.holds("a", text));
            known.add("a", text);
        }
        assert!(known.holds("a", "v1") && known.has_label("a") && !known.has_label("b"));
    }
}
