//! From the wire to a [`Surface`]: who answered what, which pages belong to one list, and what was never answered.
//!
//! The same for a live server and a capture, and for every transport. Which request was only a probe is seen from the
//! request itself, so that a tape means what it shows, whoever made it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;

use super::assemble::{ListPage, is_message};
use super::exchange::{Exchange, MANIFEST_VERSION, Part, What};
use super::wire::{Http, Kind, MOST_BODY, Message, Noise, Session, Side, Walk, Wire};
use super::{Surface, Tool};
use crate::finding::{Incident, Stage};
use crate::spec::revision::Era;
use crate::spec::{code, meta::META_VERSION};
use crate::text::{
    json::{self, Parsed},
    pointer::Pointer,
    safe,
    sse::Event,
};

impl Surface {
    /// Builds a surface from the wire.
    pub fn from_exchange(target: &str, exchange: &Exchange) -> Self {
        let mut reading = Reading::default();
        let command = exchange.made.get("command").and_then(Value::as_array);
        reading.wire.command = command.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
        for frame in &exchange.frames {
            reading.ms = frame.ms;
            match &frame.what {
                What::Out(text) => reading.sent(text, None),
                What::In(bytes) => reading.line(bytes),
                What::Err(line) => reading.wire.stderr.push(line.clone()),
                What::Spawn => reading.begin(Session { is_start: true, ..Session::default() }),
                What::Connect(connect) => {
                    reading.begin(Session { connect: Some(connect.clone()), ..Session::default() });
                }
                What::Close => reading.closed = true,
                What::Exit(code) => reading.ended(*code),
                What::Ask(ask) => reading.asked(ask),
                What::Head(head) => reading.with_http(head.n, |http| http.head = Some(head.clone())),
                What::Part(part) => reading.part(part),
                What::End(end) => reading.with_http(end.n, |http| http.end = Some(end.clone())),
                What::Incident(incident) => reading.incidents.push(incident.clone()),
            }
        }
        let mut surface = reading.finish(target);
        surface.manifest_version = exchange.made.get(MANIFEST_VERSION).and_then(Value::as_str).map(str::to_owned);
        surface
    }
}

/// An answer that opened a session: the result, and its revision in the modern era.
#[derive(Clone)]
struct Opening {
    result: Value,
    revision: Option<String>,
}

/// The answers to `initialize` and `server/discover` of one session. A slow server may give both; the list says which
/// counts.
#[derive(Clone, Default)]
struct Openings {
    legacy: Option<Opening>,
    modern: Option<Opening>,
}

/// A walk through the list that is being read.
struct Walking {
    session: usize,
    request: usize,
    /// Holds the tools and pages of this walk alone.
    list: Surface,
    /// The revision that its requests name; only a modern request names one.
    revision: Option<String>,
}

/// The state of reading an exchange.
#[derive(Default)]
struct Reading {
    wire: Wire,
    incidents: Vec<Incident>,
    /// The time of the frame that is read.
    ms: Option<u64>,
    lines: usize,
    /// Messages of the server that answer nothing.
    unasked: usize,
    /// Positions of our requests that wait for an answer, by id.
    waiting: BTreeMap<String, usize>,
    /// Positions of requests over HTTP, by number.
    https: BTreeMap<u64, usize>,
    openings: Vec<Openings>,
    walks: Vec<Walking>,
    /// The last line, when it may be a message that was cut off.
    cut: Option<Noise>,
    /// Whether we told the process to end.
    closed: bool,
    /// Whether the process ended.
    ended: bool,
    /// Lines that may be messages but are beyond what is read, and why.
    unread: Vec<(usize, String)>,
    /// Requests of the list that were refused, and how; `initialize` too, which matters only when nothing was listed.
    refused: Vec<(Stage, String)>,
}

/// Messages that answer nothing whose bodies are kept.
const MOST_UNASKED: usize = 1_000;

/// Characters kept of a line that is no message.
const MOST_NOISE: usize = 500;

