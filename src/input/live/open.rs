//! How a session opens: the probe, the two eras, and what tells them apart.
//!
//! Apart from the session because here is all that is known of eras. A server is legacy unless it shows otherwise,
//! but silence shows nothing: after it both questions stand, and the first answer that settles one counts.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::EraChoice;
use super::limits::{ERA_OPTION, START_OPTION, after, spoken};
use super::link::{Over, Stopped};
use super::message::{self, Reply};
use super::session::{Session, Wait};
use crate::spec::code::METHOD_NOT_FOUND;
use crate::spec::revision::{Era, Revision};
use crate::text::safe;

/// An open session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opened {
    /// By `initialize`.
    Legacy,
    /// With the revision to name on every request.
    Modern(Revision),
}

/// Starts the server and opens a session with it.
///
/// # Errors
///
/// When no session could be opened.
pub(super) fn open(session: &mut Session<'_>, choice: EraChoice) -> Result<Opened, Stopped> {
    session.start()?;
    let is_open = choice == EraChoice::Auto;
    let choice = if is_open && session.link.is_legacy() { EraChoice::Legacy } else { choice };
    let time = session.options.start.unwrap_or_else(|| session.link.start_time());
    let mut opening = Opening {
        choice,
        time,
        until: after(time),
        probe_until: None,
        discover: None,
        initialize: None,
        tried: Vec::new(),
        discovers: 0,
        may_restart: choice == EraChoice::Auto && session.link.is_process(),
        no_discover: false,
        refused: false,
        session,
    };
    match choice {
        EraChoice::Legacy => opening.initialize(Revision::NEWEST_LEGACY),
        EraChoice::Modern => opening.discover(Revision::NEWEST),
        EraChoice::Auto | EraChoice::Both => {
            opening.discover(Revision::NEWEST);
            opening.probe_until = Some(after(opening.session.options.probe_time));
        }
    }
    loop {
        if let Some(opened) = opening.step()? {
            opening.session.era = Some(match opened {
                Opened::Legacy => Era::Legacy,
                Opened::Modern(_) => Era::Modern,
            });
            return Ok(opened);
        }
    }
}

struct Opening<'o, 's> {
    session: &'o mut Session<'s>,
    choice: EraChoice,
    time: Duration,
    until: Instant,
    /// When silence to the probe is no longer waited for; none once that is over.
    probe_until: Option<Instant>,
    /// The `server/discover` that is not answered yet.
    discover: Option<u64>,
    /// The `initialize` that is not answered yet.
    initialize: Option<u64>,
    /// Revisions that `initialize` was sent with.
    tried: Vec<Revision>,
    /// How often `server/discover` was sent: again with a revision that the server named.
    discovers: usize,
    may_restart: bool,
    /// Whether `server/discover` was refused as a modern server refuses a method that it does not have.
    no_discover: bool,
    /// Whether `initialize` was answered with an error.
    refused: bool,
}

impl Opening<'_, '_> {
    fn step(&mut self) -> Result<Option<Opened>, Stopped> {
        let ids: Vec<u64> = [self.discover, self.initialize].into_iter().flatten().collect();
        let until = self.probe_until.map_or(self.until, |probe| probe.min(self.until));
        match self.session.wait(&ids, until)? {
            Wait::Answer(id, reply) if self.discover == Some(id) => {
                self.discover = None;
                self.discovered(id, reply)
            }
            Wait::Answer(_, reply) => {
                self.initialize = None;
                self.initialized(reply)
            }
            Wait::Refused(id, over) if self.discover == Some(id) => {
                self.discover = None;
                self.not_discovered(&over)
            }
            Wait::Refused(_, over) => {
                self.initialize = None;
                self.not_initialized(&over)
            }
            Wait::Silence if self.probe_until.is_some() && Instant::now() < self.until => {
                self.initialize(Revision::NEWEST_LEGACY);
                Ok(None)
            }
            Wait::Silence => Err(self.silent()),
            Wait::Gone(how) => self.gone(&how),
        }
    }

    fn discover(&mut self, revision: Revision) {
        let params = json!({ "_meta": message::meta(revision, self.session.options.version) });
        self.discovers += 1;
        self.discover = Some(self.session.request("server/discover", &params, self.time));
    }

