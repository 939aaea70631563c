//! The record that a session keeps: frames with their time, within a bound, and without the user's secrets.

use std::time::Instant;

use serde_json::{Map, Value};

use super::header::base64;
use super::limits::Limits;
use crate::finding::{Incident, Stage};
use crate::input::secret;
use crate::surface::exchange::{Exchange, Frame, What};
use crate::text::safe;

/// Shorter values are no secrets, and would be found everywhere.
const SECRET_LENGTH: usize = 8;

/// Parts of the names of variables whose values are secrets wherever they turn up.
const SECRET_NAMES: [&str; 8] = ["key", "token", "secret", "pass", "credential", "auth", "cookie", "session"];

/// A value of the user that may stand in nothing that we write.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Secret {
    /// What stands in its place.
    name: String,
    value: String,
    /// Whether it is one by its name, so that it is masked in what the server says too. Other values of variables
    /// are ordinary words, and masking them there would change what is measured.
    everywhere: bool,
}

impl Secret {
    /// The value of a variable of the server.
    pub(super) fn variable(name: &str, value: &str) -> Self {
        let lower = name.to_lowercase();
        let everywhere = SECRET_NAMES.iter().any(|part| lower.contains(part));
        Self { name: format!("${{{name}}}"), value: value.to_owned(), everywhere }
    }

    /// What was given to let us in: a header's value, a part of an address.
    pub(super) fn credential(value: &str) -> Self {
        Self { name: "***".to_owned(), value: value.to_owned(), everywhere: true }
    }

    /// What looks like a credential among the words of a command. A weak one could be a word of the server as well.
    pub(super) fn word(value: &str) -> Self {
        Self { everywhere: secret::is_credential(value), ..Self::credential(value) }
    }
}

impl Secret {
    /// The ways in which a server may write it without meaning to hide it: as it is, in a JSON string, with `/`
    /// escaped too as PHP does, and in Base64 as HTTP sends user and password.
    fn spellings(&self) -> Vec<Self> {
        let json = Value::from(self.value.as_str()).to_string();
        let json = json.trim_matches('"').to_owned();
        let slashes = json.replace('/', "\\/");
        let mut all = vec![self.value.clone(), json, slashes, base64(self.value.as_bytes())];
        all.dedup();
        all.into_iter().map(|value| Self { value, ..self.clone() }).collect()
    }
}

/// The frames of one session.
pub(super) struct Record {
    made: Map<String, Value>,
    secrets: Vec<Secret>,
    limits: Limits,
    /// JSON values that may still come.
    values_left: usize,
    began: Instant,
    frames: Vec<Frame>,
    full: bool,
    echoed: bool,
    /// What the session is doing.
    pub(super) stage: Stage,
}

impl Record {
    /// An empty record within these bounds. `made` says how it is made.
    pub(super) fn new(made: Map<String, Value>, secrets: Vec<Secret>, limits: &Limits) -> Self {
        let told = secrets.into_iter().filter(|secret| secret.value.len() >= SECRET_LENGTH);
        let mut secrets: Vec<Secret> = told.flat_map(|secret| secret.spellings()).collect();
        // A longer one first: it may hold a shorter one.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.value.len()));
        let began = Instant::now();
        Self {
            made,
            secrets,
            limits: limits.clone(),
            values_left: limits.values,
            began,
            frames: Vec::new(),
            full: false,
            echoed: false,
            stage: Stage::Start,
        }
    }

    /// The time from which frames are dated.
    pub(super) fn began(&self) -> Instant {
        self.began
    }

    /// Dates frames from now on; for the first start.
    pub(super) fn begin(&mut self) {
        if self.frames.is_empty() {
            self.began = Instant::now();
        }
    }

    /// Notes what passed on the wire. Beyond the bound that is an incident, once, and nothing more is noted.
    pub(super) fn wire(&mut self, what: What) {
        if self.full {
            return;
        }
        if self.frames.len() < self.limits.frames {
            let what = self.clean(what);
            return self.push(what);
        }
        self.full = true;
        let most = safe::thousands(self.limits.frames as u64);
        self.incident(format!(
            "the server sent more than {most} messages, and the rest was not read; stop it from looping"
        ));
    }

    /// Whether a text is more than is read; then that is an incident. A JSON value costs up to a hundred times the
    /// memory of its text, so they are counted before any is read, by what stands before each.
    pub(super) fn is_excess(&mut self, text: &[u8]) -> bool {
        let values = text.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
        let is_excess = values > self.values_left;
        if is_excess {
            let most = safe::thousands(self.limits.values as u64);
            let length = safe::thousands(text.len() as u64);
            let what = if values > self.limits.values {
                format!("it holds more than {most} JSON values")
            } else {
                format!("what came before holds {most} JSON values with it")
            };
            self.incident(format!(
                "a message of {length} bytes was skipped, because {what}; answer with shorter pages"
            ));
        } else {
            self.values_left -= values;
        }
        is_excess
    }

    /// Notes that a text was longer than is read.
    pub(super) fn overlong(&mut self, bytes: u64) {
        let most = safe::thousands(self.limits.line as u64);
        let bytes = safe::thousands(bytes);
        self.incident(format!(
            "a message of {bytes} bytes was skipped, because more than {most} are not read; answer with shorter pages"
        ));
    }

