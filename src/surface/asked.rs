//! What was asked and what came of it: requests of ours, each with its answer, and what the answers prove of the server.
//!
//! Rules on probes look here: which request was one is seen from the request itself.

use serde_json::Value;

use super::Surface;
use super::dialogue::LISTEN;
use super::wire::{Http, Kind, Message, Side, Wire};
use crate::spec::{code, meta::META_VERSION, revision::Revision};

/// A request of ours and what came of it.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'w> {
    /// The request.
    pub request: &'w Message,
    /// Its first answer, if one came.
    pub answer: Option<&'w Message>,
    /// The HTTP that carried it.
    pub http: Option<&'w Http>,
}

impl Wire {
    /// Every request of ours in order.
    pub fn asked(&self) -> impl Iterator<Item = Asked<'_>> {
        let requests =
            self.messages.iter().filter(|message| message.side == Side::Client && message.kind == Kind::Request);
        requests.map(|request| Asked {
            request,
            answer: self.answer_to(request),
            http: request.http.and_then(|http| self.https.get(http)),
        })
    }

    /// Whether a session runs over HTTP+SSE, where answers come in another stream than that of their request.
    pub fn is_sse(&self, session: usize) -> bool {
        let connect = self.sessions.get(session).and_then(|session| session.connect.as_ref());
        connect.is_some_and(|connect| connect.sse)
    }

    /// Whether we wanted to listen for changes and could not: over HTTP in the legacy era with a GET, since 2026-07-28
    /// with a subscription. What is said over HTTP+SSE and standard streams needs neither.
    pub fn is_deaf(&self) -> bool {
        let listens = |asked: &Asked<'_>| asked.method() == LISTEN;
        let no_subscription = self.asked().filter(listens).any(|asked| asked.result().is_none() && !asked.is_open());
        let modern = self.modern_sessions();
        let mut streams = self.https.iter().filter(|http| {
            http.ask.method == "GET"
                && http.sent("accept") == Some("text/event-stream")
                && http.sent("last-event-id").is_none()
                // A probe of the modern era asks in vain, as it should.
                && http.sent("mcp-protocol-version").is_none_or(|version| version < Revision::V2026_07_28.as_str())
        });
        let refused = streams.any(|http| {
            !modern.contains(&http.session)
                && !self.is_sse(http.session)
                && (http.head.is_some() || http.end.is_some())
                && !http.is_open_stream()
        });
        no_subscription || refused
    }

    /// Whether a process had served a modern request before this one. A server of both eras may keep a process to the
    /// era of its first request; over HTTP every request stands for itself.
    fn is_settled_before(&self, asked: &Asked<'_>) -> bool {
        let before = self.asked().take_while(|other| !std::ptr::eq(other.request, asked.request));
        let mut served = before.filter(|other| other.request.session == asked.request.session);
        asked.http.is_none() && served.any(|other| other.revision().is_some() && other.result().is_some())
    }

    /// What the answers prove of the versions that the server speaks.
    pub fn spoken(&self) -> Spoken {
        let mut spoken = Spoken::default();
        for asked in self.asked() {
            let named = match (asked.result(), asked.code()) {
                (Some(result), _) if asked.method() == "initialize" => {
                    spoken.legacy |= result.get("protocolVersion").is_some();
                    None
                }
                (Some(result), _) if asked.revision().is_some() => {
                    spoken.modern |= result.get("resultType").is_some() || result.get("supportedVersions").is_some();
                    result.get("supportedVersions")
                }
                // Of all codes, only these prove a server that knows per-request metadata.
                (None, Some(code)) if asked.revision().is_some() && code::is_modern(code) => {
                    spoken.modern = true;
                    asked.error().and_then(|error| error.pointer("/data/supported"))
                }
                _ => None,
            };
            let named = named.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
            spoken.versions.extend(named.map(str::to_owned));
        }
        let mut refused = self.asked().filter(|asked| asked.is_handshake() && asked.is_refused_by_server());
        spoken.refuses_handshake = refused.any(|asked| !self.is_settled_before(&asked));
        spoken.legacy |= spoken.versions.iter().any(|version| version.as_str() < Revision::V2026_07_28.as_str());
        spoken
    }
}

/// What a server has shown of the versions that it speaks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spoken {
    /// Whether it answered a request of the modern era as that era has it.
    pub modern: bool,
    /// Whether it opened a session with `initialize`, or names a version that does so.
    pub legacy: bool,
    /// Whether it refused an `initialize` in a version that exists, other than in a process that is settled on the modern
    /// era.
    pub refuses_handshake: bool,
    /// The versions that it named as supported. A server of both eras may leave the legacy ones out.
    pub versions: Vec<String>,
}

