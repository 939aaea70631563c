//! The record that a session keeps: frames with their time, within a bound, and without the user's secrets.

use std::time::Instant;

use serde_json::{Map, Value, json};

use super::{Launch, Options, message};
use crate::finding::{Incident, Stage};
use crate::surface::exchange::{Exchange, Frame, What};
use crate::text::safe;

/// Shorter values of variables are no secrets, and would be found everywhere.
const SECRET_LENGTH: usize = 8;

/// The frames of one session.
pub(super) struct Record<'s> {
    launch: &'s Launch,
    most: usize,
    began: Instant,
    frames: Vec<Frame>,
    full: bool,
    /// What the session is doing.
    pub(super) stage: Stage,
}

impl<'s> Record<'s> {
    /// An empty record of at most `most` frames.
    pub(super) fn new(launch: &'s Launch, most: usize) -> Self {
        Self { launch, most, began: Instant::now(), frames: Vec::new(), full: false, stage: Stage::Start }
    }

    /// The time from which frames are dated.
    pub(super) fn began(&self) -> Instant {
        self.began
    }

    /// Dates frames from now on; for the first start.
    pub(super) fn begin(&mut self) {
        self.began = Instant::now();
    }

    /// Notes what passed on the wire. Beyond the bound that is an incident, once, and nothing more is noted.
    pub(super) fn wire(&mut self, what: What) {
        if self.full {
            return;
        }
        if self.frames.len() < self.most {
            return self.push(what);
        }
        self.full = true;
        let most = safe::thousands(self.most as u64);
        self.incident(format!(
            "the server sent more than {most} lines, and the rest was not read; stop it from looping"
        ));
    }

    /// Whether the bound is passed.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// Notes what happened to the process.
    pub(super) fn event(&mut self, what: What) {
        self.push(what);
    }

    /// Notes what could not be done.
    pub(super) fn incident(&mut self, cause: String) {
        self.push(What::Incident(Incident { stage: self.stage, cause }));
    }

    /// The exchange, with the last lines of stderr behind everything else.
    pub(super) fn finish(mut self, options: &Options, log: Vec<(u64, String)>) -> Exchange {
        for (ms, line) in log {
            let what = What::Err(self.masked(&line));
            self.frames.push(Frame { ms: Some(ms), what });
        }
        Exchange { made: self.made(options), frames: self.frames }
    }

    /// `text` with the values of the launch's variables replaced by their names.
    pub(super) fn masked(&self, text: &str) -> String {
        let secrets = self.launch.env.iter().filter(|(_, value)| value.len() >= SECRET_LENGTH);
        secrets.fold(text.to_owned(), |text, (name, value)| text.replace(value.as_str(), &format!("${{{name}}}")))
    }

    fn made(&self, options: &Options) -> Map<String, Value> {
        let launch = self.launch;
        let command: Vec<String> = launch.command.iter().map(|word| self.masked(word)).collect();
        let env: Vec<&String> = launch.env.keys().collect();
        let mut made = Map::new();
        made.insert("command".to_owned(), json!(command));
        made.insert("env".to_owned(), json!(env));
        made.insert("era".to_owned(), json!(options.era.as_str()));
        made.insert("client".to_owned(), message::client(options.version));
        made.insert("capabilities".to_owned(), message::capabilities());
        made
    }

    fn push(&mut self, what: What) {
        let ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.frames.push(Frame { ms: Some(ms), what });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_variables_stay_out() {
        let launch = Launch {
            command: vec!["server".to_owned(), "--key=s3cret-s3cret".to_owned(), "1".to_owned()],
            env: [("KEY", "s3cret-s3cret"), ("MODE", "1")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            ..Launch::default()
        };
        let record = Record::new(&launch, 9);
        let exchange = record.finish(&Options::default(), vec![(0, "key is s3cret-s3cret".to_owned())]);
        let text = exchange.to_jsonl();
        assert!(!text.contains("s3cret"), "{text}");
        assert!(text.contains(r#""command":["server","--key=${KEY}","1"],"env":["KEY","MODE"]"#), "{text}");
    }

    #[test]
    fn the_bound_is_one_incident() {
        let launch = Launch::default();
        let mut record = Record::new(&launch, 2);
        for _ in 0..5 {
            record.wire(What::In(Vec::new()));
        }
        assert!(record.is_full());
        assert_eq!(record.frames.len(), 3);
    }
}
