//! Calls of tools, which are made only when the user names each of them.

use serde_json::{Value, json};

use super::header::{Headers, mirrored};
use super::limits::{self, after};
use super::link::{Over, Stopped};
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
    let (mut silent, all) = (0, session.options.calls.len());
    for (n, call) in session.options.calls.iter().enumerate() {
        session.record.stage = Stage::Call;
        if silent >= limits::SILENT_CALLS {
            let left = all - n;
            session.record.incident(format!("{silent} calls in a row were not answered, and {left} more not made"));
            break;
        }
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
        let asked = format!("the call of {}", safe::quoted(&call.tool));
        silent = match ask(session, "tools/call", &params, headers, &asked)? {
            Asked::Answered => 0,
            Asked::Refused(over) => {
                // Of a call nothing but a message is an answer.
                if let Over { status: Some(status), cause: None, .. } = over {
                    session.record.incident(format!("{asked} was answered with HTTP {status} and no JSON-RPC message"));
                }
                0
            }
            Asked::Silent => silent + 1,
        };
    }
    // What the calls changed shows in the list alone.
    once_more(session, opened)
}

/// What became of a request.
pub(super) enum Asked {
    /// A message came.
    Answered,
    /// The reply held none, and may be an answer all the same. That it broke off is an incident.
    Refused(Over),
    /// Nothing came in time, which is an incident.
    Silent,
}

/// Sends a request and waits for its answer, which the wire then shows.
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
) -> Result<Asked, Stopped> {
    let time = session.options.request;
    let id = session.request_with(method, params, time, headers);
    match session.wait(&[id], after(time))? {
        Wait::Answer(..) => Ok(Asked::Answered),
        Wait::Refused(_, over) => {
            refused(session, asked, &over);
            Ok(Asked::Refused(over))
        }
        Wait::Silence => {
            silent(session, asked, time);
            session.cancel(id);
            Ok(Asked::Silent)
        }
        Wait::Gone(how) => {
            session.died(&how, asked);
            Err(Stopped)
        }
    }
}