    /// Whether anything could not be done.
    pub(super) fn has_incident(&self) -> bool {
        self.frames.iter().any(|frame| matches!(frame.what, What::Incident(_)))
    }

    /// Whether the bound is passed.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// Notes what happened to the process or the connection.
    pub(super) fn event(&mut self, what: What) {
        self.push(what);
    }

    /// Notes what could not be done.
    pub(super) fn incident(&mut self, cause: impl AsRef<str>) {
        let cause = self.masked(cause.as_ref());
        self.push(What::Incident(Incident { stage: self.stage, cause }));
    }

    /// The exchange, with the last lines of stderr behind everything else.
    pub(super) fn finish(mut self, log: Vec<(u64, String)>) -> Exchange {
        for (ms, line) in log {
            let what = What::Err(self.masked(&line));
            self.frames.push(Frame { ms: Some(ms), what });
        }
        Exchange { made: self.made, frames: self.frames }
    }

    /// `text` without the user's secrets.
    pub(super) fn masked(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(&secret.value, &secret.name))
    }

    /// What passed, without what lets one in. A server that sends it back spoils its own figures, which is said once.
    fn clean(&mut self, mut what: What) -> What {
        let mut echoed = false;
        {
            let secrets = self.secrets.iter().filter(|secret| secret.everywhere);
            for secret in secrets {
                match &mut what {
                    What::In(bytes) => echoed |= replace(bytes, secret),
                    What::Part(part) => echoed |= replace(&mut part.bytes, secret),
                    What::Head(head) => {
                        for (_, value) in &mut head.headers {
                            *value = value.replace(&secret.value, &secret.name);
                        }
                    }
                    What::Ask(ask) => {
                        ask.url = ask.url.replace(&secret.value, &secret.name);
                        // Values that a server made up come back to it: its session, the id of its last event.
                        for (_, value) in &mut ask.headers {
                            *value = value.replace(&secret.value, &secret.name);
                        }
                        ask.body = ask.body.take().map(|body| body.replace(&secret.value, &secret.name));
                    }
                    What::End(end) => {
                        end.cause = end.cause.take().map(|cause| cause.replace(&secret.value, &secret.name));
                    }
                    What::Out(text) => *text = text.replace(&secret.value, &secret.name),
                    _ => {}
                }
            }
        }
        if echoed && !self.echoed {
            self.echoed = true;
            // It stopped nothing of what the session is doing.
            let stage = std::mem::replace(&mut self.stage, Stage::Read);
            self.incident(
                "the server sends a credential of yours back; it is masked here, so sizes are not those that it sent",
            );
            self.stage = stage;
        }
        what
    }

    /// Milliseconds since the first start.
    pub(super) fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Notes that the process was started, at a time that [`Record::now`] told before.
    pub(super) fn spawned(&mut self, ms: u64) {
        self.frames.push(Frame { ms: Some(ms), what: What::Spawn });
    }

    fn push(&mut self, what: What) {
        let ms = self.now();
        self.frames.push(Frame { ms: Some(ms), what });
    }
}

/// Puts the name of a secret in place of its value; says whether it was there.
fn replace(bytes: &mut Vec<u8>, secret: &Secret) -> bool {
    let value = secret.value.as_bytes();
    let Some(first) = value.first() else { return false };
    let mut clean = Vec::new();
    let mut rest = bytes.as_slice();
    while let Some(at) = find(rest, *first, value) {
        clean.extend_from_slice(rest.get(..at).unwrap_or_default());
        clean.extend_from_slice(secret.name.as_bytes());
        rest = rest.get(at + value.len()..).unwrap_or_default();
    }
    if rest.len() == bytes.len() {
        return false;
    }
    clean.extend_from_slice(rest);
    *bytes = clean;
    true
}

/// Where `value`, which begins with `first`, stands in `bytes`.
fn find(bytes: &[u8], first: u8, value: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = bytes.get(from..)?.iter().position(|byte| *byte == first) {
        let at = from + at;
        if bytes.get(at..at + value.len()) == Some(value) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_variables_stay_out() {
        let secrets = vec![Secret::variable("KEY", "s3cret-s3cret"), Secret::variable("MODE", "production")];
        let mut record = Record::new(Map::new(), secrets, &Limits::default());
        assert_eq!(record.masked("--key=s3cret-s3cret in production"), "--key=${KEY} in ${MODE}");
        record.wire(What::In(b"key s3cret-s3cret, s3cret-s3cret in production".to_vec()));
        let exchange = record.finish(vec![(0, "key is s3cret-s3cret".to_owned())]);
        let text = exchange.to_jsonl();
        assert!(!text.contains("s3cret"), "{text}");
        assert!(text.contains("key ${KEY}, ${KEY} in production"), "{text}");
        assert!(text.contains("sends a credential of yours back"), "{text}");
    }

    #[test]
    fn the_bound_is_one_incident() {
        let mut record = Record::new(Map::new(), Vec::new(), &Limits { frames: 2, ..Limits::default() });
        for _ in 0..5 {
            record.wire(What::In(Vec::new()));
        }
        assert!(record.is_full());
        assert_eq!(record.frames.len(), 3);
    }
}