impl Spoken {
    /// Whether it named its versions, and nothing shows that it speaks the legacy era too.
    pub fn seems_only_modern(&self) -> bool {
        self.modern && !self.legacy && !self.versions.is_empty()
    }

    /// Whether it is known to speak nothing but the modern era.
    pub fn only_modern(&self) -> bool {
        self.seems_only_modern() && self.refuses_handshake
    }
}

impl Http {
    /// Whether the answer is a JSON object that is no message, such as a document of metadata. Of a long one only the
    /// beginning is seen.
    pub fn holds_object(&self) -> bool {
        self.status() == Some(200) && self.text.as_ref().is_some_and(|text| text.trim_start().starts_with('{'))
    }
}

/// What the methods of the specification and of its extensions begin with.
const KNOWN: [&str; 14] = [
    "completion/",
    "elicitation/",
    "initialize",
    "logging/",
    "notifications/",
    "ping",
    "prompts/",
    "resources/",
    "roots/",
    "sampling/",
    "server/",
    "subscriptions/",
    "tasks/",
    "tools/",
];

impl<'w> Asked<'w> {
    /// Whether a method may be one of the specification or of an extension.
    pub fn is_known(method: &str) -> bool {
        KNOWN.into_iter().any(|known| method.starts_with(known))
    }

    /// The method.
    pub fn method(&self) -> &'w str {
        self.request.method.as_deref().unwrap_or_default()
    }

    /// The revision that the request names in its metadata; only a modern request does.
    pub fn revision(&self) -> Option<&'w str> {
        self.request.meta(META_VERSION).and_then(Value::as_str)
    }

    /// The result, when the answer is one.
    pub fn result(&self) -> Option<&'w Value> {
        self.answer.filter(|answer| answer.kind == Kind::Result).map(|answer| &answer.body)
    }

    /// The error, when the answer is one.
    pub fn error(&self) -> Option<&'w Value> {
        self.answer.filter(|answer| answer.kind == Kind::Error).map(|answer| &answer.body)
    }

    /// The code of the error, when the answer is one.
    pub fn code(&self) -> Option<i64> {
        self.answer.filter(|answer| answer.kind == Kind::Error).and_then(Message::code)
    }

    /// The status of the answer, over HTTP.
    pub fn status(&self) -> Option<u16> {
        self.http.and_then(Http::status)
    }

    /// Whether it was turned away for a reason that has nothing to do with what it asked: authorization, too many
    /// requests, or a failure of the server or of something before it.
    pub fn is_turned_away(&self) -> bool {
        self.status().is_some_and(|status| matches!(status, 401 | 403 | 407 | 429 | 500..))
    }

    /// Whether it asks for a legacy session in a version that exists.
    fn is_handshake(&self) -> bool {
        let version = self.request.member("protocolVersion").and_then(Value::as_str);
        self.method() == "initialize" && version.and_then(Revision::from_text).is_some()
    }

    /// Whether its reply is a stream that was not refused.
    fn is_open(&self) -> bool {
        let is_stream = |http: &Http| http.head.as_ref().is_some_and(|head| head.status == 200 && head.is_stream());
        self.error().is_none() && self.http.is_none_or(is_stream)
    }

    /// Whether it was refused for what it is: by an error, or over HTTP by a status alone.
    pub fn is_refused_by_server(&self) -> bool {
        let by_status = self.answer.is_none() && self.status().is_some_and(|status| (400..500).contains(&status));
        !self.is_turned_away() && (self.error().is_some() || by_status)
    }

    /// Whether it got this error, over HTTP with this status.
    pub fn is_refused(&self, code: i64, status: u16) -> bool {
        self.code() == Some(code) && self.status().is_none_or(|found| found == status)
    }

    /// What came, in a few words; none when nothing did, or not all of it.
    pub fn found(&self) -> Option<String> {
        let message = match (self.answer?.kind, self.code()) {
            (Kind::Result, _) => "a result".to_owned(),
            (_, Some(code)) => format!("error {code}"),
            _ => return None,
        };
        let plain = self.status().is_none_or(|status| status == 200 && self.result().is_some());
        Some(match self.status() {
            Some(status) if !plain => format!("HTTP {status} and {message}"),
            _ => message,
        })
    }

    /// [`Asked::found`], and over HTTP also an answer without a message.
    pub fn found_or_status(&self) -> Option<String> {
        let bare = || {
            let http = self.http.filter(|http| http.end.as_ref().is_some_and(|end| end.cause.is_none()))?;
            Some(format!("HTTP {} and no JSON-RPC message", http.status()?))
        };
        self.found().or_else(bare)
    }
}

