//! The state of one session: what is asked, what came, and the link to the server.
//!
//! Apart from opening and listing, which say what to ask next; here is what holds in every stage: a request of the
//! server is answered, a stray answer is left alone, and silence, death and excess end the wait.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Options;
use super::header::Headers;
use super::limits::{self, after};
use super::link::{Link, Next, Outgoing, Over, Stopped};
use super::message::{self, Reply};
use super::record::Record;
use crate::input::progress::{Progress, Tell};
use crate::spec::meta::META_VERSION;
use crate::spec::revision::{Era, Revision};
use crate::surface::assemble::is_message;
use crate::surface::dialogue::LIST_CHANGED;
use crate::surface::exchange::Exchange;
use crate::text::{json, safe};

/// Requests that no server makes.
const OURS: [&str; 3] = ["initialize", "server/discover", "tools/list"];

/// What a wait brought.
#[derive(Debug)]
pub(super) enum Wait {
    /// The answer to the request with this id.
    Answer(u64, Reply),
    /// The reply to the request with this id is over, and held no answer.
    Refused(u64, Over),
    /// No answer in time.
    Silence,
    /// The server is gone, in words that follow "the server".
    Gone(String),
}

/// What came that was no answer, to explain a silence.
#[derive(Default)]
struct Heard {
    /// Texts that are no messages, and the last of them.
    noise: Option<(u64, String)>,
    /// The id of an answer to nothing.
    stray: Option<String>,
    /// An answer that is likely gone.
    lost: Option<Lost>,
    /// Whether the server broke off in the middle of a message.
    broke_off: bool,
}

/// An answer that came, but not in a form that can be read.
struct Lost {
    /// Until when it is still waited for, in case it was something else.
    until: Instant,
    /// Why it cannot be read; none when an incident says so already.
    why: Option<String>,
}

/// One session with one server.
pub(super) struct Session<'s> {
    /// How to talk.
    pub(super) options: &'s Options,
    /// Takes in what is being done.
    pub(super) tell: Tell<'s>,
    /// What passed.
    pub(super) record: Record,
    /// The era, once it is known.
    pub(super) era: Option<Era>,
    /// How to reach the server.
    pub(super) link: Box<dyn Link + 's>,
    /// Whether the server said that its list changed, since one last looked.
    pub(super) changed: bool,
    /// The input schemas of the tools that are to be called, by name, as last listed.
    pub(super) called: BTreeMap<String, Value>,
    /// The names of all tools, when any is to be called.
    pub(super) named: BTreeSet<String>,
    /// How often the server was answered.
    answered: usize,
    next_id: u64,
    queue: VecDeque<Value>,
    heard: Heard,
    /// The last error that came without an id.
    orphan: Option<Value>,
}

impl<'s> Session<'s> {
    /// A session that has not started.
    pub(super) fn new(link: Box<dyn Link + 's>, record: Record, options: &'s Options, tell: Tell<'s>) -> Self {
        Self {
            options,
            tell,
            record,
            era: None,
            link,
            changed: false,
            called: BTreeMap::new(),
            named: BTreeSet::new(),
            answered: 0,
            next_id: 1,
            queue: VecDeque::new(),
            heard: Heard::default(),
            orphan: None,
        }
    }

    /// Starts the server, or starts it again.
    ///
    /// # Errors
    ///
    /// When it could not be started.
    pub(super) fn start(&mut self) -> Result<(), Stopped> {
        self.queue.clear();
        self.heard = Heard::default();
        self.era = None;
        (self.tell)(Progress::Starting);
        self.link.start(&mut self.record)?;
        (self.tell)(Progress::Opening);
        Ok(())
    }

    /// Sends a request and gives back its id. Over HTTP its answer may take `time`.
    pub(super) fn request(&mut self, method: &str, params: &Value, time: Duration) -> u64 {
        self.request_with(method, params, time, Vec::new())
    }

