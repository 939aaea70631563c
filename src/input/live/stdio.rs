//! One server process and the three threads at its pipes.
//!
//! Apart from the session so that no pipe can ever block it: stdout comes through a bounded channel, stderr is always
//! drained, and what we say waits in a queue of its own.

use std::io::{self, Read, Write as _};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::super::private;
use super::Launch;
use super::group::{Ended, Group, STEP};
use super::limits::{Limits, after};
use super::lines::{Lines, Piece, Tail};

/// How often the process is looked at while its stdout is silent.
const TICK: Duration = Duration::from_millis(50);

/// How long stdout may still bring something after the process has ended, when a child of it holds the pipe.
const AFTER_END: Duration = Duration::from_millis(500);

/// How long a process may take to end after it closed its stdout, until it counts as running on.
const AFTER_CLOSE: Duration = Duration::from_secs(1);

/// How long stderr may take to follow the end of the process.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Lines that wait between the reading thread and the session; more, and the server waits.
const WAITING: usize = 16;

/// What stdout brought.
#[derive(Debug)]
pub(super) enum Event {
    /// A line, without its line feed.
    Line(Vec<u8>),
    /// What stood behind the last line feed when stdout was closed.
    Partial(Vec<u8>),
    /// A line longer than the bound, in bytes; its text is gone.
    Overlong(u64),
    /// The bound of stdout is reached, and nothing more is read.
    Full,
}

impl From<Piece> for Event {
    fn from(piece: Piece) -> Self {
        match piece {
            Piece::Line(line) => Self::Line(line),
            Piece::Overlong(length) => Self::Overlong(length),
        }
    }
}

/// What one waits for.
#[derive(Debug)]
pub(super) enum Next {
    /// Something came.
    Event(Event),
    /// The process ended; or, without an end, it closed its stdout and runs on.
    Ended(Option<Ended>),
    /// Nothing came in time.
    Silence,
}

/// What the threads and the session share.
struct Shared {
    /// Bytes of the line of stdout that has begun and not ended.
    open: AtomicU64,
    /// Set when nobody wants the pipes any more.
    over: AtomicBool,
    /// The last lines of stderr.
    tail: Mutex<Tail>,
}

/// A running server.
pub(super) struct Running {
    group: Group,
    stdin: Option<Sender<String>>,
    events: Receiver<Event>,
    stdout: JoinHandle<()>,
    stderr: JoinHandle<()>,
    shared: Arc<Shared>,
}

impl Running {
    /// Starts the server. `most` is what is left of the bound on stdout, `began` the time from which stderr is dated.
    ///
    /// # Errors
    ///
    /// Why it could not be started.
    pub(super) fn start(launch: &Launch, limits: &Limits, most: u64, began: Instant) -> io::Result<Self> {
        let (program, args) = launch.command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = launch.program.as_ref().map_or_else(|| Command::new(program), Command::new);
        for name in private::names() {
            command.env_remove(name);
        }
        command.args(args).envs(&launch.env);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &launch.cwd {
            command.current_dir(folder);
        }
        let mut group = Group::spawn(&mut command)?;
        let leader = group.leader();
        let no_pipe = io::ErrorKind::BrokenPipe;
        let input = leader.stdin.take().ok_or(no_pipe)?;
        let mut output = leader.stdout.take().ok_or(no_pipe)?;
        let mut log = leader.stderr.take().ok_or(no_pipe)?;

        let shared = Arc::new(Shared {
            open: AtomicU64::new(0),
            over: AtomicBool::new(false),
            tail: Mutex::new(Tail::new(limits.stderr_lines, limits.stderr_line)),
        });
        let (stdin, ours) = mpsc::channel();
        let (theirs, events) = mpsc::sync_channel(WAITING);
        let lines = Lines::new(limits.line);
        thread("stdin", move || write_lines(input, &ours))?;
        let seen = Arc::clone(&shared);
        let stdout = thread("stdout", move || read_lines(&mut output, lines, most, &theirs, &seen))?;
        let seen = Arc::clone(&shared);
        let stderr = thread("stderr", move || read_log(&mut log, began, &seen))?;
        Ok(Self { group, stdin: Some(stdin), events, stdout, stderr, shared })
    }

    /// Sends a line, which must hold no line feed. Never blocks; what a dead server does not take is lost.
    pub(super) fn send(&self, line: &str) {
        if let Some(stdin) = &self.stdin {
            let _gone = stdin.send(format!("{line}\n"));
        }
    }

    /// Closes stdin, once all that was sent is written.
    pub(super) fn hang_up(&mut self) {
        self.stdin = None;
    }

