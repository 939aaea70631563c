//! The link to a server that we start: lines over its stdin and stdout.

use std::io;
use std::time::{Duration, Instant};

use super::group::Ended;
use super::limits::{self, after};
use super::link::{Link, Next, Outgoing, Stopped};
use super::record::Record;
use super::stdio::{self, Event, Running};
use super::{Launch, Options};
use crate::finding::Stage;
use crate::surface::exchange::What;
use crate::text::{log, safe};

/// A server process, or the place for one.
pub(super) struct Process<'s> {
    launch: &'s Launch,
    options: &'s Options,
    running: Option<Running>,
    /// Whether the end of the running process is noted.
    ended: bool,
    stdout_left: u64,
    /// The last lines of stderr of processes that are gone.
    log: Vec<(u64, String)>,
}

impl<'s> Process<'s> {
    /// A link whose process is not started.
    pub(super) fn new(launch: &'s Launch, options: &'s Options) -> Self {
        let stdout_left = options.limits.stdout;
        Self { launch, options, running: None, ended: false, stdout_left, log: Vec::new() }
    }

    /// Closes stdin and notes what still comes until the server has ended by itself.
    fn part(&mut self, record: &mut Record) {
        let until = after(self.options.limits.goodbye);
        let Some(running) = &mut self.running else { return };
        if !self.ended {
            record.event(What::Close);
        }
        running.hang_up();
        while let Some(running) = self.running.as_ref().filter(|_| !self.ended) {
            match running.next(until) {
                stdio::Next::Event(Event::Line(line) | Event::Partial(line)) => record.wire(What::In(line)),
                stdio::Next::Event(Event::Overlong(_)) => {}
                stdio::Next::Ended(ended) => return self.note_end(ended, record),
                stdio::Next::Event(Event::Full) | stdio::Next::Silence => return,
            }
        }
    }

    /// Ends the process and all of its group.
    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            self.log.extend(running.end(self.options.limits.terminate));
        }
    }

    fn note_end(&mut self, ended: Option<Ended>, record: &mut Record) {
        if let Some(ended) = ended.filter(|_| !self.ended) {
            self.ended = true;
            record.event(What::Exit(ended.code));
        }
    }

    fn line(&mut self, line: Vec<u8>, broke_off: bool, record: &mut Record) -> Next {
        self.stdout_left = self.stdout_left.saturating_sub(line.len() as u64 + 1);
        if record.is_excess(&line) {
            return Next::Lost;
        }
        record.wire(What::In(line.clone()));
        Next::Text(line, broke_off)
    }

    fn event(&mut self, event: Event, record: &mut Record) -> Result<Next, Stopped> {
        match event {
            Event::Line(line) => Ok(self.line(line, false, record)),
            Event::Partial(line) => Ok(self.line(line, true, record)),
            Event::Overlong(length) => {
                self.stdout_left = self.stdout_left.saturating_sub(length);
                record.overlong(length);
                Ok(Next::Lost)
            }
            Event::Full => {
                let most = safe::thousands(self.options.limits.stdout);
                record.incident(format!(
                    "the server wrote {most} bytes to stdout, and the rest was not read; logs belong on stderr"
                ));
                Err(Stopped)
            }
        }
    }
}

impl Link for Process<'_> {
    fn start(&mut self, record: &mut Record) -> Result<(), Stopped> {
        self.stop();
        record.stage = Stage::Start;
        record.begin();
        let now = record.now();
        let started = Running::start(self.launch, &self.options.limits, self.stdout_left, record.began());
        match started {
            Ok(running) => self.running = Some(running),
            Err(cause) => {
                record.incident(not_started(self.launch, &cause));
                return Err(Stopped);
            }
        }
        record.spawned(now);
        record.stage = Stage::Open;
        self.ended = false;
        Ok(())
    }

    fn send(&mut self, message: Outgoing, record: &mut Record) {
        if let Some(running) = &self.running {
            running.send(&message.text);
        }
        record.wire(What::Out(message.text));
    }

    fn next(&mut self, until: Instant, record: &mut Record) -> Result<Next, Stopped> {
        let Some(running) = &self.running else { return Ok(Next::Gone("is gone".to_owned())) };
        match running.next(until) {
            stdio::Next::Event(event) => self.event(event, record),
            stdio::Next::Ended(ended) => {
                self.note_end(ended, record);
                Ok(Next::Gone(how(ended)))
            }
            stdio::Next::Silence => Ok(Next::Silence),
        }
    }

    fn end(&mut self, record: &mut Record) {
        self.part(record);
        self.stop();
    }

    fn start_time(&self) -> Duration {
        limits::start_for(&self.launch.command)
    }

    fn is_process(&self) -> bool {
        true
    }

    fn instead(&self) -> Option<String> {
        let open = self.running.as_ref().map_or(0, Running::open_line);
        (open > 0).then(|| {
            let open = safe::thousands(open);
            format!(
                "the last {open} bytes of its stdout have no line feed behind them, and a message must end with one"
            )
        })
    }

    fn last_words(&self) -> Option<String> {
        let log = self.running.as_ref().map(Running::log)?;
        log::telling_line(log.iter().map(|(_, line)| line.as_str())).map(str::to_owned)
    }

    fn runner_fault(&self) -> Option<String> {
        let log = self.running.as_ref().map(Running::log)?;
        log::runner_fault(log.iter().map(|(_, line)| line.as_str())).map(str::to_owned)
    }

    fn way_out(&self) -> String {
        "it left no word on stderr, so run the command by hand to see why".to_owned()
    }

    fn log(&mut self) -> Vec<(u64, String)> {
        let extra = self.log.len().saturating_sub(self.options.limits.stderr_lines);
        self.log.split_off(extra)
    }
}

/// How a process ended, behind "the server".
fn how(ended: Option<Ended>) -> String {
    match ended {
        Some(Ended { code: Some(code), .. }) => format!("exited with code {code}"),
        Some(Ended { signal: Some(signal), .. }) => format!("was ended by signal {signal}"),
        Some(_) => "ended".to_owned(),
        None => "closed its stdout".to_owned(),
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