    /// Sends a request that over HTTP has these headers beside the usual ones, or instead of them.
    pub(super) fn request_with(&mut self, method: &str, params: &Value, time: Duration, headers: Headers) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        self.heard.lost = None;
        let revision = params.get("_meta").and_then(|meta| meta.get(META_VERSION)).and_then(Value::as_str);
        let tool = params.get("name").and_then(Value::as_str).filter(|_| method == "tools/call");
        let message = Outgoing {
            id: Some(id),
            method: method.to_owned(),
            text: message::request(id, method, params),
            revision: revision.map(|date| Revision::from_text(date).unwrap_or(Revision::NEWEST)),
            tool: tool.map(str::to_owned),
            headers,
            time,
        };
        self.link.send(message, &mut self.record);
        id
    }

    /// Sends a notification.
    pub(super) fn notify(&mut self, method: &str, params: Option<&Value>) {
        let text = message::notification(method, params);
        self.say(method, text);
    }

    fn say(&mut self, method: &str, text: String) {
        let time = self.options.request;
        self.link.send(Outgoing { method: method.to_owned(), text, time, ..Outgoing::default() }, &mut self.record);
    }

    /// Takes back a request whose answer did not come in time.
    pub(super) fn cancel(&mut self, id: u64) {
        if !self.link.cancel(id) {
            let params = serde_json::json!({ "requestId": id, "reason": "time-out" });
            self.notify("notifications/cancelled", Some(&params));
        }
    }

    /// Waits for the answer to one of these requests, until then.
    ///
    /// # Errors
    ///
    /// When a bound on the wire is passed.
    pub(super) fn wait(&mut self, ids: &[u64], until: Instant) -> Result<Wait, Stopped> {
        loop {
            while !self.record.is_full()
                && let Some(message) = self.queue.pop_front()
            {
                if let Some((id, reply)) = self.message(message, ids) {
                    return Ok(Wait::Answer(id, reply));
                }
            }
            if self.record.is_full() {
                return Err(Stopped);
            }
            let until = self.heard.lost.as_ref().map_or(until, |lost| until.min(lost.until));
            match self.link.next(until, &mut self.record)? {
                Next::Text(text, broke_off) => {
                    self.heard.broke_off |= broke_off;
                    self.text(&text);
                }
                Next::Lost => self.lost(None),
                Next::Over(id, over) if ids.contains(&id) => {
                    if over.can_resume {
                        self.link.resume(id, until, &mut self.record);
                        continue;
                    }
                    if self.heard.lost.is_some() {
                        return Ok(Wait::Silence);
                    }
                    // An error may come without an id: it is for the request whose reply it came in.
                    return Ok(match self.orphan.take() {
                        Some(error) => Wait::Answer(id, Reply::Error(error)),
                        None => Wait::Refused(id, over),
                    });
                }
                Next::Over(..) => {}
                Next::Gone(how) => return Ok(Wait::Gone(how)),
                Next::Silence => return Ok(Wait::Silence),
            }
        }
    }

    /// Gives streams whose request is answered the time to end.
    ///
    /// # Errors
    ///
    /// When a bound on the wire is passed.
    pub(super) fn linger(&mut self) -> Result<(), Stopped> {
        let until = after(limits::LINGER);
        while self.link.is_streaming() && Instant::now() < until {
            if let Wait::Gone(_) = self.wait(&[], until.min(after(limits::LOOK)))? {
                break;
            }
        }
        Ok(())
    }

    /// Notes that the server went before it answered `asked`.
    pub(super) fn died(&mut self, how: &str, asked: &str) {
        let place = if self.heard.broke_off { ", in the middle of a message" } else { "" };
        if let Some(fault) = self.link.runner_fault() {
            let fault = safe::clip(&self.record.masked(&fault), 300);
            self.record.incident(format!("no server was started, since its package could not be run: {fault}"));
            return;
        }
        let words = self.last_words().unwrap_or_else(|| format!("; {}", self.link.way_out()));
        self.record.incident(format!("the server {how} before it answered {asked}{place}{words}"));
    }

    /// Notes that no answer to `asked` came `within` a time, and what may explain it.
    pub(super) fn silent(&mut self, asked: &str, within: &str, way_out: &str) {
        let words = self.last_words().unwrap_or_default();
        let cause = match &self.heard.lost {
            Some(Lost { why: None, .. }) => return,
            Some(Lost { why: Some(why), .. }) => format!("the answer to {asked} cannot be read: {why}{words}"),
            None => format!("the server did not answer {asked} within {within}{}{words}; {way_out}", self.instead()),
        };
        self.record.incident(cause);
    }

    /// What came instead of an answer, to be put behind the sentence that misses it.
    pub(super) fn instead(&self) -> String {
        if let Some(instead) = self.link.instead() {
            return format!("; {instead}");
        }
        let output = if self.link.is_process() { "its stdout" } else { "what it sent" };
        match &self.heard {
            Heard { stray: Some(id), .. } => format!("; an answer came for the id {id}, which was never asked"),
            Heard { noise: Some((1, line)), .. } => format!("; {output} holds a line that is no message: {line}"),
            Heard { noise: Some((lines, last)), .. } => {
                format!("; {output} holds {} lines that are no messages, the last: {last}", safe::thousands(*lines))
            }
            Heard { .. } => String::new(),
        }
    }

    /// Ends the session and gives back the exchange.
    pub(super) fn finish(mut self) -> Exchange {
        self.link.end(&mut self.record);
        let log = self.link.log();
        self.record.finish(log)
    }

    fn text(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        match json::parse(&text) {
            Ok(parsed) if is_message(&parsed.value) => match parsed.value {
                Value::Array(batch) => self.queue.extend(batch),
                message => self.queue.push_back(message),
            },
            Err(broken) if text.trim_start().starts_with('{') && text.contains("\"jsonrpc\"") => {
                self.lost(Some(format!("not JSON at column {}: {}", broken.column, broken.problem)));
            }
            Ok(_) | Err(_) => {
                let lines = self.heard.noise.as_ref().map_or(1, |(lines, _)| lines + 1);
                self.heard.noise = Some((lines, safe::clip(&self.record.masked(&text), 80)));
            }
        }
    }

    /// An answer is likely gone: it is waited for no longer than a probe.
    fn lost(&mut self, why: Option<String>) {
        self.heard.lost = Some(Lost { until: after(self.options.probe_time), why });
    }

    /// Takes in one message; gives back the answer to one of the requests that are waited for.
    fn message(&mut self, message: Value, ids: &[u64]) -> Option<(u64, Reply)> {
        let Value::Object(mut members) = message else { return None };
        self.heard.broke_off = false;
        let id = members.get("id").filter(|id| !id.is_null()).cloned();
        let reply = match (members.remove("error"), members.remove("result")) {
            (Some(error), _) => {
                self.orphan = id.is_none().then(|| error.clone());
                Reply::Error(error)
            }
            (None, Some(result)) => Reply::Result(result),
            (None, None) => {
                let method = members.get("method").and_then(Value::as_str);
                self.changed |= method == Some(LIST_CHANGED);
                if method.is_some_and(|method| OURS.contains(&method)) {
                    self.lost(Some("it sends back what it is sent, as no server does".to_owned()));
                    return None;
                }
                // A modern client writes no answers; before the era is known, only a legacy server would ask.
                if let (Some(id), Some(method), None | Some(Era::Legacy)) = (id, method, self.era) {
                    self.answer(&id, method);
                }
                return None;
            }
        };
        let number = id.as_ref().and_then(Value::as_u64);
        if number.is_none_or(|number| number == 0 || number >= self.next_id) {
            let id = id.map_or_else(|| "null".to_owned(), |id| id.to_string());
            self.heard.stray = Some(safe::quoted(&self.record.masked(&id)));
        }
        number.filter(|number| ids.contains(number)).map(|number| (number, reply))
    }

    /// Answers a request of the server, up to a bound: it could ask without end.
    fn answer(&mut self, id: &Value, method: &str) {
        self.answered += 1;
        match self.answered.cmp(&limits::ANSWERS) {
            Ordering::Less => self.say("", message::answer(id, method)),
            Ordering::Equal => {
                let most = safe::thousands(limits::ANSWERS as u64);
                self.record.incident(format!("the server asked {most} times, and is not answered any more"));
            }
            Ordering::Greater => {}
        }
    }

    /// The line of stderr that says why it failed.
    fn last_words(&self) -> Option<String> {
        let line = self.link.last_words()?;
        Some(format!("; its stderr says: {}", safe::clip(self.record.masked(&line).trim(), 200)))
    }
}
