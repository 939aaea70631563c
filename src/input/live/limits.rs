//! Every bound on a live session, in one table.
//!
//! Apart from the code that keeps them, so that a reader sees at once what a hostile server can cost us, and so that
//! a test can shrink one bound and leave the others.

use std::time::{Duration, Instant};

use crate::surface::launch::downloads;

/// The command-line option that sets the start-up time-out; causes name it as the way out.
pub const START_OPTION: &str = "--start-timeout";
/// The command-line option that sets the request time-out.
pub const REQUEST_OPTION: &str = "--request-timeout";
/// The command-line option that chooses the era.
pub const ERA_OPTION: &str = "--era";

/// Start-up time-out of a command that is there already.
pub const START: Duration = Duration::from_secs(30);
/// Start-up time-out of a command that may first download what it runs.
pub const START_RUNNER: Duration = Duration::from_mins(2);
/// How long the probe may stay unanswered before `initialize` is sent too.
pub const PROBE: Duration = Duration::from_secs(3);
/// How long one request may take once the session is open.
pub const REQUEST: Duration = Duration::from_secs(30);

/// How often one looks again because a server says that its list changed.
pub(super) const CHANGES: usize = 3;

/// Requests of the server that are answered; a minute of watching at ten a second is within it.
pub(super) const ANSWERS: usize = 1_000;

/// How long a stream is waited for to end behind its answer; a rule looks at it.
pub(super) const LINGER: Duration = Duration::from_millis(1_100);

/// How often one looks whether it has.
pub(super) const LOOK: Duration = Duration::from_millis(20);

/// How much longer than the session a connection waits for an answer.
pub(super) const GRACE: Duration = Duration::from_millis(500);

/// Answers that are on their way to the server at once.
pub(super) const ANSWERING: usize = 4;

/// Calls in a row that may go unanswered before no further one is made.
pub(super) const SILENT_CALLS: usize = 3;

/// Pieces of other answers that may wait while one is waited for.
pub(super) const BACKLOG: usize = 10_000;

/// Bounds on what one server may cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one line of stdout; a longer one is skipped.
    pub line: usize,
    /// Bytes of stdout over the whole session, restarts included.
    pub stdout: u64,
    /// JSON values in all lines together, judged by commas and opening brackets; a line with more than are left is
    /// skipped. A value costs up to a hundred times the memory of its text.
    pub values: usize,
    /// Frames of the exchange.
    pub frames: usize,
    /// Pages of the list.
    pub pages: usize,
    /// Tools of all pages.
    pub tools: usize,
    /// Time for all pages together.
    pub listing: Duration,
    /// Lines of stderr that are kept, the last ones.
    pub stderr_lines: usize,
    /// Bytes kept of one line of stderr.
    pub stderr_line: usize,
    /// Time for the server to end by itself once its stdin is closed.
    pub goodbye: Duration,
    /// Time for its process group to end after SIGTERM, before SIGKILL.
    pub terminate: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            line: 32 * 1024 * 1024,
            stdout: 128 * 1024 * 1024,
            values: 2_000_000,
            frames: 200_000,
            pages: 1_000,
            tools: 50_000,
            listing: Duration::from_mins(5),
            stderr_lines: 50,
            stderr_line: 2_000,
            goodbye: Duration::from_secs(1),
            terminate: Duration::from_secs(1),
        }
    }
}

/// The start-up time-out that fits a command: longer for those that may download first.
pub fn start_for(command: &[String]) -> Duration {
    if downloads(command) { START_RUNNER } else { START }
}

/// The moment after `time` from now. A time beyond the clock's range, as an option may say, is a day.
pub(super) fn after(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or_else(|| now + Duration::from_hours(24))
}

/// A duration as causes say it.
pub(super) fn spoken(time: Duration) -> String {
    if time.subsec_millis() == 0 { format!("{} s", time.as_secs()) } else { format!("{} ms", time.as_millis()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_without_end_is_a_day() {
        assert!(after(Duration::MAX) > Instant::now() + Duration::from_hours(23));
    }
}
