//! The state of one session: what is asked, what came, and the process behind it.
//!
//! Apart from opening and listing, which say what to ask next; here is what holds in every stage: a request of the
//! server is answered, a stray answer is left alone, and silence, death and excess end the wait.

use std::collections::VecDeque;
use std::io;
use std::time::Instant;

use serde_json::Value;

use super::group::Ended;
use super::limits::after;
use super::message::{self, Reply};
use super::record::Record;
use super::stdio::{Event, Next, Running};
use super::{Launch, Options};
use crate::finding::Stage;
use crate::spec::revision::Era;
use crate::surface::assemble::is_message;
use crate::surface::exchange::{Exchange, What};
use crate::text::{json, safe};

/// The session cannot go on; why stands in the exchange.
#[derive(Debug)]
pub(super) struct Stopped;

/// What a wait brought.
#[derive(Debug)]
pub(super) enum Wait {
    /// The answer to the request with this id.
    Answer(u64, Reply),
    /// No answer in time.
    Silence,
    /// The process has ended; or, without an end, it closed its stdout and runs on.
    Gone(Option<Ended>),
}

/// What came that was no answer, to explain a silence.
#[derive(Default)]
struct Heard {
    /// Lines that are no messages, and the last of them.
    noise: Option<(u64, String)>,
    /// The id of an answer to nothing.
    stray: Option<String>,
    /// An answer that is likely gone.
    lost: Option<Lost>,
    /// Whether stdout was closed in the middle of a line.
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
    launch: &'s Launch,
    /// How to talk.
    pub(super) options: &'s Options,
    /// What passed.
    pub(super) record: Record<'s>,
    /// The era, once it is known.
    pub(super) era: Option<Era>,
    running: Option<Running>,
    spawned: bool,
    /// Whether the end of the running process is noted.
    ended: bool,
    next_id: u64,
    stdout_left: u64,
    log: Vec<(u64, String)>,
    queue: VecDeque<Value>,
    heard: Heard,
}

impl<'s> Session<'s> {
    /// A session that has not started.
    pub(super) fn new(launch: &'s Launch, options: &'s Options) -> Self {
        Self {
            launch,
            options,
            record: Record::new(launch, options.limits.frames),
            era: None,
            running: None,
            spawned: false,
            ended: false,
            next_id: 1,
            stdout_left: options.limits.stdout,
            log: Vec::new(),
            queue: VecDeque::new(),
            heard: Heard::default(),
        }
    }

