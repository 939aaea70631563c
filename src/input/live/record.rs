//! The record that a session keeps: frames with their time, within a bound, and without the user's secrets.

use std::time::Instant;

use serde_json::{Map, Value};

use super::limits::Limits;
use super::mask::{Mask, Secret, Within};
use crate::finding::{Incident, Stage};
use crate::surface::exchange::{Exchange, Frame, Part, What};
use crate::text::safe;

/// The frames of one session.
pub(super) struct Record {
    made: Map<String, Value>,
    mask: Mask,
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
        let began = Instant::now();
        Self {
            made,
            mask: Mask::new(secrets),
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
        let most = safe::thousands(self.limits.values as u64);
        if values > self.limits.values {
            let length = safe::thousands(text.len() as u64);
            self.incident(format!(
                "a message of {length} bytes was skipped, because it holds more than {most} JSON values; answer with \
                 shorter pages"
            ));
            return true;
        }
        let Some(left) = self.values_left.checked_sub(values) else {
            // Said once: what follows may be any number of messages.
            self.full = true;
            self.incident(format!(
                "the server sent more than {most} JSON values in all, and the rest was not read; answer with shorter pages"
            ));
            return true;
        };
        self.values_left = left;
        false
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
        let is_same = |frame: &Frame| matches!(&frame.what, What::Incident(known) if known.cause == cause);
        if self.frames.iter().any(is_same) {
            return;
        }
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
        self.mask.masked(text, Within::Ours)
    }

    /// What passed, without what lets one in. A server that sends it back spoils its own figures, which is said once.
    fn clean(&mut self, mut what: What) -> What {
        let mut echoed = false;
        let hide = |text: &mut String| *text = self.mask.masked(text, Within::Wire);
        match &mut what {
            What::In(bytes) | What::Part(Part { bytes, .. }) => {
                if let Some(clean) = self.mask.hidden(bytes, Within::Wire) {
                    *bytes = clean;
                    echoed = true;
                }
            }
            What::Head(head) => head.headers.iter_mut().for_each(|(name, value)| {
                hide(name);
                hide(value);
            }),
            What::Ask(ask) => {
                hide(&mut ask.url);
                // Values that a server made up come back to it: its session, the id of its last event.
                ask.headers.iter_mut().for_each(|(_, value)| hide(value));
                ask.body.iter_mut().for_each(hide);
            }
            What::End(end) => end.cause = end.cause.take().map(|cause| self.masked(&cause)),
            What::Out(text) => hide(text),
            _ => {}
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