    fn initialize(&mut self, revision: Revision) {
        self.probe_until = None;
        self.tried.push(revision);
        let params = message::initialize(revision, self.session.options.version);
        self.initialize = Some(self.session.request("initialize", &params, self.time));
    }

    fn discovered(&mut self, id: u64, reply: Reply) -> Result<Option<Opened>, Stopped> {
        match reply {
            Reply::Result(result) => match message::versions(result.get("supportedVersions")) {
                Some(_) if self.is_torn() => self.begin_modern(),
                Some(offered) => self.choose(&offered, true),
                // Some servers answer any method with an empty result.
                None => self.not_modern(),
            },
            Reply::Error(error) if message::is_modern(&error) => {
                let offered = message::supported(&error);
                if offered.is_empty() {
                    Ok(Some(Opened::Modern(Revision::NEWEST)))
                } else {
                    self.choose(&offered, false)
                }
            }
            Reply::Error(error) => {
                let unknown = error.get("code").and_then(Value::as_i64) == Some(METHOD_NOT_FOUND);
                self.no_discover = unknown && self.session.link.status(id) == Some(404);
                self.not_modern()
            }
        }
    }

    /// Whether one process was asked both questions, and may have taken the second for the one that counts.
    fn is_torn(&self) -> bool {
        !self.tried.is_empty() && !self.refused && self.may_restart
    }

    /// Starts the process again, for the modern era alone: a slow server may keep its process to the era in which a
    /// session was opened, and what it says then in the other era is not what it says there by itself.
    fn begin_modern(&mut self) -> Result<Option<Opened>, Stopped> {
        self.may_restart = false;
        self.tried.clear();
        self.initialize = None;
        self.session.start()?;
        self.until = after(self.time);
        self.discover(Revision::NEWEST);
        Ok(None)
    }

    /// The question for the era was answered over HTTP, but not with a message.
    fn not_discovered(&mut self, over: &Over) -> Result<Option<Opened>, Stopped> {
        if over.status.is_none() {
            // No answer at all is no sign of an era, and the next request would fare no better.
            return Err(self.unreachable(over));
        }
        // A server that asks for authorization says nothing of its era, but may not ask for it on every method.
        if self.choice == EraChoice::Modern && matches!(over.status, Some(401 | 403)) {
            return Err(Stopped);
        }
        self.not_modern()
    }

    /// `initialize` was answered over HTTP, but not with a message.
    fn not_initialized(&mut self, over: &Over) -> Result<Option<Opened>, Stopped> {
        let Some(status) = over.status else { return Err(self.unreachable(over)) };
        let is_older = matches!(status, 400 | 404 | 405 | 406 | 415 | 501) && !self.no_discover;
        if is_older && self.choice != EraChoice::Modern && self.session.link.fall_back() {
            self.session.start()?;
            self.until = after(self.time);
            // The transport is old, but what is spoken over it need not be.
            self.initialize(Revision::NEWEST_LEGACY);
            return Ok(None);
        }
        if is_older && self.session.link.is_fixed() {
            self.session.record.incident(format!(
                "the server does not take what Streamable HTTP posts (HTTP {status}); if it speaks HTTP+SSE, try without \
                 `--transport http`"
            ));
            return Err(Stopped);
        }
        self.refuse()
    }

    /// Notes that no answer came, and why.
    fn unreachable(&mut self, over: &Over) -> Stopped {
        let cause = over.cause.as_deref().unwrap_or("the connection was closed without an answer");
        self.session.record.incident(format!("the server could not be reached: {cause}"));
        Stopped
    }

    /// Takes the newest revision of those that the server offered. `settled` says that it has agreed to ours.
    fn choose(&mut self, offered: &[String], settled: bool) -> Result<Option<Opened>, Stopped> {
        match self.best(offered) {
            Some(revision) if revision.era() == Era::Modern => {
                if settled || self.discovers > 1 {
                    return Ok(Some(Opened::Modern(revision)));
                }
                self.discover(revision);
                Ok(None)
            }
            Some(revision) => {
                if self.initialize.is_none() {
                    self.initialize(revision);
                }
                Ok(None)
            }
            None => {
                let offered: Vec<String> =
                    offered.iter().take(5).map(|date| safe::quoted(&self.session.record.masked(date))).collect();
                let offered = if offered.is_empty() { "no revision at all".to_owned() } else { offered.join(", ") };
                self.session.record.incident(format!(
                    "the server offers {offered}, and we speak revisions up to `{}` with `{ERA_OPTION} {}`",
                    Revision::NEWEST,
                    self.choice.as_str(),
                ));
                Err(Stopped)
            }
        }
    }