    /// The command that is run.
    pub(super) fn command(&self) -> &'s [String] {
        &self.launch.command
    }

    /// Starts the server, or starts it again.
    ///
    /// # Errors
    ///
    /// When it could not be started.
    pub(super) fn start(&mut self) -> Result<(), Stopped> {
        self.stop();
        self.record.stage = Stage::Start;
        if !self.spawned {
            self.record.begin();
        }
        let started = Running::start(self.launch, &self.options.limits, self.stdout_left, self.record.began());
        match started {
            Ok(running) => self.running = Some(running),
            Err(cause) => {
                self.record.incident(self.record.masked(&not_started(self.launch, &cause)));
                return Err(Stopped);
            }
        }
        self.record.event(What::Spawn);
        self.record.stage = Stage::Open;
        self.spawned = true;
        self.ended = false;
        Ok(())
    }

    /// Sends a request and gives back its id.
    pub(super) fn request(&mut self, method: &str, params: &Value) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        self.heard.lost = None;
        self.send(message::request(id, method, params));
        id
    }

    /// Sends a message.
    pub(super) fn send(&mut self, line: String) {
        if let Some(running) = &self.running {
            running.send(&line);
        }
        self.record.wire(What::Out(line));
    }

    /// Waits for the answer to one of these requests, until then.
    ///
    /// # Errors
    ///
    /// When a bound on the wire is passed.
    pub(super) fn wait(&mut self, ids: &[u64], until: Instant) -> Result<Wait, Stopped> {
        loop {
            while let Some(message) = self.queue.pop_front() {
                if let Some((id, reply)) = self.message(message, ids) {
                    return Ok(Wait::Answer(id, reply));
                }
            }
            if self.record.is_full() {
                return Err(Stopped);
            }
            let until = self.heard.lost.as_ref().map_or(until, |lost| until.min(lost.until));
            let Some(running) = &self.running else { return Ok(Wait::Gone(None)) };
            match running.next(until) {
                Next::Event(event) => self.event(event)?,
                Next::Ended(ended) => {
                    self.note_end(ended);
                    return Ok(Wait::Gone(ended));
                }
                Next::Silence => return Ok(Wait::Silence),
            }
        }
    }

    /// Notes that the process ended before it answered `asked`.
    pub(super) fn died(&mut self, ended: Option<Ended>, asked: &str) {
        let how = match ended {
            Some(Ended { code: Some(code), .. }) => format!("exited with code {code}"),
            Some(Ended { signal: Some(signal), .. }) => format!("was ended by signal {signal}"),
            Some(_) => "ended".to_owned(),
            None => "closed its stdout".to_owned(),
        };
        let place = if self.heard.broke_off { ", in the middle of a line" } else { "" };
        let words = self
            .last_words()
            .unwrap_or_else(|| "; it left no word on stderr, so run the command by hand to see why".to_owned());
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
        let open = self.running.as_ref().map_or(0, Running::open_line);
        if open > 0 {
            let open = safe::thousands(open);
            return format!(
                "; the last {open} bytes of its stdout have no line feed behind them, and a message must end with one"
            );
        }
        match &self.heard {
            Heard { stray: Some(id), .. } => format!("; an answer came for the id {id}, which was never asked"),
            Heard { noise: Some((1, line)), .. } => format!("; its stdout holds a line that is no message: {line}"),
            Heard { noise: Some((lines, last)), .. } => {
                format!("; its stdout holds {} lines that are no messages, the last: {last}", safe::thousands(*lines))
            }
            Heard { .. } => String::new(),
        }
    }

    /// Ends the session and gives back the exchange.
    pub(super) fn finish(mut self) -> Exchange {
        self.part();
        self.stop();
        let extra = self.log.len().saturating_sub(self.options.limits.stderr_lines);
        let log = self.log.split_off(extra);
        self.record.finish(self.options, log)
    }

    /// Closes stdin and notes what still comes until the server has ended by itself.
    fn part(&mut self) {
        let until = after(self.options.limits.goodbye);
        let Some(running) = &mut self.running else { return };
        running.hang_up();
        while let Some(running) = self.running.as_ref().filter(|_| !self.ended) {
            match running.next(until) {
                Next::Event(Event::Line(line) | Event::Partial(line)) => self.record.wire(What::In(line)),
                Next::Event(Event::Overlong(_)) => {}
                Next::Ended(ended) => return self.note_end(ended),
                Next::Event(Event::Full) | Next::Silence => return,
            }
        }
    }

    /// Ends the process and all of its group.
    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            self.log.extend(running.end(self.options.limits.terminate));
        }
        self.queue.clear();
        self.heard = Heard::default();
    }

    fn note_end(&mut self, ended: Option<Ended>) {
        if let Some(ended) = ended.filter(|_| !self.ended) {
            self.ended = true;
            self.record.event(What::Exit(ended.code));
        }
    }

    fn event(&mut self, event: Event) -> Result<(), Stopped> {
        match event {
            Event::Line(line) => self.line(line),
            Event::Partial(line) => {
                self.heard.broke_off = true;
                self.line(line);
            }
            Event::Overlong(length) => {
                self.stdout_left = self.stdout_left.saturating_sub(length);
                let most = safe::thousands(self.options.limits.line as u64);
                let length = safe::thousands(length);
                self.skipped(&format!(
                    "a line of {length} bytes on stdout was skipped, because more than {most} are not read"
                ));
            }
            Event::Full => {
                let most = safe::thousands(self.options.limits.stdout);
                self.record.incident(format!(
                    "the server wrote {most} bytes to stdout, and the rest was not read; logs belong on stderr"
                ));
                return Err(Stopped);
            }
        }
        Ok(())
    }

    fn line(&mut self, line: Vec<u8>) {
        self.stdout_left = self.stdout_left.saturating_sub(line.len() as u64 + 1);
        let values = line.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
        if values > self.options.limits.values {
            let most = safe::thousands(self.options.limits.values as u64);
            let length = safe::thousands(line.len() as u64);
            return self.skipped(&format!(
                "a line of {length} bytes on stdout was skipped, because it holds more than {most} JSON values"
            ));
        }
        let text = String::from_utf8_lossy(&line);
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
                self.heard.noise = Some((lines, safe::clip(&text, 80)));
            }
        }
        self.record.wire(What::In(line));
    }

    fn skipped(&mut self, cause: &str) {
        self.record.incident(format!("{cause}; answer with shorter pages"));
        self.lost(None);
    }

    /// An answer is likely gone: it is waited for no longer than a probe.
    fn lost(&mut self, why: Option<String>) {
        self.heard.lost = Some(Lost { until: after(self.options.probe), why });
    }

    /// Takes in one message; gives back the answer to one of the requests that are waited for.
    fn message(&mut self, message: Value, ids: &[u64]) -> Option<(u64, Reply)> {
        let Value::Object(mut members) = message else { return None };
        self.heard.broke_off = false;
        let id = members.get("id").filter(|id| !id.is_null()).cloned();
        let reply = match (members.remove("error"), members.remove("result")) {
            (Some(error), _) => Reply::Error(error),
            (None, Some(result)) => Reply::Result(result),
            (None, None) => {
                // A modern client writes no answers; before the era is known, only a legacy server would ask.
                let method = members.get("method").and_then(Value::as_str);
                if let (Some(id), Some(method), None | Some(Era::Legacy)) = (id, method, self.era) {
                    self.send(message::answer(&id, method));
                }
                return None;
            }
        };
        let number = id.as_ref().and_then(Value::as_u64);
        if number.is_none_or(|number| number == 0 || number >= self.next_id) {
            let id = id.map_or_else(|| "null".to_owned(), |id| id.to_string());
            self.heard.stray = Some(safe::quoted(&id));
        }
        number.filter(|number| ids.contains(number)).map(|number| (number, reply))
    }

    /// The last line of stderr that says something.
    fn last_words(&self) -> Option<String> {
        let log = self.running.as_ref().map(Running::log)?;
        let (_, line) = log.iter().rfind(|(_, line)| !line.trim().is_empty())?;
        Some(format!("; its stderr ends with: {}", safe::clip(self.record.masked(line).trim(), 200)))
    }
}

