//! Listing the tools of an open session, page by page to the end, once or several times.
//!
//! Apart from opening because it ends otherwise: a list that runs in circles is a fault of the server, which rules
//! report from the record, and only what is not fetched any more for a bound of ours is an incident.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::EraChoice;
use super::limits::{self, REQUEST_OPTION, after, spoken};
use super::link::{Over, Stopped};
use super::message::{self, Reply};
use super::open::{self, Opened, list_params};
use super::session::{Session, Wait};
use crate::finding::Stage;
use crate::input::progress::Progress;
use crate::surface::{UNNAMED, dialogue::LISTEN, wire::Known};
use crate::text::safe;

/// Why a list was not followed to its end.
enum Broke {
    /// The session cannot go on; why stands in the exchange.
    Stopped,
    /// The server does not know our session over HTTP any more.
    SessionGone,
}

impl From<Stopped> for Broke {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// Opens a session and lists all tools. A session that a server over HTTP has forgotten meanwhile is begun anew, once.
///
/// # Errors
///
/// When no session could be opened, or the list could not be followed to its end.
pub(super) fn reach(session: &mut Session<'_>, era: EraChoice) -> Result<Opened, Stopped> {
    let opened = open::open(session, era)?;
    match list(session, opened) {
        Ok(()) => Ok(opened),
        Err(Broke::SessionGone) => {
            let opened = open::open(session, era)?;
            once_more(session, opened)?;
            Ok(opened)
        }
        Err(Broke::Stopped) => Err(Stopped),
    }
}

/// Lists the tools again, as often as the user wants, and as often as the server says that they changed.
///
/// # Errors
///
/// When the session cannot go on.
pub(super) fn again(session: &mut Session<'_>, opened: Opened) -> Result<(), Stopped> {
    for _ in 1..session.options.repeat {
        once_more(session, opened)?;
    }
    look_again(session, opened)
}

/// Lists the tools once more.
///
/// # Errors
///
/// When the session cannot go on.
pub(super) fn once_more(session: &mut Session<'_>, opened: Opened) -> Result<(), Stopped> {
    list(session, opened).map_err(|_| Stopped)
}

/// Lists the tools again while the server says that they changed, within a bound.
fn look_again(session: &mut Session<'_>, opened: Opened) -> Result<(), Stopped> {
    for _ in 0..limits::CHANGES {
        if !std::mem::take(&mut session.changed) {
            return Ok(());
        }
        once_more(session, opened)?;
    }
    Ok(())
}

/// Waits for the server to say that its list changed, if the user wants that, and looks in the end either way.
///
/// # Errors
///
/// When the session cannot go on.
pub(super) fn watch(session: &mut Session<'_>, opened: Opened) -> Result<(), Stopped> {
    let Some(time) = session.options.watch else { return Ok(()) };
    (session.tell)(Progress::Watching);
    let until = after(time);
    let listening = match opened {
        Opened::Legacy => {
            session.link.listen(time + session.options.request, &mut session.record);
            None
        }
        Opened::Modern(revision) => {
            let meta = message::meta(revision, session.options.version);
            let params = json!({ "notifications": { "toolsListChanged": true }, "_meta": meta });
            let time = time + session.options.request;
            Some(session.request(LISTEN, &params, time))
        }
    };
    let mut ids: Vec<u64> = listening.into_iter().collect();
    while Instant::now() < until {
        match session.wait(&ids, until)? {
            Wait::Silence => {}
            // The server ended the subscription, or has none; the wire shows it. Its list may change all the same.
            Wait::Answer(..) | Wait::Refused(..) => ids.clear(),
            Wait::Gone(how) => {
                session.died(&how, "what was to be watched");
                return Err(Stopped);
            }
        }
        look_again(session, opened)?;
    }
    for id in ids {
        session.cancel(id);
    }
    once_more(session, opened)
}

/// Lists all pages.
fn list(session: &mut Session<'_>, opened: Opened) -> Result<(), Broke> {
    session.record.stage = Stage::List;
    session.changed = false;
    let end = after(session.options.limits.listing);
    let mut seen = Seen::default();
    let mut cursor: Option<String> = None;
    loop {
        (session.tell)(Progress::Listing { page: seen.pages + 1 });
        let result = page(session, opened, cursor.as_deref(), end)?;
        let nothing_new = seen.page(&result);
        keep_called(session, &result);
        // `null` breaks the schema and is read as the end; an empty string is a cursor like any other.
        let Some(next) = result.get("nextCursor").and_then(Value::as_str) else { return Ok(()) };
        if nothing_new || !seen.cursors.insert(next.to_owned()) {
            return Ok(());
        }
        if let Some(cause) = seen.excess(session) {
            session.record.incident(cause);
            return Err(Broke::Stopped);
        }
        cursor = Some(next.to_owned());
    }
}

/// Keeps what calls of ours must know of the tools.
fn keep_called(session: &mut Session<'_>, result: &Value) {
    let calls = &session.options.calls;
    if calls.is_empty() {
        return;
    }
    for tool in result.get("tools").and_then(Value::as_array).into_iter().flatten() {
        let Some(name) = tool.get("name").and_then(Value::as_str) else { continue };
        if calls.iter().any(|call| call.tool == name) {
            session.called.insert(name.to_owned(), tool.get("inputSchema").cloned().unwrap_or_default());
        }
        session.named.insert(name.to_owned());
    }
}

/// Fetches one page.
fn page(session: &mut Session<'_>, opened: Opened, cursor: Option<&str>, end: Instant) -> Result<Value, Broke> {
    let options = session.options;
    let id = session.request("tools/list", &list_params(opened, cursor, options.version), options.request);
    let until = after(options.request);
    let place = cursor
        .map_or_else(String::new, |cursor| format!(" for the cursor {}", safe::quoted(&session.record.masked(cursor))));
    let asked = format!("`tools/list`{place}");
    match session.wait(&[id], until.min(end))? {
        Wait::Answer(_, Reply::Result(result)) => return Ok(result),
        // The wire shows it.
        Wait::Answer(_, Reply::Error(_)) => {}
        Wait::Refused(_, Over { status: Some(404), .. }) if opened == Opened::Legacy => return Err(Broke::SessionGone),
        Wait::Refused(_, over) => refused(session, &asked, &over),
        Wait::Gone(how) => session.died(&how, &asked),
        Wait::Silence => {
            if end < until && Instant::now() >= end {
                let (time, instead) = (spoken(options.limits.listing), session.instead());
                session.record.incident(format!(
                    "the list was not at its end after {time}, and the rest was not read{instead}; answer pages faster"
                ));
            } else {
                silent(session, &asked, options.request);
            }
            session.cancel(id);
        }
    }
    Err(Broke::Stopped)
}

/// Notes that no answer came to one request in its time.
pub(super) fn silent(session: &mut Session<'_>, asked: &str, time: Duration) {
    let way_out = format!("if it is slow, raise `{REQUEST_OPTION}`");
    session.silent(asked, &spoken(time), &way_out);
}

/// Notes why the reply over HTTP to one request held no answer, where its status does not say it.
pub(super) fn refused(session: &mut Session<'_>, asked: &str, over: &Over) {
    match (over.status, &over.cause) {
        (None, cause) => {
            let cause = cause.as_deref().unwrap_or("the connection was closed without an answer");
            session.record.incident(format!("{asked} was not answered: {cause}"));
        }
        (Some(200..300), None) => {
            let instead = session.instead();
            session.record.incident(format!("the reply to {asked} ended without an answer in it{instead}"));
        }
        (Some(status), Some(cause)) => {
            session.record.incident(format!("the reply to {asked} (HTTP {status}) broke off: {cause}"));
        }
        // The wire shows it.
        (Some(_), None) => {}
    }
}

/// What the pages brought so far.
#[derive(Default)]
struct Seen {
    pages: usize,
    tools: usize,
    cursors: BTreeSet<String>,
    known: Known,
}

impl Seen {
    /// Takes in a page; says whether it brought tools, and all of them had come before with the same text.
    fn page(&mut self, result: &Value) -> bool {
        let none = Vec::new();
        let items = result.get("tools").and_then(Value::as_array).unwrap_or(&none);
        let label = |tool: &Value| tool.get("name").and_then(Value::as_str).unwrap_or(UNNAMED).to_owned();
        let tools = items.iter().filter(|item| item.is_object());
        let tools: Vec<(String, String)> = tools.map(|tool| (label(tool), tool.to_string())).collect();
        let nothing_new = !tools.is_empty() && tools.iter().all(|(label, text)| self.known.holds(label, text));
        for (label, text) in &tools {
            self.known.add(label, text);
        }
        self.pages += 1;
        self.tools += items.len();
        nothing_new
    }

    /// Why no further page may be fetched, if so.
    fn excess(&self, session: &Session<'_>) -> Option<String> {
        let limits = &session.options.limits;
        let (what, most) = if self.pages >= limits.pages {
            ("pages", limits.pages)
        } else if self.tools >= limits.tools {
            ("tools", limits.tools)
        } else {
            return None;
        };
        let most = safe::thousands(most as u64);
        Some(format!(
            "the list goes on after {most} {what}, and the rest was not read; does it hand out cursors without end?"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_old_tools_is_told_from_a_changed_one() {
        let mut seen = Seen::default();
        let a = json!({ "tools": [{ "name": "a", "description": "x" }] });
        let changed = json!({ "tools": [{ "name": "a", "description": "y" }] });
        let both = json!({ "tools": [{ "name": "a", "description": "y" }, { "name": "b" }] });
        for (page, nothing_new) in [
            (&a, false),
            (&a, true),
            (&changed, false),
            (&both, false),
            (&both, true),
            (&json!({ "tools": [] }), false),
        ] {
            assert_eq!(seen.page(page), nothing_new, "{page}");
        }
        assert_eq!(seen.pages, 6);
        assert_eq!(seen.tools, 7);
    }
}
