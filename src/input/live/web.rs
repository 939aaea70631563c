//! The link to a server over HTTP, in all three shapes that the protocol has had.
//!
//! Streamable HTTP, legacy: sessions, answers as JSON or as a stream, a stream that one can come back to. Streamable
//! HTTP, modern: every request says its revision and method in headers. HTTP+SSE of 2024-11-05: one stream brings the
//! answers to what is posted elsewhere. Which of them a message needs is seen from the message and from what the server
//! said so far.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use super::Options;
use super::flying::{Flying, Purpose};
use super::header::{encoded, is_visible};
use super::http::{Cause, CauseKind, Client, Method, Net, Request};
use super::limits::{self, after};
use super::link::{Link, Next, Outgoing, Over, Stopped};
use super::record::Record;
use crate::finding::Stage;
use crate::input::remote::{self, Header, Remote, Shape};
use crate::surface::challenge::metadata_of;
use crate::surface::exchange::{Ask, Connect, End, HIDDEN, Head, Part, What};
use crate::text::address::{Origin, resolve};
use crate::text::safe;
use crate::text::sse::Event;

/// How long one waits before one comes back to a stream, when the server does not say it.
const COME_BACK: Duration = Duration::from_secs(1);

/// How often one comes back for one answer.
const COME_BACKS: usize = 5;

/// The name of the header that holds the session.
const SESSION: &str = "Mcp-Session-Id";

/// Headers of an answer whose values could let somebody in, beside the id of a session.
const MASKED: [&str; 2] = ["set-cookie", "authentication-info"];

/// A server over HTTP.
pub(super) struct Web<'s> {
    remote: &'s Remote,
    options: &'s Options,
    client: Client,
    /// Whether HTTP+SSE is spoken.
    is_sse: bool,
    /// Where messages are posted over HTTP+SSE, once the stream has said it.
    endpoint: Option<String>,
    /// Messages that wait for that.
    waiting: Vec<Outgoing>,
    /// Answers to the server that wait for earlier ones to be taken.
    answers: VecDeque<Outgoing>,
    session: Option<String>,
    /// The revision that `initialize` settled, where it is one whose requests name it.
    revision: Option<String>,
    next_n: u64,
    flying: BTreeMap<u64, Flying>,
    statuses: BTreeMap<u64, u16>,
    /// The status of the last answer to what is public.
    public: Option<u16>,
    /// The status under which the stream of HTTP+SSE was refused.
    refused: Option<u16>,
    /// What is to be resumed, by id.
    missed: BTreeMap<u64, (String, Duration, usize)>,
    /// What came while a notification was on its way.
    backlog: VecDeque<Net>,
}

impl<'s> Web<'s> {
    /// A link that has not begun.
    pub(super) fn new(remote: &'s Remote, options: &'s Options) -> Self {
        Self {
            remote,
            options,
            client: Client::new(&options.limits),
            is_sse: remote.shape == Shape::Sse,
            endpoint: None,
            waiting: Vec::new(),
            answers: VecDeque::new(),
            session: None,
            revision: None,
            next_n: 1,
            flying: BTreeMap::new(),
            statuses: BTreeMap::new(),
            public: None,
            refused: None,
            missed: BTreeMap::new(),
            backlog: VecDeque::new(),
        }
    }

    fn post(&mut self, message: Outgoing, record: &mut Record) -> u64 {
        let mut headers = vec![
            pair("Content-Type", "application/json"),
            pair("Accept", if self.is_sse { "application/json" } else { "application/json, text/event-stream" }),
        ];
        if let Some(revision) = message.revision {
            headers.push(pair("MCP-Protocol-Version", revision.as_str()));
            headers.push(pair("Mcp-Method", &message.method));
            headers.extend(message.tool.as_deref().map(|tool| ("Mcp-Name".to_owned(), encoded(tool))));
        } else {
            headers.extend(self.of_session());
        }
        for (name, value) in &message.headers {
            headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
            headers.extend(value.as_ref().map(|value| pair(name, value)));
        }
        let url = self.endpoint.clone().unwrap_or_else(|| self.remote.url.clone());
        let is_opening = message.method == "initialize";
        let purpose = if message.is_answer() { Purpose::Answer } else { Purpose::Message };
        let flying = Flying { is_opening, ..Flying::new(message.id, purpose) };
        // The session waits for as long as it says, and says it better.
        let time = message.time.saturating_add(limits::GRACE);
        self.fly(Method::Post, url, headers, Some(message.text), time, flying, record)
    }

    /// Posts answers that wait. Few at once, so that a server which takes none leaves room for what we ask.
    fn answer(&mut self, record: &mut Record) {
        while self.flying.values().filter(|flying| flying.kind == Purpose::Answer).count() < limits::ANSWERING
            && let Some(message) = self.answers.pop_front()
        {
            self.post(message, record);
        }
    }

