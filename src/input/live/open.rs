//! How a session opens: the probe, the two eras, and what tells them apart.
//!
//! Apart from the session because here is all that is known of eras. A server is legacy unless it shows otherwise,
//! but silence shows nothing: after it both questions stand, and the first answer that settles one counts.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::EraChoice;
use super::group::Ended;
use super::limits::{self, ERA_OPTION, START_OPTION, after, spoken};
use super::message::{self, Reply};
use super::session::{Session, Stopped, Wait};
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
pub(super) fn open(session: &mut Session<'_>) -> Result<Opened, Stopped> {
    session.start()?;
    let choice = session.options.era;
    let time = session.options.start.unwrap_or_else(|| limits::start_for(session.command()));
    let mut opening = Opening {
        choice,
        time,
        until: after(time),
        probe_until: None,
        discover: None,
        initialize: None,
        tried: Vec::new(),
        asked_again: false,
        may_restart: choice == EraChoice::Auto,
        refused: false,
        session,
    };
    match choice {
        EraChoice::Legacy => opening.initialize(Revision::NEWEST_LEGACY),
        EraChoice::Modern => opening.discover(Revision::NEWEST),
        EraChoice::Auto => {
            opening.discover(Revision::NEWEST);
            opening.probe_until = Some(after(opening.session.options.probe));
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
    /// Whether `server/discover` was sent again with a revision that the server named.
    asked_again: bool,
    may_restart: bool,
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
                self.discovered(reply)
            }
            Wait::Answer(_, reply) => {
                self.initialize = None;
                self.initialized(reply)
            }
            Wait::Silence if self.probe_until.is_some() && Instant::now() < self.until => {
                self.initialize(Revision::NEWEST_LEGACY);
                Ok(None)
            }
            Wait::Silence => Err(self.silent()),
            Wait::Gone(ended) => self.gone(ended),
        }
    }

    fn discover(&mut self, revision: Revision) {
        let params = json!({ "_meta": message::meta(revision, self.session.options.version) });
        self.discover = Some(self.session.request("server/discover", &params));
    }

    fn initialize(&mut self, revision: Revision) {
        self.probe_until = None;
        self.tried.push(revision);
        let params = message::initialize(revision, self.session.options.version);
        self.initialize = Some(self.session.request("initialize", &params));
    }

    fn discovered(&mut self, reply: Reply) -> Result<Option<Opened>, Stopped> {
        match reply {
            Reply::Result(result) => match message::versions(result.get("supportedVersions")) {
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
            Reply::Error(_) => self.not_modern(),
        }
    }

    /// Takes the newest revision of those that the server offered. `settled` says that it has agreed to ours.
    fn choose(&mut self, offered: &[String], settled: bool) -> Result<Option<Opened>, Stopped> {
        match self.best(offered) {
            Some(revision) if revision.era() == Era::Modern => {
                if settled || self.asked_again {
                    return Ok(Some(Opened::Modern(revision)));
                }
                self.asked_again = true;
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
                let offered: Vec<String> = offered.iter().take(5).map(|date| safe::quoted(date)).collect();
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
            EraChoice::Auto => true,
            EraChoice::Legacy => revision.era() == Era::Legacy,
            EraChoice::Modern => revision.era() == Era::Modern,
        };
        offered.iter().filter_map(|date| Revision::from_text(date)).filter(may).max()
    }

    /// The probe was answered, and not by a modern server.
    fn not_modern(&mut self) -> Result<Option<Opened>, Stopped> {
        if self.choice == EraChoice::Modern {
            // A legacy server may well answer `tools/list` all the same, but not with what it shows in its own era.
            self.session.record.incident(format!(
                "the server did not answer `server/discover` as a modern server must; try without `{ERA_OPTION} modern`"
            ));
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
            Reply::Result(_) => {
                self.session.send(message::notification("notifications/initialized", None));
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
        self.refused = true;
        if self.discover.is_none() {
            return Err(Stopped);
        }
        // A modern server may refuse `initialize` before it gets to the probe.
        self.until = self.until.min(after(self.session.options.probe));
        Ok(None)
    }

    fn gone(&mut self, ended: Option<Ended>) -> Result<Option<Opened>, Stopped> {
        if self.may_restart && !self.refused {
            self.may_restart = false;
            self.discover = None;
            self.session.start()?;
            self.until = after(self.time);
            self.initialize(Revision::NEWEST_LEGACY);
            return Ok(None);
        }
        self.session.died(ended, &self.asked());
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
