//! Work on several targets at once, and what each is doing, on a terminal.
//!
//! Targets that are done leave a line behind; below them stand, redrawn, those that are worked on. Nothing is drawn
//! where stderr is no terminal, and for one target not in its first second.

use std::io::{IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::targets::Chosen;
use crate::error::Trouble;
use crate::input::progress::{Progress, Tell};
use crate::text::safe;

/// Targets that are worked on at once.
const AT_ONCE: usize = 8;
/// A large list is read by recursion, which the usual stack of a thread would not hold.
const STACK: usize = 16 * 1024 * 1024;
/// How long one target is waited for before anything is drawn.
const QUIET: Duration = Duration::from_secs(1);
/// How often is redrawn at most.
const TICK: Duration = Duration::from_millis(100);

/// What the threads say.
enum Said<T> {
    /// What is done for the target of this number.
    Doing(usize, Progress),
    /// What came of it.
    Done(usize, T),
}

/// Does `work` for each target, at most eight at once. Results come in the order of the targets; `told` says a result
/// in a few words.
///
/// # Errors
///
/// [`Trouble::Io`] when the system gives no thread.
pub(super) fn each<T: Send>(
    chosen: &[Chosen],
    work: impl Fn(&Chosen, Tell<'_>) -> T + Sync,
    told: impl Fn(&T) -> String,
) -> Result<Vec<T>, Trouble> {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (say, said) = mpsc::channel();
        for _ in 0..chosen.len().min(AT_ONCE) {
            let (say, next, work) = (say.clone(), &next, &work);
            let job = move || {
                let mut n = next.fetch_add(1, Ordering::Relaxed);
                while let Some(one) = chosen.get(n) {
                    // Whoever listens stays until all is done.
                    let tell = |progress| drop(say.send(Said::Doing(n, progress)));
                    let result = work(one, &tell);
                    drop(say.send(Said::Done(n, result)));
                    n = next.fetch_add(1, Ordering::Relaxed);
                }
            };
            let thread = std::thread::Builder::new().name("target".to_owned()).stack_size(STACK);
            thread.spawn_scoped(scope, job).map_err(|cause| Trouble::io("threads", cause, "name fewer targets"))?;
        }
        drop(say);
        let mut board = Board::new(chosen.iter().map(|one| one.target.name.as_str()).collect());
        let mut results: Vec<Option<T>> = chosen.iter().map(|_| None).collect();
        loop {
            match said.recv_timeout(TICK) {
                Ok(Said::Doing(n, progress)) => board.doing(n, progress),
                Ok(Said::Done(n, result)) => {
                    board.done(n, &told(&result));
                    if let Some(place) = results.get_mut(n) {
                        *place = Some(result);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            board.draw();
        }
        board.end();
        Ok(results.into_iter().flatten().collect())
    })
}

/// The lines on the terminal.
struct Board<'n> {
    names: Vec<&'n str>,
    /// What is done for those that are worked on.
    doing: Vec<(usize, Progress)>,
    /// Lines of targets that are done and not yet drawn.
    done: Vec<String>,
    /// From when on lines are drawn; never where there is no terminal.
    from: Option<Instant>,
    /// Lines below those that stay.
    drawn: usize,
    /// What was drawn last.
    last: String,
}

impl<'n> Board<'n> {
    fn new(names: Vec<&'n str>) -> Self {
        let quiet = if names.len() > 1 { Duration::ZERO } else { QUIET };
        let from = std::io::stderr().is_terminal().then(|| Instant::now() + quiet);
        Self { names, doing: Vec::new(), done: Vec::new(), from, drawn: 0, last: String::new() }
    }

    fn doing(&mut self, n: usize, progress: Progress) {
        match self.doing.iter_mut().find(|(known, _)| *known == n) {
            Some((_, known)) => *known = progress,
            None => self.doing.push((n, progress)),
        }
    }

    fn done(&mut self, n: usize, told: &str) {
        self.doing.retain(|(known, _)| *known != n);
        self.done.push(self.line(n, told));
    }

    fn draw(&mut self) {
        let begun = self.from.is_some_and(|from| Instant::now() >= from);
        let below: Vec<String> = self.doing.iter().map(|(n, progress)| self.line(*n, &words(*progress))).collect();
        let text: String = self.done.iter().chain(&below).map(|line| format!("\u{1b}[K{line}\n")).collect();
        if !begun || text == self.last {
            return;
        }
        let up = if self.drawn > 0 { format!("\u{1b}[{}A", self.drawn) } else { String::new() };
        // The rest of what stood there is wiped; nothing can be done when stderr is gone.
        let _ = write!(std::io::stderr(), "{up}{text}\u{1b}[J");
        self.done.clear();
        self.drawn = below.len();
        self.last = below.iter().map(|line| format!("\u{1b}[K{line}\n")).collect();
    }

    /// The last line of one target is not worth a drawing when nothing was drawn before.
    fn end(&mut self) {
        if self.drawn > 0 || self.names.len() > 1 {
            self.draw();
        }
    }

    fn line(&self, n: usize, told: &str) -> String {
        let size = rustix::termios::tcgetwinsize(std::io::stderr()).ok().map(|size| usize::from(size.ws_col));
        let width = size.filter(|columns| *columns > 0).unwrap_or(80).saturating_sub(1);
        let column = self.names.iter().map(|name| name.chars().count()).max().unwrap_or_default().min(32);
        let name = self.names.get(n).copied().unwrap_or_default();
        safe::clip(&format!("{:column$}  {told}", safe::clip(name, 32)), width)
    }
}

fn words(progress: Progress) -> String {
    match progress {
        Progress::Reading => "reading".to_owned(),
        Progress::Starting => "starting".to_owned(),
        Progress::Opening => "opening".to_owned(),
        Progress::Listing { page: 1 } => "listing".to_owned(),
        Progress::Listing { page } => format!("listing page {page}"),
        Progress::Asking => "asking".to_owned(),
        Progress::Watching => "watching for changes".to_owned(),
    }
}
