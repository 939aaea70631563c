//! Calls of tools, which are made only when the user names each of them.

use serde_json::{Value, json};

use super::header::mirrored;
use super::limits::after;
use super::link::{Headers, Stopped};
use super::list::{once_more, refused, silent};
use super::message;
use super::open::Opened;
use super::session::{Session, Wait};
use crate::finding::Stage;
use crate::input::progress::Progress;
use crate::text::near::nearest;
use crate::text::safe;

/// Makes the calls that the user wants, one after the other. What a tool answers, an error too, is on the wire.
///
/// # Errors
///
/// When the session cannot go on.
pub(super) fn calls(session: &mut Session<'_>, opened: Opened) -> Result<(), Stopped> {
    if session.options.calls.is_empty() {
        return Ok(());
    }
    (session.tell)(Progress::Asking);
    for call in &session.options.calls {
        session.record.stage = Stage::Call;
        if !session.called.contains_key(&call.tool) {
            let near = nearest(&call.tool, session.named.iter().map(String::as_str));
            let near = near.map_or_else(String::new, |near| format!("; did you mean {}?", safe::quoted(near)));
            session.record.incident(format!("the list has no tool {} to call{near}", safe::quoted(&call.tool)));
            continue;
        }
        let mut params = json!({ "name": call.tool, "arguments": call.arguments });
        let mut headers = Headers::new();
        if let (Opened::Modern(revision), Some(members)) = (opened, params.as_object_mut()) {
            members.insert("_meta".to_owned(), message::meta(revision, session.options.version));
            headers =
                session.called.get(&call.tool).map(|schema| mirrored(schema, &call.arguments)).unwrap_or_default();
        }
        ask(session, "tools/call", &params, headers, &format!("the call of {}", safe::quoted(&call.tool)))?;
    }
    // What the calls changed shows in the list alone.
    once_more(session, opened)
}

/// Sends a request and waits for its answer, which the wire then shows; says whether one came. That none did is an
/// incident.
///
/// # Errors
///
/// When the session cannot go on.
pub(super) fn ask(
    session: &mut Session<'_>,
    method: &str,
    params: &Value,
    headers: Headers,
    asked: &str,
) -> Result<bool, Stopped> {
    let time = session.options.request;
    let id = session.request_with(method, params, time, headers);
    match session.wait(&[id], after(time))? {
        Wait::Answer(..) => Ok(true),
        Wait::Refused(_, over) => {
            refused(session, asked, &over);
            Ok(true)
        }
        Wait::Silence => {
            silent(session, asked, time);
            session.cancel(id);
            Ok(false)
        }
        Wait::Gone(how) => {
            session.died(&how, asked);
            Err(Stopped)
        }
    }
}
