//! Listing the tools of an open session, page by page to the end.
//!
//! Apart from opening because it ends otherwise: a list that runs in circles is a fault of the server, which rules
//! report from the record, and only what is not fetched any more for a bound of ours is an incident.

use std::collections::BTreeSet;
use std::time::Instant;

use serde_json::{Value, json};

use super::limits::{REQUEST_OPTION, after, spoken};
use super::message::{self, Reply};
use super::open::{Opened, list_params};
use super::session::{Session, Stopped, Wait};
use crate::finding::Stage;
use crate::surface::{UNNAMED, wire::Known};
use crate::text::safe;

/// Lists all pages.
///
/// # Errors
///
/// When the list could not be followed to its end.
pub(super) fn list(session: &mut Session<'_>, opened: Opened) -> Result<(), Stopped> {
    session.record.stage = Stage::List;
    let end = after(session.options.limits.listing);
    let mut seen = Seen::default();
    let mut cursor: Option<String> = None;
    loop {
        let result = page(session, opened, cursor.as_deref(), end)?;
        let nothing_new = seen.page(&result);
        // `null` breaks the schema and is read as the end; an empty string is a cursor like any other.
        let Some(next) = result.get("nextCursor").and_then(Value::as_str) else { return Ok(()) };
        if nothing_new || !seen.cursors.insert(next.to_owned()) {
            return Ok(());
        }
        if let Some(cause) = seen.excess(session) {
            session.record.incident(cause);
            return Err(Stopped);
        }
        cursor = Some(next.to_owned());
    }
}

/// Fetches one page.
fn page(session: &mut Session<'_>, opened: Opened, cursor: Option<&str>, end: Instant) -> Result<Value, Stopped> {
    let options = session.options;
    let id = session.request("tools/list", &list_params(opened, cursor, options.version));
    let until = after(options.request);
    let place = cursor.map_or_else(String::new, |cursor| format!(" for the cursor {}", safe::quoted(cursor)));
    match session.wait(&[id], until.min(end))? {
        Wait::Answer(_, Reply::Result(result)) => return Ok(result),
        // The wire shows it.
        Wait::Answer(_, Reply::Error(_)) => {}
        Wait::Gone(ended) => session.died(ended, &format!("`tools/list`{place}")),
        Wait::Silence => {
            if end < until && Instant::now() >= end {
                let (time, instead) = (spoken(options.limits.listing), session.instead());
                session.record.incident(format!(
                    "the list was not at its end after {time}, and the rest was not read{instead}; answer pages faster"
                ));
            } else {
                let way_out = format!("if it is slow, raise `{REQUEST_OPTION}`");
                session.silent(&format!("`tools/list`{place}"), &spoken(options.request), &way_out);
            }
            let params = json!({ "requestId": id, "reason": "time-out" });
            session.send(message::notification("notifications/cancelled", Some(&params)));
        }
    }
    Err(Stopped)
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
