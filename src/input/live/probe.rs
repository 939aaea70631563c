//! Requests that must be refused, or that an old habit would answer: sent only when the user asks for it.
//!
//! None of them has a side effect: nothing is called that exists, and what opens a session is closed again. What they
//! show is judged by rules, from the wire; here is only what to ask.

use serde_json::{Map, Value, json};

use super::call::{Asked, ask};
use super::header::Headers;
use super::http::Method;
use super::link::Stopped;
use super::message;
use super::open::Opened;
use super::session::Session;
use crate::finding::Stage;
use crate::input::progress::Progress;
use crate::spec::{meta::META_VERSION, revision::Revision};

/// A name that no tool and no method has.
const NOBODY: &str = "toolsurface_probe_no_such_name";

/// Another one.
const OTHER_NOBODY: &str = "toolsurface_probe_no_such_name_either";

/// A version that no revision has.
const NO_VERSION: &str = "1999-01-01";

/// A web page that no server knows.
const FOREIGN: &str = "https://toolsurface-probe.invalid";

/// Asks for all that must be refused in this era.
///
/// # Errors
///
/// When the session cannot go on.
pub(super) fn probes(session: &mut Session<'_>, opened: Opened) -> Result<(), Stopped> {
    if !session.options.probe {
        return Ok(());
    }
    session.record.stage = Stage::Probe;
    (session.tell)(Progress::Asking);
    let mut probing = Probing { session, opened };
    probing.both()?;
    match opened {
        Opened::Legacy => probing.legacy(),
        Opened::Modern(revision) => probing.modern(revision),
    }
}

struct Probing<'p, 's> {
    session: &'p mut Session<'s>,
    opened: Opened,
}

impl Probing<'_, '_> {
    /// What is wrong in every era.
    fn both(&mut self) -> Result<(), Stopped> {
        self.plain("tools/call", json!({ "name": NOBODY, "arguments": {} }))?;
        self.plain("tools/call", json!({ "arguments": {} }))?;
        self.plain("tools/list", json!({ "cursor": NOBODY }))?;
        self.plain(NOBODY, json!({}))
    }

    fn legacy(&mut self) -> Result<(), Stopped> {
        if self.session.link.is_process() {
            return Ok(());
        }
        self.odd("ping", &json!({}), header("MCP-Protocol-Version", Some(NO_VERSION)))?;
        self.session.linger()?;
        self.odd("ping", &json!({}), header("Origin", Some(FOREIGN)))
    }

    fn modern(&mut self, revision: Revision) -> Result<(), Stopped> {
        const DISCOVER: &str = "server/discover";
        let whole = message::meta(revision, self.session.options.version);
        let without = |name: &str| {
            let mut meta = whole.clone();
            let members = meta.as_object_mut().map(std::mem::take).unwrap_or_default();
            let kept: Map<String, Value> =
                members.into_iter().filter(|(known, _)| !known.ends_with(&format!("/{name}"))).collect();
            json!({ "_meta": kept })
        };
        let mut other = whole.clone();
        if let Some(members) = other.as_object_mut() {
            members.insert(META_VERSION.to_owned(), NO_VERSION.into());
        }
        self.odd(DISCOVER, &json!({ "_meta": other }), header("MCP-Protocol-Version", Some(NO_VERSION)))?;
        self.odd(DISCOVER, &without("clientInfo"), Vec::new())?;
        self.odd(DISCOVER, &without("clientCapabilities"), Vec::new())?;
        self.plain("ping", json!({}))?;
        if self.session.link.is_process() {
            return self.initialize();
        }
        for (name, value) in [
            ("Mcp-Method", Some("tools/list")),
            ("Mcp-Method", None),
            ("MCP-Protocol-Version", Some("2025-11-25")),
            ("MCP-Protocol-Version", None),
            ("Origin", Some(FOREIGN)),
        ] {
            self.odd(DISCOVER, &json!({ "_meta": whole }), header(name, value))?;
        }
        for other in [Some(OTHER_NOBODY), None] {
            let params = json!({ "name": NOBODY, "arguments": {}, "_meta": whole });
            self.odd("tools/call", &params, header("Mcp-Name", other))?;
        }
        for method in [Method::Get, Method::Delete] {
            let headers = [("MCP-Protocol-Version", revision.as_str().to_owned())];
            self.session.link.bare(method, &headers, &mut self.session.record);
        }
        self.session.linger()?;
        self.initialize()
    }

    /// What a modern server says to the handshake of old. The last probe, since a server of both eras begins a session.
    fn initialize(&mut self) -> Result<(), Stopped> {
        let params = message::initialize(Revision::NEWEST_LEGACY, self.session.options.version);
        self.odd("initialize", &params, Vec::new())
    }

    /// A request that is well made, for something that is not there.
    fn plain(&mut self, method: &str, mut params: Value) -> Result<(), Stopped> {
        if let (Opened::Modern(revision), Some(members)) = (self.opened, params.as_object_mut()) {
            members.insert("_meta".to_owned(), message::meta(revision, self.session.options.version));
        }
        self.odd(method, &params, Vec::new())
    }

    fn odd(&mut self, method: &str, params: &Value, headers: Headers) -> Result<(), Stopped> {
        let asked = format!("the probe `{method}`");
        match ask(self.session, method, params, headers, &asked)? {
            Asked::Answered => {}
            Asked::Refused(over) => {
                // Below that a status alone says something, and rules look at it.
                if let Some(status) = over.status.filter(|status| *status >= 500) {
                    self.session.record.incident(format!("{asked} was answered with HTTP {status}; look into its log"));
                }
            }
            // Who is silent once will be so again, and each time would cost a time-out.
            Asked::Silent => return Err(Stopped),
        }
        Ok(())
    }
}

fn header(name: &str, value: Option<&str>) -> Headers {
    vec![(name.to_owned(), value.map(str::to_owned))]
}