impl Reading {
    fn begin(&mut self, session: Session) {
        self.waiting.clear();
        self.ended = false;
        self.closed = false;
        self.wire.sessions.push(Session { began: self.ms, ..session });
        self.openings.push(Openings::default());
    }

    /// The position of the session that runs; a hand-made tape need not begin one.
    fn session(&mut self) -> usize {
        if self.wire.sessions.is_empty() {
            self.wire.sessions.push(Session::default());
            self.openings.push(Openings::default());
        }
        self.wire.sessions.len() - 1
    }

    fn ended(&mut self, code: Option<i32>) {
        self.ended = true;
        let session = self.session();
        if let Some(session) = self.wire.sessions.get_mut(session).filter(|_| !self.closed) {
            session.exit = Some(code);
        }
    }

    fn asked(&mut self, ask: &super::exchange::Ask) {
        let session = self.session();
        let position = self.wire.https.len();
        self.https.insert(ask.n, position);
        let body = ask.body.clone();
        let ask = super::exchange::Ask { body: None, ..ask.clone() };
        self.wire.https.push(Http { ask, head: None, end: None, messages: 0, text: None, session });
        if let Some(body) = body {
            self.sent(&body, Some(position));
        }
    }

    fn with_http(&mut self, n: u64, change: impl FnOnce(&mut Http)) {
        let http = self.https.get(&n).and_then(|position| self.wire.https.get_mut(*position));
        if let Some(http) = http {
            change(http);
        }
    }

    fn sent(&mut self, text: &str, http: Option<usize>) {
        let Ok(parsed) = json::parse(text) else { return };
        let session = self.session();
        let position = self.wire.messages.len();
        let message = Message { http, session, ms: self.ms, ..Message::read(&parsed.value, Side::Client, true) };
        if message.kind == Kind::Request {
            self.waiting.insert(message.id.to_string(), position);
        }
        self.wire.messages.push(message);
    }

    fn line(&mut self, bytes: &[u8]) {
        self.lines += 1;
        self.wire.noise.extend(self.cut.take());
        let text = self.text(bytes);
        match json::parse(&text) {
            Ok(mut parsed) if is_message(&parsed.value) => self.messages(&mut parsed, bytes.len(), None),
            // It may be a message: what cannot be read is not called noise.
            Err(broken) if broken.bound => {
                self.unread.push((self.lines, broken.problem));
            }
            _ => {
                // The start of a message that nothing follows was cut off when the server ended; that is said elsewhere.
                let may_be_cut = text.starts_with(['{', '[']);
                let noise = Noise { text: text.chars().take(MOST_NOISE).collect(), line: self.lines };
                if may_be_cut {
                    self.cut = Some(noise);
                } else {
                    self.wire.noise.push(noise);
                }
            }
        }
    }