/// A call of a tool that stands on the list, and its answer.
#[derive(Clone, Copy, Debug)]
pub struct Call<'w> {
    /// The position of the tool.
    pub tool: usize,
    /// The request and what came of it.
    pub asked: Asked<'w>,
}

impl<'w> Call<'w> {
    /// The arguments, whatever they are.
    pub fn arguments(&self) -> Option<&'w Value> {
        self.asked.request.member("arguments")
    }

    /// The result, when the call was carried out: neither a request for more input nor a task.
    pub fn done(&self) -> Option<&'w Value> {
        let result = self.asked.result()?;
        let kind = result.get("resultType");
        let complete = kind.is_none_or(|kind| kind == "complete") && result.get("task").is_none();
        Some(result).filter(|_| complete)
    }
}

/// Whether the result of a call says that it failed.
pub fn is_failed(result: &Value) -> bool {
    result.get("isError") == Some(&Value::Bool(true))
}

impl Surface {
    /// Every call of a listed tool. Of several tools with one name, the first is meant.
    pub fn calls(&self) -> Vec<Call<'_>> {
        let asked = self.wire.iter().flat_map(Wire::asked).filter(|asked| asked.method() == "tools/call");
        asked
            .filter_map(|asked| {
                let name = asked.request.member("name").and_then(Value::as_str)?;
                let tool = self.tools.iter().position(|tool| tool.name() == Some(name))?;
                Some(Call { tool, asked })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::exchange::Exchange;

    fn surface(lines: &[&str]) -> Surface {
        Surface::from_exchange("t", &Exchange::from_jsonl(&lines.join("\n")).unwrap())
    }

    #[test]
    fn only_a_modern_answer_proves_the_modern_era() {
        let ask = r#"{"out":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}"}"#;
        let said = |answer: &str| {
            let line = format!("{}", serde_json::json!({ "in": answer }));
            surface(&[ask, &line]).wire.unwrap().spoken()
        };
        // A legacy server may serve the list without a look at the metadata.
        assert_eq!(said(r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#), Spoken::default());
        assert!(said(r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[]}}"#).modern);
        assert!(!said(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":""}}"#).modern);
        let named = said(
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"","data":{"supported":["2027-01-01"]}}}"#,
        );
        // What it names is not all that it may speak.
        assert!(named.modern && !named.legacy && !named.only_modern());
        assert!(Spoken { refuses_handshake: true, ..named }.only_modern());
        let both = said(
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"","data":{"supported":["2026-07-28","2025-11-25"]}}}"#,
        );
        assert!(both.modern && both.legacy && !both.only_modern());
    }

    #[test]
    fn a_process_that_served_a_modern_request_may_refuse_the_handshake_and_still_speak_both_eras() {
        let list = r#"{"out":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}"}"#;
        let listed = r#"{"in":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"tools\":[]}}"}"#;
        let open = r#"{"out":"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\"}}"}"#;
        let refused = r#"{"in":"{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32601,\"message\":\"\"}}"}"#;
        let shown = |lines: &[&str]| surface(lines).wire.unwrap().spoken().refuses_handshake;
        assert!(!shown(&[list, listed, open, refused]));
        assert!(shown(&[open, refused, list, listed]));
        let spawn = r#"{"event":"spawn"}"#;
        assert!(shown(&[spawn, list, listed, spawn, open, refused]));
    }

    #[test]
    fn what_came_in_words() {
        let ask = r#"{"ask":1,"method":"POST","url":"http://h/mcp","headers":[],"body":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x/y\"}"}"#;
        let said = |status: u16, body: &str| {
            let head = format!(r#"{{"head":1,"status":{status},"headers":[["content-type","application/json"]]}}"#);
            let part = serde_json::json!({ "part": 1, "text": body }).to_string();
            let surface = surface(&[ask, &head, &part, r#"{"end":1}"#]);
            surface.wire.unwrap().asked().next().unwrap().found_or_status()
        };
        let said = |status, body| said(status, body).unwrap();
        assert_eq!(said(200, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), "a result");
        assert_eq!(
            said(200, r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":""}}"#),
            "HTTP 200 and error -32601"
        );
        assert_eq!(
            said(404, r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":""}}"#),
            "HTTP 404 and error -32601"
        );
        assert_eq!(said(404, "not found"), "HTTP 404 and no JSON-RPC message");
    }
}
