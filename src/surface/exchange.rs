//! The wire in order, both directions, byte for byte; and its saved form, the capture.
//!
//! A capture is JSON Lines. The first line may say how it was made (`{"capture":"toolsurface/1",…}`); every other line
//! is one frame: `{"out":"…"}` what we sent, `{"in":"…"}` a line of the server's stdout (`{"in_hex":"…"}` when it is
//! not UTF-8), `{"err":"…"}` a line of its stderr, `{"event":"…"}` what happened to the process. `ms` is the time since
//! the first start.

use serde_json::{Map, Value, json};

use crate::finding::{Incident, Stage};
use crate::text::json::{self as raw, Broken};
use crate::text::safe;

/// The version mark of captures.
pub const MARK: &str = "toolsurface/1";

/// The wire with one server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exchange {
    /// How it was made: command, declared capabilities, our version. Empty for a hand-made tape.
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
    /// A message of ours, without its line end.
    Out(String),
    /// A line of the server's stdout, without its line end.
    In(Vec<u8>),
    /// A line of the server's stderr.
    Err(String),
    /// The process was started; again after it died on the probe.
    Spawn,
    /// The process ended by itself, with its exit code when it had one.
    Exit(Option<i32>),
    /// Something that could not be done.
    Incident(Incident),
}

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

    /// Reads a capture.
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
                exchange.made = members;
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
            What::Exit(code) => json!({ "event": "exit", "code": code }),
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

impl What {
    fn from_json(members: &Map<String, Value>) -> Result<Self, String> {
        let text = |name: &str| members.get(name).and_then(Value::as_str);
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
        match text("event") {
            Some("spawn") => Ok(Self::Spawn),
            Some("exit") => {
                let code = members.get("code").and_then(Value::as_i64);
                Ok(Self::Exit(code.and_then(|code| i32::try_from(code).ok())))
            }
            Some("incident") => {
                let stage = [Stage::Start, Stage::Open, Stage::List, Stage::Read]
                    .into_iter()
                    .find(|stage| text("stage") == Some(stage.as_str()))
                    .ok_or("an incident has a `stage`: start, open, list or read")?;
                let cause = text("cause").ok_or("an incident has a `cause`")?.to_owned();
                Ok(Self::Incident(Incident { stage, cause }))
            }
            Some(other) => Err(format!("{} is not an event", safe::quoted(other))),
            None => Err("a frame has `out`, `in`, `in_hex`, `err` or `event`".to_owned()),
        }
    }
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
        let exchange = Exchange {
            made: Map::from_iter([("command".to_owned(), json!(["a", "b"]))]),
            frames: vec![
                frame(What::Spawn),
                frame(What::Out("{}".into())),
                frame(What::In(b"banner".to_vec())),
                frame(What::In(vec![0xff, 0x00])),
                frame(What::Err("log".into())),
                frame(What::Exit(Some(3))),
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