    /// The text of a line or part, noted when it is not UTF-8.
    fn text<'b>(&mut self, bytes: &'b [u8]) -> Cow<'b, str> {
        let text = String::from_utf8_lossy(bytes);
        if matches!(text, Cow::Owned(_)) {
            self.wire.invalid_utf8.push(self.lines);
        }
        text
    }

    fn part(&mut self, part: &Part) {
        self.lines += 1;
        let text = self.text(&part.bytes);
        let Some(position) = self.https.get(&part.n).copied() else { return };
        let Some(http) = self.wire.https.get_mut(position) else { return };
        let is_stream = http.head.as_ref().is_some_and(super::exchange::Head::is_stream);
        let data = if is_stream { Cow::Owned(Event::read(&text).data) } else { text };
        match json::parse(&data) {
            Ok(mut parsed) if is_message(&parsed.value) => {
                http.messages += 1;
                self.messages(&mut parsed, data.len(), Some(position));
            }
            Err(broken) if broken.bound => self.unread.push((self.lines, broken.problem)),
            _ if data.is_empty() => {}
            _ => {
                http.text.get_or_insert_with(|| data.chars().take(2_000).collect());
            }
        }
    }

    fn messages(&mut self, parsed: &mut Parsed, bytes: usize, http: Option<usize>) {
        // Batches exist in 2025-03-26 only; reading them costs nothing and loses no answer.
        let batch = parsed.value.as_array().map_or(1, Vec::len);
        for i in 0..batch {
            let at = if parsed.value.is_array() { Pointer::root().index(i) } else { Pointer::root() };
            self.message(parsed, &at, bytes, http);
        }
    }

    fn message(&mut self, parsed: &mut Parsed, at: &Pointer, bytes: usize, http: Option<usize>) {
        let session = self.session();
        let Some(value) = at.find(&parsed.value) else { return };
        let id = value.get("id").cloned().unwrap_or_default();
        // Ids belong to each side: a request of the server may carry the id of one of ours.
        let is_answer = value.get("method").is_none();
        let to = is_answer.then(|| self.request_of(&id, http)).flatten();
        let request = to.and_then(|to| self.wire.messages.get(to)).cloned();
        let method = request.as_ref().and_then(|request| request.method.clone());
        let is_error = value.get("error").is_some();
        let result = value.get("result").filter(|_| !is_error);
        match (method.as_deref(), request, result) {
            (Some("tools/list"), Some(request), Some(_)) => {
                self.listed(parsed, at, bytes, &request, to.unwrap_or_default());
            }
            (Some("initialize"), Some(_), Some(result)) => self.opened(&result.clone(), None),
            (Some("server/discover"), Some(request), Some(result)) if result.get("supportedVersions").is_some() => {
                let revision = request.meta(META_VERSION).and_then(Value::as_str).map(str::to_owned);
                self.opened(&result.clone(), revision);
            }
            (Some(_), Some(request), None) if is_error => {
                let error = value.get("error").cloned().unwrap_or_default();
                self.refuse(&request, &error);
            }
            _ => {}
        }
        let Some(value) = at.find(&parsed.value) else { return };
        let looked_at =
            matches!(method.as_deref(), Some("tools/call" | "initialize" | "server/discover" | "tools/list"));
        self.unasked += usize::from(to.is_none());
        let keep = looked_at || bytes <= MOST_BODY && self.unasked <= MOST_UNASKED;
        let mut message = Message::read(value, Side::Server, keep);
        message.method = message.method.or(method);
        let position = self.wire.messages.len();
        if let Some(request) = to.and_then(|to| self.wire.messages.get_mut(to)) {
            request.answer.get_or_insert(position);
        }
        self.wire.messages.push(Message { to, http, session, ms: self.ms, ..message });
    }

    /// The request of ours that an answer of this id is for. An error without an id, over HTTP, is for the request
    /// whose answer it came in.
    fn request_of(&mut self, id: &Value, http: Option<usize>) -> Option<usize> {
        if let Some(found) = self.waiting.remove(&id.to_string()) {
            return Some(found);
        }
        let http = http.filter(|_| id.is_null())?;
        let found = self.wire.messages.iter().position(|message| {
            message.http == Some(http) && message.side == Side::Client && message.kind == Kind::Request
        })?;
        self.waiting.retain(|_, position| *position != found);
        Some(found)
    }

    fn opened(&mut self, result: &Value, revision: Option<String>) {
        let session = self.session();
        let is_legacy = revision.is_none() && result.get("supportedVersions").is_none();
        let opening = Some(Opening { result: result.clone(), revision });
        if let Some(openings) = self.openings.get_mut(session) {
            let place = if is_legacy { &mut openings.legacy } else { &mut openings.modern };
            // A probe may ask again; the first answer opened the session.
            if place.is_none() {
                *place = opening;
            }
        }
        let ms = self.ms;
        if let Some(session) = self.wire.sessions.get_mut(session) {
            let since = |ms: u64| ms.saturating_sub(session.began.unwrap_or(0));
            session.opened = session.opened.or(ms.map(since));
        }
    }

    /// Whether a request of the list begins a walk, goes on with one, or does neither, as a probe does.
    fn walk_of(&self, request: &Message) -> Step {
        let cursor = request.member("cursor").and_then(Value::as_str);
        let last = self.walks.last().filter(|walk| walk.session == request.session);
        match (cursor, last) {
            (None, _) => Step::Begins,
            (Some(cursor), Some(walk)) if walk.next_cursor() == Some(cursor) => Step::GoesOn,
            (Some(_), None) if self.walks.is_empty() => Step::Begins,
            (Some(_), _) => Step::Neither,
        }
    }

    fn listed(&mut self, parsed: &mut Parsed, at: &Pointer, bytes: usize, request: &Message, position: usize) {
        let revision = request.meta(META_VERSION).and_then(Value::as_str).map(str::to_owned);
        match self.walk_of(request) {
            Step::Begins => {
                // A walk that its session did not survive, and that another one began anew.
                if self.walks.last().is_some_and(|walk| !walk.is_whole() && walk.session != request.session) {
                    self.walks.pop();
                    self.refused.retain(|(stage, _)| *stage != Stage::List);
                }
                let list = Surface::named("");
                self.walks.push(Walking { session: request.session, request: position, list, revision });
            }
            Step::GoesOn => {}
            Step::Neither => return,
        }
        let page = ListPage::of_result(parsed, &at.key("result"));
        let cursor = request.member("cursor").and_then(Value::as_str).map(str::to_owned);
        let page = ListPage { cursor, message_bytes: Some(bytes), ..page };
        if let Some(walk) = self.walks.last_mut() {
            walk.list.read_page(parsed, &page);
        }
    }

    fn refuse(&mut self, request: &Message, error: &Value) {
        let code = error.get("code").map_or_else(|| "no code".to_owned(), Value::to_string);
        let words = error.get("message").and_then(Value::as_str).unwrap_or("no message");
        let words = safe::clip(words, 200).replace('`', "'");
        let http = request.http.and_then(|http| self.wire.https.get(http));
        let status = http.and_then(Http::status);
        let is_modern = error.get("code").and_then(Value::as_i64).is_some_and(code::is_modern);
        let how = match http.and_then(Http::denial) {
            Some(denial) => format!("error {code} ({words}) and {denial}"),
            // Who is asked in both eras by itself does not end with this.
            None if is_modern => format!("error {code}, as one of the modern era does (`--era modern`): {words}"),
            None => format!("error {code}: {words}"),
        };
        self.refuse_with(request, &how, status.filter(|status| matches!(status, 401 | 403)));
    }

    fn refuse_with(&mut self, request: &Message, how: &str, status: Option<u16>) {
        let stage = match request.method.as_deref() {
            Some("tools/list") if self.walk_of(request) != Step::Neither => Stage::List,
            Some("initialize") => Stage::Open,
            // Another refusal is how a legacy server says that it has no such method.
            Some("server/discover") if matches!(status, Some(401 | 403)) => Stage::Open,
            _ => return,
        };
        let method = request.method.as_deref().unwrap_or_default();
        let cursor = request.member("cursor").and_then(Value::as_str);
        let place = cursor.map_or_else(String::new, |cursor| format!(" (cursor {})", safe::quoted(cursor)));
        self.refused.push((stage, format!("`{method}`{place} was answered with {how}")));
    }

    /// Requests over HTTP that got an answer without a message.
    fn refuse_by_status(&mut self) {
        let unanswered = |message: &&Message| {
            message.side == Side::Client && message.kind == Kind::Request && message.answer.is_none()
        };
        let requests: Vec<Message> = self.wire.messages.iter().filter(unanswered).cloned().collect();
        let from = self.refused.len();
        for request in requests {
            let http = request.http.and_then(|http| self.wire.https.get(http));
            // A session that the server forgot, and that was begun anew, stopped nothing.
            let listed = self.walks.first().map(|walk| walk.session);
            let http = http.filter(|http| !(http.is_forgotten() && listed > Some(http.session)));
            if let Some(how) = http.and_then(Http::refusal) {
                let status = http.and_then(Http::status);
                self.refuse_with(&request, &how, status);
            }
        }
        // A live session that noted what failed in this stage knew more than a status.
        let by_status = self.refused.split_off(from);
        let told = |stage: Stage| self.incidents.iter().any(|incident| incident.stage == stage);
        self.refused.extend(by_status.into_iter().filter(|(stage, _)| !told(*stage)));
    }

    fn finish(mut self, target: &str) -> Surface {
        self.refuse_by_status();
        self.wire.noise.extend(self.cut.take().filter(|_| !self.ended));
        let mut walks = std::mem::take(&mut self.walks).into_iter();
        let first = walks.next();
        let listed = first.is_some();
        let session = first.as_ref().map(|walk| walk.session);
        let request = first.as_ref().map(|walk| walk.request);
        let by = first.as_ref().and_then(|walk| walk.revision.clone());
        let mut surface = first.map_or_else(|| Surface::named(""), |walk| walk.list);
        target.clone_into(&mut surface.target);
        surface.request = request;
        self.open(&mut surface, session, listed, by);
        surface.later = walks.map(Walking::done).collect();
        let read = std::mem::replace(&mut surface.incidents, std::mem::take(&mut self.incidents));
        surface.incidents.extend(read);
        // Of what refused to open a session, the last says it best.
        let last = self.refused.iter().rposition(|(stage, _)| *stage == Stage::Open);
        let mut n = 0..;
        self.refused.retain(|(stage, _)| {
            let n = n.next();
            *stage != Stage::Open || n == last
        });
        // A modern server may refuse `initialize`; once it has listed, that stopped nothing.
        let stopped = self.refused.into_iter().filter(|(stage, _)| *stage == Stage::List || !listed);
        for (stage, cause) in stopped {
            if !surface.incidents.iter().any(|incident| incident.cause == cause) {
                surface.incident(stage, cause);
            }
        }
        for (line, problem) in self.unread {
            // A live session has said so already, and what it was waiting for.
            if !surface.incidents.iter().any(|incident| incident.cause.contains(&problem)) {
                surface.incident(Stage::Read, format!("line {line} of the server was not read: {problem}"));
            }
        }
        if !listed && surface.incidents.is_empty() {
            surface.incident(Stage::List, "the exchange holds no answer to `tools/list`".to_owned());
        }
        surface.wire = Some(self.wire);
        surface
    }

    /// Takes in what opened the session that the list came from; without a list, the last that opened.
    fn open(&self, surface: &mut Surface, session: Option<usize>, listed: bool, by: Option<String>) {
        let openings = match session {
            Some(session) => self.openings.get(session),
            None => self.openings.iter().rfind(|one| one.legacy.is_some() || one.modern.is_some()),
        };
        let openings = openings.cloned().unwrap_or_default();
        let is_modern = if listed { by.is_some() } else { openings.modern.is_some() };
        match (is_modern, openings.modern, openings.legacy) {
            (true, Some(opening), _) => {
                surface.read_discover(&opening.result);
                surface.negotiated = opening.revision;
            }
            (false, _, Some(opening)) => surface.read_initialize(&opening.result),
            _ => {}
        }
        if let Some(revision) = by {
            surface.era = Some(Era::Modern);
            surface.negotiated = Some(revision);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Begins,
    GoesOn,
    Neither,
}

impl Walking {
    fn next_cursor(&self) -> Option<&str> {
        self.list.pages.last().and_then(super::wire::Page::next_cursor)
    }

    fn is_whole(&self) -> bool {
        self.next_cursor().is_none()
    }

    fn done(self) -> Walk {
        let whole = self.is_whole();
        let tools: Vec<Tool> = self.list.tools;
        Walk { session: self.session, request: self.request, tools, whole }
    }
}