    /// The headers of a session that `initialize` opened.
    fn of_session(&self) -> Vec<(String, String)> {
        let session = self.session.iter().map(|session| pair(SESSION, session));
        session.chain(self.revision.iter().map(|revision| pair("MCP-Protocol-Version", revision))).collect()
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one request, each said once at each call")]
    fn fly(
        &mut self,
        method: Method,
        url: String,
        mut headers: Vec<(String, String)>,
        body: Option<String>,
        time: Duration,
        flying: Flying,
        record: &mut Record,
    ) -> u64 {
        let n = self.next_n;
        self.next_n += 1;
        let is_public = flying.kind == Purpose::Public;
        let own: &[Header] = if is_public { &[] } else { &self.remote.headers };
        for header in own {
            headers.retain(|(known, _)| !known.eq_ignore_ascii_case(&header.name));
        }
        let hide = |(name, value): &(String, String)| {
            let is_session = name == SESSION && !value.is_empty();
            (name.clone(), if is_session { HIDDEN.to_owned() } else { value.clone() })
        };
        let mut shown: Vec<(String, String)> = headers.iter().map(hide).collect();
        for header in own {
            headers.push((header.name.clone(), header.value.clone()));
            shown.push((header.name.clone(), HIDDEN.to_owned()));
        }
        let ask =
            Ask { n, method: method.as_str().to_owned(), url: remote::shown(&url), headers: shown, body: body.clone() };
        record.wire(What::Ask(ask));
        self.client.send(Request { n, method, url, headers, body }, time);
        self.flying.insert(n, flying);
        n
    }

    /// Opens a stream with a GET.
    fn stream(&mut self, purpose: Purpose, time: Duration, record: &mut Record) -> u64 {
        let mut headers = vec![pair("Accept", "text/event-stream")];
        headers.extend(self.of_session());
        self.fly(Method::Get, self.remote.url.clone(), headers, None, time, Flying::new(None, purpose), record)
    }

    /// Records what came and says what it means.
    fn took(&mut self, net: Net, record: &mut Record) -> Result<Option<Next>, Stopped> {
        match net {
            Net::Head { n, status, headers } => {
                self.head(n, status, headers, record);
                Ok(None)
            }
            Net::Part { n, bytes } => self.part(n, bytes, record),
            Net::Overlong { bytes, .. } => {
                record.overlong(bytes);
                Ok(Some(Next::Lost))
            }
            Net::End { n, cause } => self.over(n, cause.as_ref(), record),
        }
    }

    fn head(&mut self, n: u64, status: u16, headers: Vec<(String, String)>, record: &mut Record) {
        let head = Head { n, status, headers };
        let given = head.header("mcp-session-id").map(str::to_owned);
        let Some(flying) = self.flying.get_mut(&n) else { return };
        flying.status = Some(status);
        flying.is_stream = head.is_stream();
        if let Some(id) = flying.id {
            self.statuses.insert(id, status);
        }
        self.public = Some(status).filter(|_| flying.kind == Purpose::Public);
        if flying.is_opening && (200..300).contains(&status) {
            self.session = given.filter(|session| is_visible(session));
        }
        let headers = head.headers.into_iter().map(|(name, value)| {
            // The rules look at an id that may not be one.
            let tells = MASKED.contains(&name.as_str()) || name == "mcp-session-id" && is_visible(&value);
            (name, if tells { HIDDEN.to_owned() } else { value })
        });
        record.wire(What::Head(Head { n, status, headers: headers.collect() }));
    }

    fn part(&mut self, n: u64, bytes: Vec<u8>, record: &mut Record) -> Result<Option<Next>, Stopped> {
        if record.is_excess(&bytes) {
            return Ok(Some(Next::Lost));
        }
        record.wire(What::Part(Part { n, bytes: bytes.clone() }));
        let Some(flying) = self.flying.get_mut(&n) else { return Ok(None) };
        if !flying.is_stream {
            // What HTTP+SSE answers to a post is no message; a refusal may hold one in any shape.
            let is_reply = !self.is_sse || flying.status.is_some_and(|status| status >= 400);
            return Ok(is_reply.then_some(Next::Text(bytes, false)));
        }
        let event = Event::read(&String::from_utf8_lossy(&bytes));
        flying.last_event = event.id.or_else(|| flying.last_event.take());
        flying.retry = event.retry.map(Duration::from_millis).or(flying.retry);
        let is_stream = flying.kind == Purpose::Stream;
        if event.event.as_deref() == Some("endpoint") && is_stream {
            self.posts_to(&event.data, record)?;
            return Ok(None);
        }
        // An event without data primes the stream, or keeps it alive.
        let is_message = matches!(event.event.as_deref(), None | Some("message")) && !event.data.is_empty();
        Ok(is_message.then(|| Next::Text(event.data.into_bytes(), false)))
    }

    /// Takes note of where messages are posted, and posts those that waited.
    fn posts_to(&mut self, reference: &str, record: &mut Record) -> Result<(), Stopped> {
        let home = Origin::of(&self.remote.url);
        let at_home = |url: &String| Origin::of(url).is_some_and(|origin| Some(origin) == home);
        if let Some(url) = resolve(&self.remote.url, reference.trim()).filter(at_home) {
            self.endpoint = Some(url);
            for message in std::mem::take(&mut self.waiting) {
                self.send(message, record);
            }
            return Ok(());
        }
        let to = safe::quoted(&record.masked(&remote::shown(reference)));
        record.incident(format!(
            "the stream names the endpoint {to}, which is not of the same origin; nothing is posted there, since it \
             would carry your credentials"
        ));
        Err(Stopped)
    }

    fn over(&mut self, n: u64, cause: Option<&Cause>, record: &mut Record) -> Result<Option<Next>, Stopped> {
        let text = cause.map(|cause| self.remote.told_in(&cause.text));
        record.wire(What::End(End { n, cause: text.clone() }));
        let Some(flying) = self.flying.remove(&n) else { return Ok(None) };
        if cause.is_some_and(|cause| cause.kind == CauseKind::Excess) {
            record.incident(text.unwrap_or_default());
            return Err(Stopped);
        }
        match flying.kind {
            Purpose::Listening | Purpose::Public => Ok(None),
            Purpose::Answer => {
                self.answer(record);
                Ok(None)
            }
            Purpose::Stream => {
                let how = match (flying.status, text) {
                    (_, Some(cause)) => format!("could not be listened to ({cause})"),
                    (Some(status), None) if !flying.is_stream => {
                        self.refused = Some(status);
                        format!("answered HTTP {status} to the GET that should open its stream,")
                    }
                    (_, None) => "closed its stream".to_owned(),
                };
                Ok(Some(Next::Gone(how)))
            }
            Purpose::Message => {
                let Some(id) = flying.id else { return Ok(None) };
                let is_good = flying.status.is_some_and(|status| (200..300).contains(&status));
                // Over HTTP+SSE the answer comes elsewhere.
                if self.is_sse && is_good && cause.is_none() {
                    return Ok(None);
                }
                let come_backs = self.missed.get(&id).map_or(0, |(_, _, times)| *times);
                let can_resume = match flying.last_event {
                    Some(event) if is_good && flying.is_stream && come_backs < COME_BACKS => {
                        let pause = flying.retry.unwrap_or(COME_BACK);
                        self.missed.insert(id, (event, pause, come_backs + 1));
                        true
                    }
                    _ => false,
                };
                Ok(Some(Next::Over(id, Over { status: flying.status, cause: text, can_resume })))
            }
        }
    }

    /// Takes in what comes until this request is over, for what one has to wait out.
    fn settle(&mut self, n: u64, time: Duration, record: &mut Record) {
        let until = after(time);
        while self.flying.contains_key(&n) && self.backlog.len() < limits::BACKLOG {
            let Some(net) = self.client.next(until) else {
                self.client.abandon(n);
                self.flying.remove(&n);
                return;
            };
            if net.n() == n {
                // It has no id that anybody waits for, and what stops a session stops it at the next wait too.
                let (Ok(_) | Err(Stopped)) = self.took(net, record);
            } else {
                self.backlog.push_back(net);
            }
        }
    }
}

impl Link for Web<'_> {
    fn start(&mut self, record: &mut Record) -> Result<(), Stopped> {
        self.end(record);
        record.begin();
        record.stage = Stage::Open;
        self.endpoint = None;
        self.revision = None;
        self.missed.clear();
        record.event(What::Connect(Connect { sse: self.is_sse, ..Connect::default() }));
        if self.is_sse {
            let options = self.options;
            let open = options.start.unwrap_or(options.request);
            let time = open + options.limits.listing + options.watch.unwrap_or_default() + options.request;
            self.stream(Purpose::Stream, time, record);
        }
        Ok(())
    }

