//! The saved form of an exchange.
//!
//! A capture is JSON Lines. The first line may say how it was made (`{"capture":"toolsurface/1",…}`); every other line
//! is one frame, and `ms` in it is the time since the first start:
//!
//! | frame | what passed |
//! |---|---|
//! | `{"out":"…"}` | what we said over stdio |
//! | `{"in":"…"}`, `{"in_hex":"…"}` | a line of the server's stdout; hex when it is not UTF-8 |
//! | `{"err":"…"}` | a line of its stderr |
//! | `{"ask":1,"method":"POST","url":"…","headers":[["Name","value"]],"body":"…"}` | a request of ours over HTTP |
//! | `{"head":1,"status":200,"headers":[…]}` | the head of its answer |
//! | `{"part":1,"text":"…"}`, `{"part":1,"hex":"…"}` | its body, or one event of its stream |
//! | `{"end":1}`, `{"end":1,"cause":"…"}` | the answer is over, or broke off |
//! | `{"event":"spawn"}`, `{"event":"close"}`, `{"event":"exit","code":0}` | the process was started, its stdin was closed, it ended |
//! | `{"event":"connect"}` | a connection over HTTP began; `sse`, `identity` and `label` may say more |
//! | `{"event":"incident","stage":"…","cause":"…"}` | something could not be done |

use serde_json::{Map, Value, json};

use super::exchange::{Ask, Connect, End, Exchange, Frame, Head, Part, What};
use crate::finding::{Incident, Stage};
use crate::text::json::{self as raw, Broken};
use crate::text::safe;

/// The version mark of captures.
pub const MARK: &str = "toolsurface/1";

impl Exchange {
    /// The capture's text, unseen characters escaped: a capture may be printed.
    pub fn to_jsonl(&self) -> String {
        let mut header = Map::new();
        header.insert("capture".into(), MARK.into());
        header.extend(self.made.clone());
        let mut text = Value::Object(header).to_string();
        text.push('\n');
        for frame in &self.frames {
            text.push_str(&frame.to_json().to_string());
            text.push('\n');
        }
        safe::escaped(text)
    }

    /// Reads a capture. A further header, as in captures put together, begins nothing new.
    ///
    /// # Errors
    ///
    /// The line, and why it is no frame.
    pub fn from_jsonl(text: &str) -> Result<Self, Broken> {
        let mut exchange = Self::default();
        for (n, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let at_line = |broken: Broken| Broken { line: n + 1, ..broken };
            let Value::Object(mut members) = raw::parse(line).map_err(at_line)?.value else {
                return Err(no_frame(n + 1, "a frame is a JSON object"));
            };
            if let Some(mark) = members.remove("capture") {
                if mark != MARK {
                    let mark = safe::clip(&mark.to_string(), 60);
                    return Err(no_frame(n + 1, &format!("this capture says {mark}; only \"{MARK}\" is known")));
                }
                if exchange.made.is_empty() {
                    exchange.made = members;
                }
                continue;
            }
            let what = What::from_json(&members).map_err(|problem| no_frame(n + 1, &problem))?;
            let ms = members.get("ms").and_then(Value::as_u64);
            exchange.frames.push(Frame { ms, what });
        }
        Ok(exchange)
    }

    /// Whether a text looks like a capture: its first line is our mark or a frame.
    pub fn is_capture(text: &str) -> bool {
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        match raw::parse(first) {
            Ok(parsed) => parsed
                .value
                .as_object()
                .is_some_and(|members| members.contains_key("capture") || What::from_json(members).is_ok()),
            Err(_) => false,
        }
    }
}

impl Frame {
    fn to_json(&self) -> Value {
        let mut frame = match &self.what {
            What::Out(text) => json!({ "out": text }),
            What::In(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => json!({ "in": text }),
                Err(_) => json!({ "in_hex": to_hex(bytes) }),
            },
            What::Err(text) => json!({ "err": text }),
            What::Spawn => json!({ "event": "spawn" }),
            What::Close => json!({ "event": "close" }),
            What::Exit(code) => json!({ "event": "exit", "code": code }),
            What::Connect(connect) => connect.to_json(),
            What::Ask(ask) => ask.to_json(),
            What::Head(head) => json!({ "head": head.n, "status": head.status, "headers": head.headers }),
            What::Part(part) => match std::str::from_utf8(&part.bytes) {
                Ok(text) => json!({ "part": part.n, "text": text }),
                Err(_) => json!({ "part": part.n, "hex": to_hex(&part.bytes) }),
            },
            What::End(End { n, cause: None }) => json!({ "end": n }),
            What::End(End { n, cause: Some(cause) }) => json!({ "end": n, "cause": cause }),
            What::Incident(incident) => {
                json!({ "event": "incident", "stage": incident.stage.as_str(), "cause": incident.cause })
            }
        };
        if let (Some(ms), Some(members)) = (self.ms, frame.as_object_mut()) {
            members.insert("ms".into(), ms.into());
        }
        frame
    }
}

impl Connect {
    fn to_json(&self) -> Value {
        let mut members = Map::new();
        members.insert("event".into(), "connect".into());
        if self.sse {
            members.insert("sse".into(), true.into());
        }
        for (name, text) in [("identity", &self.identity), ("label", &self.label)] {
            members.extend(text.clone().map(|text| (name.to_owned(), text.into())));
        }
        Value::Object(members)
    }
}

impl Ask {
    fn to_json(&self) -> Value {
        let mut ask = json!({ "ask": self.n, "method": self.method, "url": self.url, "headers": self.headers });
        if let (Some(body), Some(members)) = (&self.body, ask.as_object_mut()) {
            members.insert("body".into(), body.clone().into());
        }
        ask
    }
}