    /// Waits for the next thing to happen, until then.
    pub(super) fn next(&self, until: Instant) -> Next {
        let mut ended: Option<(Ended, Instant)> = None;
        loop {
            let now = Instant::now();
            // Looked at before the channel, or a flood would never meet its deadline.
            if now >= until {
                return Next::Silence;
            }
            match self.events.recv_timeout(TICK.min(until - now)) {
                Ok(event) => return Next::Event(event),
                Err(RecvTimeoutError::Disconnected) => {
                    return Next::Ended(self.group.ends_until(Instant::now() + AFTER_CLOSE));
                }
                Err(RecvTimeoutError::Timeout) => match ended {
                    Some((ended, seen)) if seen.elapsed() >= AFTER_END => return Next::Ended(Some(ended)),
                    Some(_) => {}
                    None => ended = self.group.ended().map(|ended| (ended, now)),
                },
            }
        }
    }

    /// Bytes of the line of stdout that has begun and not ended.
    pub(super) fn open_line(&self) -> u64 {
        self.shared.open.load(Ordering::Relaxed)
    }

    /// The last lines of stderr, each with the milliseconds at which it began. Waits a little for the last one when
    /// the process has ended.
    pub(super) fn log(&self) -> Vec<(u64, String)> {
        let until = Instant::now() + LAST_WORDS;
        while self.group.ended().is_some() && !self.stderr.is_finished() && Instant::now() < until {
            std::thread::sleep(STEP);
        }
        self.shared.tail.lock().unwrap_or_else(PoisonError::into_inner).lines()
    }

    /// Ends the whole group, whether or not its leader is still there: SIGTERM, a while to comply, SIGKILL. Gives
    /// back the last lines of stderr.
    pub(super) fn end(mut self, patience: Duration) -> Vec<(u64, String)> {
        self.hang_up();
        // Without a receiver the reading thread only drains, and no server is stuck in a write while it ends.
        self.events = mpsc::channel().1;
        if !self.is_quiet() {
            self.group.signal(Signal::TERM);
            let until = after(patience);
            while !self.is_quiet() && Instant::now() < until {
                std::thread::sleep(STEP);
            }
        }
        self.group.signal(Signal::KILL);
        self.group.ends_until(Instant::now() + LAST_WORDS);
        let log = self.log();
        self.shared.over.store(true, Ordering::Relaxed);
        log
    }

    /// Whether the leader has ended and nobody holds its pipes: then nothing can be left that deserves a warning
    /// before SIGKILL.
    fn is_quiet(&self) -> bool {
        self.group.ended().is_some() && self.stdout.is_finished() && self.stderr.is_finished()
    }
}

fn thread(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    Builder::new().name(name.to_owned()).spawn(work)
}

/// Writes what we say, until nobody says anything or the server has gone.
fn write_lines(mut pipe: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if pipe.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

/// Reads stdout into events up to the bound; what comes later, or when nobody listens, is drained.
fn read_lines(pipe: &mut impl Read, mut lines: Lines, most: u64, events: &SyncSender<Event>, shared: &Shared) {
    let mut left = most;
    let mut listening = true;
    read_chunks(pipe, shared, |chunk| {
        lines.take(chunk, |piece| listening = listening && events.send(piece.into()).is_ok());
        shared.open.store(lines.open(), Ordering::Relaxed);
        left = left.saturating_sub(chunk.len() as u64);
        if listening && left == 0 {
            let _gone = events.send(Event::Full);
            listening = false;
        }
    });
    let rest = lines.end().map(|piece| match piece {
        Piece::Line(line) => Event::Partial(line),
        Piece::Overlong(length) => Event::Overlong(length),
    });
    if let Some(rest) = rest.filter(|_| listening) {
        let _gone = events.send(rest);
    }
}

fn read_log(pipe: &mut impl Read, began: Instant, shared: &Shared) {
    read_chunks(pipe, shared, |chunk| {
        let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        shared.tail.lock().unwrap_or_else(PoisonError::into_inner).take(chunk, ms);
    });
}

/// Reads until the pipe is closed or nobody wants it any more.
fn read_chunks(pipe: &mut impl Read, shared: &Shared, mut each: impl FnMut(&[u8])) {
    let mut chunk = vec![0; 64 * 1024];
    while !shared.over.load(Ordering::Relaxed) {
        match pipe.read(&mut chunk) {
            Ok(0) => return,
            Ok(length) => each(chunk.get(..length).unwrap_or_default()),
            Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
