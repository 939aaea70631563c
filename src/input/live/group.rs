//! A server's process group: started as one, ended as one, also when a signal ends us.
//!
//! Apart because it is the only place that signals other processes. A group is named by its leader's number, so the
//! leader is collected last: until then the number cannot belong to a stranger.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// How often a process is looked at while one waits for its end.
pub(super) const STEP: Duration = Duration::from_millis(1);

/// How long all servers together may take to end when a signal ends us.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The groups that are running, all sessions together.
static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// How a process ended: with a code, by a signal, or nobody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ended {
    /// Its exit code.
    pub(super) code: Option<i32>,
    /// The signal that ended it.
    pub(super) signal: Option<i32>,
}

/// A running process group. Dropping it kills whatever is left of it.
pub(super) struct Group {
    leader: Child,
    pid: Pid,
}

impl Group {
    /// Starts `command` as the leader of its own group.
    ///
    /// # Errors
    ///
    /// Why it could not be started.
    pub(super) fn spawn(command: &mut Command) -> io::Result<Self> {
        watch_signals();
        // Held over the start, so that a signal finds either no server or one that it knows of.
        let mut running = running();
        let leader = command.process_group(0).spawn()?;
        let pid = Pid::from_child(&leader);
        running.push(pid);
        Ok(Self { leader, pid })
    }

    /// The leader, to take its pipes.
    pub(super) fn leader(&mut self) -> &mut Child {
        &mut self.leader
    }

    /// How the leader ended, if it has. It is not collected by this.
    pub(super) fn ended(&self) -> Option<Ended> {
        ended(self.pid)
    }

    /// Waits for the leader's end until then.
    pub(super) fn ends_until(&self, until: Instant) -> Option<Ended> {
        loop {
            let ended = self.ended();
            if ended.is_some() || Instant::now() >= until {
                return ended;
            }
            std::thread::sleep(STEP);
        }
    }

    /// Signals every process of the group. A group that is gone is no fault.
    pub(super) fn signal(&self, signal: Signal) {
        let _gone = kill_process_group(self.pid, signal);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
        // A process in an uninterruptible call outlives SIGKILL; it is left behind rather than waited for.
        let ended = self.ends_until(Instant::now() + LAST_WORDS);
        running().retain(|pid| *pid != self.pid);
        if ended.is_some() {
            let _collected = self.leader.wait();
        }
    }
}

fn ended(pid: Pid) -> Option<Ended> {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    match waitid(WaitId::Pid(pid), look) {
        Ok(Some(status)) => Some(Ended { code: status.exit_status(), signal: status.terminating_signal() }),
        // Whoever started us has SIGCHLD ignored: children vanish without a word.
        Err(Errno::CHILD) => Some(Ended { code: None, signal: None }),
        Ok(None) | Err(_) => None,
    }
}

fn running() -> MutexGuard<'static, Vec<Pid>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts, once, the thread that ends all servers before a signal ends us.
fn watch_signals() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Should this fail, signals end us as they always did, and servers see their stdin close.
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
        let thread = std::thread::Builder::new().name("signals".to_owned());
        let _started = thread.spawn(move || {
            if let Some(signal) = signals.forever().next() {
                end_all(signal);
            }
        });
    });
}

/// Ends every group, then this process with the code of one that died of `signal`.
#[allow(clippy::exit, reason = "a signal ends the process wherever it stands; no caller is there to return to")]
fn end_all(signal: i32) {
    // Never released: no server can start any more, and no session can report that its server was ended.
    let running = running();
    for group in running.iter() {
        let _gone = kill_process_group(*group, Signal::TERM);
    }
    let until = Instant::now() + LAST_WORDS;
    while running.iter().any(|group| ended(*group).is_none()) && Instant::now() < until {
        std::thread::sleep(STEP);
    }
    for group in running.iter() {
        let _gone = kill_process_group(*group, Signal::KILL);
    }
    std::process::exit(128 + signal);
}