impl What {
    fn from_json(members: &Map<String, Value>) -> Result<Self, String> {
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        let owned = |name: &str| text(name).map(str::to_owned);
        let number = |name: &str| members.get(name).and_then(Value::as_u64);
        if let Some(out) = text("out") {
            return Ok(Self::Out(out.to_owned()));
        }
        if let Some(line) = text("in") {
            return Ok(Self::In(line.as_bytes().to_vec()));
        }
        if let Some(hex) = text("in_hex") {
            return from_hex(hex).map(Self::In).ok_or_else(|| "`in_hex` is not hex".to_owned());
        }
        if let Some(line) = text("err") {
            return Ok(Self::Err(line.to_owned()));
        }
        if let Some(n) = number("ask") {
            let method = owned("method").ok_or("an `ask` has a `method`")?;
            let url = owned("url").unwrap_or_default();
            return Ok(Self::Ask(Ask { n, method, url, headers: headers(members)?, body: owned("body") }));
        }
        if let Some(n) = number("head") {
            let status = number("status").and_then(|status| u16::try_from(status).ok());
            let status = status.ok_or("a `head` has a `status`, a number")?;
            let lower = |(name, value): (String, String)| (name.to_lowercase(), value);
            let headers = headers(members)?.into_iter().map(lower).collect();
            return Ok(Self::Head(Head { n, status, headers }));
        }
        if let Some(n) = number("part") {
            let bytes = match (text("text"), text("hex")) {
                (Some(text), _) => text.as_bytes().to_vec(),
                (None, Some(hex)) => from_hex(hex).ok_or("`hex` is not hex")?,
                (None, None) => return Err("a `part` has a `text` or a `hex`".to_owned()),
            };
            return Ok(Self::Part(Part { n, bytes }));
        }
        if let Some(n) = number("end") {
            return Ok(Self::End(End { n, cause: owned("cause") }));
        }
        match text("event") {
            Some("spawn") => Ok(Self::Spawn),
            Some("close") => Ok(Self::Close),
            Some("exit") => {
                let code = members.get("code").and_then(Value::as_i64);
                Ok(Self::Exit(code.and_then(|code| i32::try_from(code).ok())))
            }
            Some("connect") => {
                let sse = members.get("sse").and_then(Value::as_bool).unwrap_or_default();
                Ok(Self::Connect(Connect { sse, identity: owned("identity"), label: owned("label") }))
            }
            Some("incident") => {
                let stage = Stage::ALL
                    .into_iter()
                    .find(|stage| text("stage") == Some(stage.as_str()))
                    .ok_or("an incident has a `stage`: start, open, list, probe, call or read")?;
                let cause = text("cause").ok_or("an incident has a `cause`")?.to_owned();
                Ok(Self::Incident(Incident { stage, cause }))
            }
            Some(other) => Err(format!("{} is not an event", safe::quoted(other))),
            None => Err("a frame has `out`, `in`, `err`, `ask`, `head`, `part`, `end` or `event`".to_owned()),
        }
    }
}

/// The headers of a frame: a list of pairs, so that a doubled name stays two.
fn headers(members: &Map<String, Value>) -> Result<Vec<(String, String)>, String> {
    let Some(list) = members.get("headers") else { return Ok(Vec::new()) };
    serde_json::from_value(list.clone()).map_err(|_| "`headers` is a list of pairs of texts".to_owned())
}

fn no_frame(line: usize, problem: &str) -> Broken {
    Broken { line, column: 1, offset: 0, problem: problem.to_owned(), bound: false }
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().map(|digit| digit.to_digit(16).and_then(|value| u8::try_from(value).ok())).collect();
    let digits = digits?;
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    Some(digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_reads_back() {
        let frame = |what| Frame { ms: Some(7), what };
        let pair = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
        let exchange = Exchange {
            made: Map::from_iter([("command".to_owned(), json!(["a", "b"]))]),
            frames: vec![
                frame(What::Spawn),
                frame(What::Out("{}".into())),
                frame(What::In(b"banner".to_vec())),
                frame(What::In(vec![0xff, 0x00])),
                frame(What::Err("log".into())),
                frame(What::Close),
                frame(What::Exit(Some(3))),
                frame(What::Connect(Connect { sse: true, identity: Some("a".into()), label: None })),
                frame(What::Ask(Ask {
                    n: 1,
                    method: "POST".into(),
                    url: "http://localhost/mcp".into(),
                    headers: pair("Accept", "*/*"),
                    body: Some("{}".into()),
                })),
                frame(What::Head(Head { n: 1, status: 200, headers: pair("content-type", "text/plain") })),
                frame(What::Part(Part { n: 1, bytes: b"data: {}\n\n".to_vec() })),
                frame(What::Part(Part { n: 1, bytes: vec![0xff] })),
                frame(What::End(End { n: 1, cause: Some("broke off".into()) })),
                frame(What::Incident(Incident { stage: Stage::List, cause: "timed out".into() })),
            ],
        };
        assert_eq!(Exchange::from_jsonl(&exchange.to_jsonl()).unwrap(), exchange);
    }

    #[test]
    fn a_wrong_line_is_named() {
        let broken = Exchange::from_jsonl("{\"in\":\"x\"}\n{\"into\":\"x\"}\n").unwrap_err();
        assert_eq!(broken.line, 2);
        assert!(broken.problem.contains("`in`"));
        assert!(!Exchange::is_capture("{\"tools\":[]}"));
    }
}