    /// The newest of these revisions that we know and may speak.
    fn best(&self, offered: &[String]) -> Option<Revision> {
        let may = |revision: &Revision| match self.choice {
            EraChoice::Auto | EraChoice::Both => true,
            EraChoice::Legacy => revision.era() == Era::Legacy,
            EraChoice::Modern => revision.era() == Era::Modern,
        };
        offered.iter().filter_map(|date| Revision::from_text(date)).filter(may).max()
    }

    /// The probe was answered, and not by a modern server.
    fn not_modern(&mut self) -> Result<Option<Opened>, Stopped> {
        if self.choice == EraChoice::Modern {
            // A legacy server may well answer `tools/list` all the same, but not with what it shows in its own era.
            if self.session.options.era != EraChoice::Both {
                self.session.record.incident(format!(
                    "the server did not answer `server/discover` as a modern server must; try without `{ERA_OPTION} \
                     modern`"
                ));
            }
            return Err(Stopped);
        }
        if self.refused {
            return Err(Stopped);
        }
        if self.initialize.is_none() {
            self.initialize(Revision::NEWEST_LEGACY);
        }
        Ok(None)
    }

    fn initialized(&mut self, reply: Reply) -> Result<Option<Opened>, Stopped> {
        let error = match reply {
            Reply::Result(result) => {
                if let Some(revision) = result.get("protocolVersion").and_then(Value::as_str) {
                    self.session.link.settled(revision);
                }
                // Before the next message, over HTTP too; known as legacy by then, for what it may ask meanwhile.
                self.session.era = Some(Era::Legacy);
                self.session.notify("notifications/initialized", None);
                return Ok(Some(Opened::Legacy));
            }
            Reply::Error(error) => error,
        };
        match self.best(&message::supported(&error)) {
            Some(revision) if revision.era() == Era::Modern => return Ok(Some(Opened::Modern(revision))),
            Some(revision) if !self.tried.contains(&revision) => {
                self.initialize(revision);
                return Ok(None);
            }
            Some(_) | None => {}
        }
        self.refuse()
    }

    /// `initialize` was refused for good.
    fn refuse(&mut self) -> Result<Option<Opened>, Stopped> {
        self.refused = true;
        if self.no_discover && self.choice != EraChoice::Legacy {
            // It refuses both as a modern server without `server/discover`; each of its requests stands alone.
            return Ok(Some(Opened::Modern(Revision::NEWEST)));
        }
        if self.discover.is_none() {
            return Err(Stopped);
        }
        // A modern server may refuse `initialize` before it gets to the probe.
        self.until = self.until.min(after(self.session.options.probe_time));
        Ok(None)
    }

    fn gone(&mut self, how: &str) -> Result<Option<Opened>, Stopped> {
        if self.may_restart && !self.refused {
            self.may_restart = false;
            self.discover = None;
            self.session.start()?;
            self.until = after(self.time);
            self.initialize(Revision::NEWEST_LEGACY);
            return Ok(None);
        }
        self.session.died(how, &self.asked());
        Err(Stopped)
    }

    fn silent(&mut self) -> Stopped {
        if !self.refused {
            let within = format!("{} of its start", spoken(self.time));
            let way_out = format!("if it is slow to start, raise `{START_OPTION}`");
            self.session.silent(&self.asked(), &within, &way_out);
        }
        Stopped
    }

    /// What is waited for, in words.
    fn asked(&self) -> String {
        match (self.discover, self.initialize) {
            (Some(_), Some(_)) => "`server/discover` or `initialize`",
            (Some(_), None) => "`server/discover`",
            (None, _) => "`initialize`",
        }
        .to_owned()
    }
}

/// The parameters of one `tools/list`.
pub(super) fn list_params(opened: Opened, cursor: Option<&str>, version: &str) -> Value {
    let mut params = json!({});
    if let Some(members) = params.as_object_mut() {
        if let Some(cursor) = cursor {
            members.insert("cursor".to_owned(), cursor.into());
        }
        if let Opened::Modern(revision) = opened {
            members.insert("_meta".to_owned(), message::meta(revision, version));
        }
    }
    params
}
