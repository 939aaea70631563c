//! The `[targets.NAME]` of `toolsurface.toml`.
//!
//! Apart from the other settings, because only here may values stand that nobody may see.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use toml::Spanned;

use super::gate::FailOn;
use super::reader::Reader;
use crate::error::Trouble;
use crate::input::{
    headers::{self, Wanted},
    live::{EraChoice, Launch},
    remote::Shape,
    target::{Place, Target},
};

/// A `[targets.NAME]`.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What it points at.
    pub target: Target,
    /// The lowest severity that fails a run on it.
    pub fail_on: Option<FailOn>,
    /// Whether an empty list is fine.
    pub allow_empty: bool,
    /// How to open the session.
    pub era: Option<EraChoice>,
    /// Headers for a server at an address.
    pub headers: Wanted,
    /// Limits of its own, which go before those of all.
    pub budgets: BTreeMap<String, f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct WrittenTarget {
    command: Option<Vec<String>>,
    url: Option<Spanned<String>>,
    file: Option<String>,
    config: Option<String>,
    #[serde(default)]
    headers: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default)]
    header_env: BTreeMap<Spanned<String>, String>,
    bearer_env: Option<String>,
    transport: Option<Spanned<String>>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    cwd: Option<String>,
    era: Option<Spanned<String>>,
    fail_on: Option<FailOn>,
    #[serde(default)]
    allow_empty: bool,
    profile_of: Option<String>,
    #[serde(default)]
    budgets: BTreeMap<Spanned<String>, Spanned<f64>>,
}

impl Reader<'_> {
    /// Reads one target.
    pub(super) fn target(&self, name: &str, written: &Spanned<WrittenTarget>) -> Result<Entry, Trouble> {
        let fault = |problem: &str, help: &str| self.fault(written.span(), problem, Some(help.to_owned()));
        let WrittenTarget { command, url, file, config, env, cwd, era, fail_on, allow_empty, .. } = written.get_ref();
        let WrittenTarget { profile_of, budgets, .. } = written.get_ref();
        let within = |path: &str| self.folder.map_or_else(|| PathBuf::from(path), |folder| folder.join(path));
        let place = match (command, url, file, config) {
            (Some(command), None, None, None) if !command.is_empty() => Place::Stdio(Launch {
                command: command.clone(),
                env: env.clone(),
                cwd: Some(within(cwd.as_deref().unwrap_or("."))),
                program: None,
            }),
            (None, Some(url), None, None) => self.remote(url, written.get_ref())?,
            (None, None, Some(file), None) => Place::File(within(file)),
            (None, None, None, Some(config)) => Target::config(&within(config), Vec::new()).place,
            _ => {
                return Err(fault("a target has one of `command`, `url`, `file` and `config`", "give one of the four"));
            }
        };
        let headers = self.headers(written.get_ref())?;
        let is_remote = !headers.is_empty() || written.get_ref().transport.is_some();
        if is_remote && !matches!(place, Place::Http(_)) {
            return Err(fault("headers and `transport` belong to a `url`", "take them out, or give the `url`"));
        }
        let era = match era {
            None => None,
            Some(word) => Some(EraChoice::from_text(word.get_ref()).ok_or_else(|| {
                self.fault(word.span(), "not an era", Some("write auto, legacy, modern or both".to_owned()))
            })?),
        };
        let (id, profile_of) = (Some(name.to_owned()), profile_of.clone());
        let words = vec![name.to_owned()];
        let target = Target { name: name.to_owned(), place, words, version: None, id, profile_of };
        let budgets = self.budgets(budgets)?;
        Ok(Entry { target, fail_on: *fail_on, allow_empty: *allow_empty, era, headers, budgets })
    }

    fn remote(&self, url: &Spanned<String>, written: &WrittenTarget) -> Result<Place, Trouble> {
        let help = |text: &str| Some(text.to_owned());
        let mut place = Target::address(url.get_ref())
            .map_err(|_| {
                self.fault(url.span(), "no address of a server", help("write it like https://example.test/mcp"))
            })?
            .place;
        if let (Place::Http(remote), Some(word)) = (&mut place, &written.transport) {
            remote.shape = Shape::from_text(word.get_ref())
                .ok_or_else(|| self.fault(word.span(), "not a transport", help("write auto, http or sse")))?;
        }
        Ok(place)
    }

    fn headers(&self, written: &WrittenTarget) -> Result<Wanted, Trouble> {
        let mut wanted = Wanted { bearer: written.bearer_env.clone(), ..Wanted::default() };
        for (name, value) in &written.headers {
            let header = headers::checked(name.get_ref(), value.get_ref());
            wanted.given.push(header.map_err(|problem| self.fault(name.span(), problem, None))?);
        }
        for (name, variable) in &written.header_env {
            headers::checked(name.get_ref(), "").map_err(|problem| self.fault(name.span(), problem, None))?;
            wanted.from_env.push((name.get_ref().clone(), variable.clone()));
        }
        Ok(wanted)
    }
}