    fn send(&mut self, message: Outgoing, record: &mut Record) {
        if self.is_sse && self.endpoint.is_none() {
            self.waiting.push(message);
            return;
        }
        if message.is_answer() {
            self.answers.push_back(message);
            return self.answer(record);
        }
        let time = message.time;
        // Each post has a connection of its own: what must come before the next one is waited for.
        let must_settle = message.id.is_none();
        let n = self.post(message, record);
        if must_settle {
            self.settle(n, time, record);
        }
    }

    fn next(&mut self, until: Instant, record: &mut Record) -> Result<Next, Stopped> {
        loop {
            let net = match self.backlog.pop_front() {
                Some(net) => net,
                None => match self.client.next(until) {
                    Some(net) => net,
                    None => return Ok(Next::Silence),
                },
            };
            if let Some(next) = self.took(net, record)? {
                return Ok(next);
            }
        }
    }

    fn end(&mut self, record: &mut Record) {
        self.flying.clear();
        self.client.abandon_all();
        self.backlog.clear();
        self.waiting.clear();
        self.answers.clear();
        if self.session.is_some() {
            let headers = self.of_session();
            let url = self.remote.url.clone();
            let time = self.options.limits.goodbye;
            let flying = Flying::new(None, Purpose::Listening);
            let n = self.fly(Method::Delete, url, headers, None, time, flying, record);
            self.settle(n, time, record);
            self.session = None;
        }
    }