/// Why a server could not be started, and the way out.
fn not_started(launch: &Launch, cause: &io::Error) -> String {
    let Some(program) = launch.command.first().filter(|program| !program.is_empty()) else {
        return "there is no command to start the server with; give one after `--`".to_owned();
    };
    let quoted = safe::quoted(program);
    if let Some(folder) = launch.cwd.as_ref().filter(|folder| !folder.is_dir()) {
        let folder = safe::quoted(&folder.to_string_lossy());
        return format!("{quoted} could not be started: its folder {folder} is not there; check `cwd`");
    }
    let words = cause.to_string();
    let words = words.split(" (os error").next().unwrap_or_default();
    let way_out = match cause.kind() {
        io::ErrorKind::NotFound if program.contains('/') => {
            "check the path, and the interpreter that its first line names"
        }
        io::ErrorKind::NotFound => "is it installed and on PATH?",
        io::ErrorKind::PermissionDenied => "is it an executable file?",
        _ => "try the command by hand",
    };
    format!("{quoted} could not be started: {words}; {way_out}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_start_names_the_way_out() {
        let launch = |command: &str, cwd: Option<&str>| Launch {
            command: command.split_whitespace().map(str::to_owned).collect(),
            cwd: cwd.map(Into::into),
            program: None,
            ..Launch::default()
        };
        let missing = io::Error::from_raw_os_error(2);
        let said = not_started(&launch("npx -y x", None), &missing);
        assert_eq!(said, "`npx` could not be started: No such file or directory; is it installed and on PATH?");
        assert!(not_started(&launch("./x", None), &missing).contains("interpreter"));
        assert!(not_started(&launch("npx", Some("/no/such")), &missing).contains("`/no/such` is not there"));
        assert!(not_started(&launch("", None), &missing).contains("no command"));
    }
}
