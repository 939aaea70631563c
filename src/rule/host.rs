//! Host profiles: what a named host makes of which fault, each with its source and day.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use crate::error::Trouble;
use crate::finding::{Confidence, Effect, Harm};
use crate::text::pointer::Pointer;

/// One host, as public reports describe it. Not a promise of its maker.
#[derive(Clone, Debug)]
pub struct Host {
    /// The id, as in `--hosts`; the file's name.
    pub id: String,
    /// What the host is called.
    pub title: String,
    /// The profile that holds what is true now, when this one keeps an older state.
    pub superseded_by: Option<String>,
    /// How the name that a model sees is built, with `{server}` and `{tool}`; none when it is the tool's alone.
    pub prefix: Option<String>,
    /// What it minds.
    limits: Vec<Limit>,
}

/// What a host makes of the findings of one rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The rule.
    pub rule: String,
    /// Where a finding must stand, from the tool object, if not just anywhere.
    pub within: Option<Pointer>,
    /// How the host's names are built; see [`Host::prefix`].
    pub prefix: Option<Arc<str>>,
    /// What the host does, and who says so.
    pub effect: Arc<Effect>,
}

/// The form of a profile's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    title: String,
    superseded_by: Option<String>,
    prefix: Option<String>,
    #[serde(default)]
    limits: Vec<WrittenLimit>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLimit {
    rule: String,
    harm: Harm,
    value: Option<Value>,
    within: Option<String>,
    source: String,
    url: String,
    date: String,
    confidence: Confidence,
}

impl Host {
    /// Reads a profile.
    ///
    /// # Errors
    ///
    /// [`Trouble::Rule`] with the place in the file.
    pub fn from_text(id: &str, text: &str) -> Result<Self, Trouble> {
        let Written { title, superseded_by, prefix, limits } = toml::from_str(text).map_err(|error| {
            Trouble::rule(&format!("hosts/{id}.toml"), text, error.span().unwrap_or(0..0), error.message())
        })?;
        let shared: Option<Arc<str>> = prefix.as_deref().map(Arc::from);
        let limits = limits.into_iter().map(|written| {
            let WrittenLimit { rule, harm, value: limit, within, source, url, date, confidence } = written;
            let (host, title) = (id.to_owned(), title.clone());
            let effect = Effect { host, title, harm, limit, source, url, date, confidence };
            Limit { rule, within: within.map(Pointer::from_text), prefix: shared.clone(), effect: Arc::new(effect) }
        });
        let limits = limits.collect();
        Ok(Self { id: id.to_owned(), title, superseded_by, prefix, limits })
    }

    /// All that it minds.
    pub fn limits(&self) -> &[Limit] {
        &self.limits
    }
}

impl Limit {
    /// The limit as a whole number, where it is one.
    pub fn number(&self) -> Option<u64> {
        self.effect.limit.as_ref()?.as_u64()
    }

    /// The limit as a text, where it is one.
    pub fn text(&self) -> Option<&str> {
        self.effect.limit.as_ref()?.as_str()
    }

    /// The limit as texts, where it is a list.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.effect.limit.as_ref().and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }

    /// Whether the host minds a finding at this place.
    pub fn covers(&self, at: &Pointer) -> bool {
        self.within.as_ref().is_none_or(|within| at == within || at.below(within).is_some())
    }
}