    fn start_time(&self) -> Duration {
        // Nothing is started, so that the first request may take as long as any other.
        self.options.request
    }

    fn is_process(&self) -> bool {
        false
    }

    fn is_legacy(&self) -> bool {
        self.is_sse
    }

    fn status(&self, id: u64) -> Option<u16> {
        self.statuses.get(&id).copied()
    }

    fn settled(&mut self, revision: &str) {
        // Requests of 2025-06-18 and later name it; dates compare as text.
        self.revision = Some(revision.to_owned()).filter(|revision| revision.as_str() >= "2025-06-18");
    }

    fn fall_back(&mut self) -> bool {
        let may = self.remote.shape == Shape::Auto && !self.is_sse;
        self.is_sse |= may;
        may
    }

    fn is_streaming(&self) -> bool {
        self.flying.values().any(|flying| flying.kind == Purpose::Message && flying.is_stream)
    }

    fn is_fixed(&self) -> bool {
        self.remote.shape == Shape::Streamable
    }

    fn listen(&mut self, time: Duration, record: &mut Record) {
        if !self.is_sse {
            self.stream(Purpose::Listening, time, record);
        }
    }

    fn resume(&mut self, id: u64, until: Instant, record: &mut Record) {
        let Some((event, pause, _)) = self.missed.get(&id).cloned() else { return };
        std::thread::sleep(pause.min(until.saturating_duration_since(Instant::now())));
        let mut headers = vec![pair("Accept", "text/event-stream"), pair("Last-Event-ID", &event)];
        headers.extend(self.of_session());
        let flying = Flying::new(Some(id), Purpose::Message);
        self.fly(Method::Get, self.remote.url.clone(), headers, None, self.options.request, flying, record);
    }

    fn cancel(&mut self, id: u64) -> bool {
        let found: Vec<u64> = self.flying.iter().filter(|(_, flying)| flying.id == Some(id)).map(|(n, _)| *n).collect();
        for n in &found {
            self.client.abandon(*n);
            self.flying.remove(n);
        }
        // A legacy server is told; closing the stream is how a modern one learns it.
        !found.is_empty() && self.session.is_none() && !self.is_sse
    }

    fn bare(&mut self, method: Method, headers: &[(&'static str, String)], record: &mut Record) {
        let mut all = vec![pair("Accept", "text/event-stream")];
        all.extend(headers.iter().map(|(name, value)| pair(name, value)));
        let flying = Flying::new(None, Purpose::Listening);
        let n = self.fly(method, self.remote.url.clone(), all, None, self.options.probe_time, flying, record);
        // A stream would never end: its head says all.
        let until = after(self.options.probe_time);
        while self.flying.get(&n).is_some_and(|flying| flying.status.is_none()) {
            let Some(net) = self.client.next(until) else { break };
            let (Ok(_) | Err(Stopped)) = self.took(net, record);
        }
        self.client.abandon(n);
        self.flying.remove(&n);
    }

    fn metadata(&mut self, record: &mut Record) {
        if !self.statuses.values().any(|status| *status == 401) {
            return;
        }
        for url in metadata_of(&self.remote.url) {
            let (headers, time) = (vec![pair("Accept", "application/json")], self.options.probe_time);
            let n = self.fly(Method::Get, url, headers, None, time, Flying::new(None, Purpose::Public), record);
            self.settle(n, time, record);
            if self.public == Some(200) {
                return;
            }
        }
    }

    fn way_out(&self) -> String {
        let refused = self.refused.is_some_and(|status| (400..500).contains(&status));
        match (refused, self.remote.shape) {
            (true, Shape::Sse) => "is this the address of its stream? Try without `--transport sse`".to_owned(),
            (true, _) => "is this the address of its MCP endpoint? It often ends with `/mcp` or `/sse`".to_owned(),
            (false, _) => "look into its log".to_owned(),
        }
    }

    fn instead(&self) -> Option<String> {
        (self.is_sse && self.endpoint.is_none())
            .then(|| "its stream has not said yet where messages are posted (event `endpoint`)".to_owned())
    }
}

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}
