//! `toolsurface.toml`, read with places: every complaint points at the characters it is about.
//!
//! Precedence: command line, then this file, then the rule. The types of single settings live with the layers that use
//! them; this file only assembles them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use globset::GlobBuilder;
use serde::Deserialize;
use toml::Spanned;

use super::allow::{Allow, Day};
use super::gate::FailOn;
use super::reader::Reader;
use super::targets::{Entry, WrittenTarget};
use crate::check::settings::{BUDGETS, Settings};
use crate::error::Trouble;
use crate::finding::Severity;
use crate::measure::Band;
use crate::rule::{RuleSet, example::settings_text};
use crate::text::{near::nearest, regular};

/// The name of the file that is looked for upward.
pub const FILE: &str = "toolsurface.toml";
/// Bytes of a settings file.
const MOST_BYTES: u64 = 1 << 20;

/// What the user decided, checked.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Severities by rule.
    pub severity: BTreeMap<String, SeverityWord>,
    /// What checks look at.
    pub checks: Settings,
    /// The exceptions.
    pub allow: Vec<Allow>,
    /// The lowest severity that fails a run, for all targets.
    pub fail_on: Option<FailOn>,
    /// The targets by name.
    pub targets: BTreeMap<String, Entry>,
    /// The target taken when none is named.
    pub default: Option<String>,
    /// Time-outs.
    pub limits: Limits,
}

/// Time-outs for live servers.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    #[serde(rename = "start-timeout")]
    start: Option<f64>,
    #[serde(rename = "probe-timeout")]
    probe: Option<f64>,
    #[serde(rename = "request-timeout")]
    request: Option<f64>,
}

impl Limits {
    /// The time from the start of the process to the open session.
    pub fn start(self) -> Option<Duration> {
        self.start.and_then(seconds)
    }

    /// The time that an unknown server has to answer the probe.
    pub fn probe(self) -> Option<Duration> {
        self.probe.and_then(seconds)
    }

    /// The time for one request.
    pub fn request(self) -> Option<Duration> {
        self.request.and_then(seconds)
    }
}

/// A time-out in seconds; none for what is no time.
pub fn seconds(value: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(value).ok().filter(|time| !time.is_zero())
}

/// What `[severity]` says of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeverityWord {
    /// Its findings are not wanted.
    Off,
    /// All its findings have this severity.
    Is(Severity),
}

/// The file as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Written {
    default: Option<Spanned<String>>,
    fail_on: Option<FailOn>,
    #[serde(default)]
    hosts: Vec<Spanned<String>>,
    /// Read before the rest, by [`Config::rule_folders`]: other settings may name these rules.
    #[serde(default, rename = "rules")]
    _rules: WrittenRules,
    #[serde(default)]
    severity: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default)]
    budgets: BTreeMap<Spanned<String>, Spanned<f64>>,
    band: Option<Spanned<WrittenBand>>,
    limits: Option<Spanned<Limits>>,
    #[serde(default)]
    allow: Vec<Spanned<WrittenAllow>>,
    #[serde(default)]
    targets: BTreeMap<String, Spanned<WrittenTarget>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRules {
    #[serde(default, rename = "paths")]
    _paths: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenBand {
    low: u64,
    high: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenAllow {
    rule: Spanned<String>,
    subject: Spanned<String>,
    reason: Spanned<String>,
    until: Option<Spanned<String>>,
}

impl Config {
    /// The settings file above `folder`, up to the repository's root.
    pub fn locate(folder: &Path) -> Option<PathBuf> {
        for above in folder.ancestors() {
            let file = above.join(FILE);
            if file.is_file() {
                return Some(file);
            }
            if above.join(".git").exists() {
                return None;
            }
        }
        None
    }

    /// The folders of rules that a settings file names under `[rules]`, as paths from here. What is wrong in the file is
    /// told by [`Config::read`].
    pub fn rule_folders(path: &Path) -> Vec<PathBuf> {
        let table: Option<toml::Table> = regular::read_text(path, MOST_BYTES).ok().and_then(|text| text.parse().ok());
        let paths = table.as_ref().and_then(|table| table.get("rules")?.get("paths")?.as_array());
        let within = |word: &str| path.parent().map_or_else(|| PathBuf::from(word), |folder| folder.join(word));
        paths.into_iter().flatten().filter_map(toml::Value::as_str).map(within).collect()
    }

    /// Reads a settings file.
    ///
    /// # Errors
    ///
    /// [`Trouble::Config`] with the place of the fault, [`Trouble::Usage`] when the file cannot be read.
    pub fn read(path: &Path, rules: &RuleSet) -> Result<Self, Trouble> {
        let text = regular::read_text(path, MOST_BYTES).map_err(|cause| {
            Trouble::usage(format!("{}: {cause}", path.display()), "check the path given with `--config`")
        })?;
        Self::from_text(&path.display().to_string(), &text, path.parent(), rules)
    }

    /// Reads the text of a settings file; paths in it are relative to `folder`.
    ///
    /// # Errors
    ///
    /// [`Trouble::Config`] with the place of the fault.
    pub fn from_text(name: &str, text: &str, folder: Option<&Path>, rules: &RuleSet) -> Result<Self, Trouble> {
        let reader = Reader { name, text, folder, rules };
        let written: Written = toml::from_str(text).map_err(|error| reader.toml(&error))?;
        reader.config(written)
    }

    /// Reads settings that stand in a JSON document, as in the examples of rule files.
    ///
    /// # Errors
    ///
    /// [`Trouble::Config`] with the place in the same settings written as TOML.
    pub fn from_json(settings: &serde_json::Value, rules: &RuleSet) -> Result<Self, Trouble> {
        Self::from_text("settings", &settings_text(settings), None, rules)
    }

    /// What `[severity]` says of a rule.
    pub fn severity_of(&self, rule: &str) -> Option<SeverityWord> {
        self.severity.get(rule).copied()
    }

    /// The target taken when none is named: the one called so, or the only one.
    pub fn default_target(&self) -> Option<&Entry> {
        match &self.default {
            Some(name) => self.targets.get(name),
            None if self.targets.len() == 1 => self.targets.values().next(),
            None => None,
        }
    }
}

/// JSON as TOML. Null has no form there and becomes an empty text, which no setting takes.
/// What the TOML reader says, without the names that types have in Rust.
fn plain(problem: &str) -> String {
    let words = [
        ("unknown field", "unknown key"),
        ("invalid type: ", "wrong type: "),
        ("expected a sequence", "expected a list like `[\"a\", \"b\"]`"),
        ("expected a map", "expected a table"),
        ("expected a boolean", "expected true or false"),
        ("expected f64", "expected a number"),
        ("expected u64", "expected a whole number"),
        ("expected usize", "expected a whole number"),
    ];
    words.into_iter().fold(problem.to_owned(), |text, (from, to)| text.replace(from, to))
}

impl Reader<'_> {
    /// A fault that the TOML reader found, with the nearest of the keys it would take.
    fn toml(&self, error: &toml::de::Error) -> Trouble {
        let message = error.message();
        let mut quoted = message.split('`').skip(1).step_by(2);
        let help = message.starts_with("unknown field").then(|| quoted.next()).flatten().map(|word| {
            let known: Vec<&str> = quoted.collect();
            nearest(word, known.iter().copied())
                .map_or_else(|| format!("known here: {}", known.join(", ")), |near| format!("did you mean `{near}`?"))
        });
        let problem = if help.is_some() { message.split(", expected").next().unwrap_or(message) } else { message };
        self.fault(error.span().unwrap_or(0..0), plain(problem), help)
    }

    fn config(&self, written: Written) -> Result<Config, Trouble> {
        let mut config = Config { fail_on: written.fail_on, ..Config::default() };
        for (rule, word) in &written.severity {
            self.known_rule(rule)?;
            let word = self.severity(word)?;
            config.severity.insert(self.current_id(rule), word);
        }
        for host in &written.hosts {
            let named = self.rules.find_hosts(std::slice::from_ref(host.get_ref())).map_err(|_| {
                let problem = format!("there is no host profile `{}`", host.get_ref());
                self.fault(host.span(), problem, Some(self.rules.host_suggestion(host.get_ref())))
            })?;
            config.checks.hosts.extend(named);
        }
        config.checks.limits = self.budgets(&written.budgets)?;
        self.windows(&written.budgets)?;
        self.timeouts(written.limits.as_ref())?;
        config.limits = written.limits.as_ref().map(|limits| *limits.get_ref()).unwrap_or_default();
        if let Some(band) = &written.band {
            let WrittenBand { low, high } = *band.get_ref();
            if low > high {
                return Err(self.fault(band.span(), "the band's `low` is above its `high`", None));
            }
            config.checks.band = Band { low, high };
        }
        for allow in written.allow {
            config.allow.push(self.allow(&allow)?);
        }
        for (name, target) in written.targets {
            let entry = self.target(&name, &target)?;
            config.targets.insert(name, entry);
        }
        if let Some(default) = written.default {
            if !config.targets.contains_key(default.get_ref()) {
                let known: Vec<&str> = config.targets.keys().map(String::as_str).collect();
                let help = format!("there is: {}", known.join(", "));
                return Err(self.fault(default.span(), "no target of this name", Some(help)));
            }
            config.default = Some(default.into_inner());
        }
        Ok(config)
    }

    fn known_rule(&self, rule: &Spanned<String>) -> Result<(), Trouble> {
        if self.rules.get(rule.get_ref()).is_some() {
            return Ok(());
        }
        let help = self.rules.suggestion(rule.get_ref());
        Err(self.fault(rule.span(), format!("there is no rule `{}`", rule.get_ref()), Some(help)))
    }

    /// The id that a rule has today; settings may still use an earlier one.
    fn current_id(&self, rule: &Spanned<String>) -> String {
        self.rules.get(rule.get_ref()).map_or_else(|| rule.get_ref().clone(), |rule| rule.meta.id.clone())
    }

    /// A share of a window needs the window.
    fn windows(&self, budgets: &BTreeMap<Spanned<String>, Spanned<f64>>) -> Result<(), Trouble> {
        let given = |name: &str| budgets.iter().find(|(key, _)| key.get_ref() == name);
        match (given("max-share-percent"), given("context-window")) {
            (Some((key, _)), None) => {
                let help = "add `context-window`, in tokens".to_owned();
                Err(self.fault(key.span(), "a share of which window?", Some(help)))
            }
            (_, Some((_, window))) if *window.get_ref() == 0.0 => {
                Err(self.fault(window.span(), "a window has at least one token", None))
            }
            _ => Ok(()),
        }
    }

    fn timeouts(&self, limits: Option<&Spanned<Limits>>) -> Result<(), Trouble> {
        let Some(limits) = limits else { return Ok(()) };
        let Limits { start, probe, request } = limits.get_ref();
        let wrong = [start, probe, request].into_iter().flatten().any(|value| seconds(*value).is_none());
        if !wrong {
            return Ok(());
        }
        Err(self.fault(limits.span(), "a time-out is a number of seconds above 0", None))
    }

    fn severity(&self, word: &Spanned<String>) -> Result<SeverityWord, Trouble> {
        match word.get_ref().as_str() {
            "off" => Ok(SeverityWord::Off),
            "info" => Ok(SeverityWord::Is(Severity::Info)),
            "warn" => Ok(SeverityWord::Is(Severity::Warn)),
            "error" => Ok(SeverityWord::Is(Severity::Error)),
            _ => Err(self.fault(word.span(), "not a severity", Some("write off, info, warn or error".to_owned()))),
        }
    }

    /// Limits by the names that rules use.
    pub(super) fn budgets(
        &self,
        written: &BTreeMap<Spanned<String>, Spanned<f64>>,
    ) -> Result<BTreeMap<String, f64>, Trouble> {
        let limits = written.iter().map(|(key, value)| {
            self.budget(key, value)?;
            Ok((format!("budgets.{}", key.get_ref()), *value.get_ref()))
        });
        limits.collect()
    }

    fn budget(&self, key: &Spanned<String>, value: &Spanned<f64>) -> Result<(), Trouble> {
        if !BUDGETS.contains(&key.get_ref().as_str()) {
            let help = nearest(key.get_ref(), BUDGETS).map_or_else(
                || format!("known here: {}", BUDGETS.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            return Err(self.fault(key.span(), format!("unknown key `{}`", key.get_ref()), Some(help)));
        }
        if !value.get_ref().is_finite() || *value.get_ref() < 0.0 {
            return Err(self.fault(value.span(), "a budget is a number from 0", None));
        }
        Ok(())
    }

    fn allow(&self, written: &Spanned<WrittenAllow>) -> Result<Allow, Trouble> {
        let WrittenAllow { rule, subject, reason, until } = written.get_ref();
        self.known_rule(rule)?;
        // A `/` in a tool's name is a letter like any other to somebody who writes `*`.
        let glob = GlobBuilder::new(subject.get_ref()).literal_separator(false).build();
        let matcher =
            glob.map_err(|error| self.fault(subject.span(), error.kind().to_string(), None))?.compile_matcher();
        if reason.get_ref().trim().chars().count() < 10 {
            let help = "say in at least ten characters why this is fine".to_owned();
            return Err(self.fault(reason.span(), "no reason to speak of", Some(help)));
        }
        let until =
            match until {
                None => None,
                Some(day) => Some(Day::from_text(day.get_ref()).ok_or_else(|| {
                    self.fault(day.span(), "not a day", Some("write it like \"2027-01-31\"".to_owned()))
                })?),
            };
        let line = self.text.get(..rule.span().start).map_or(0, |before| before.matches('\n').count()) + 1;
        Ok(Allow {
            rule: self.current_id(rule),
            subject: subject.get_ref().clone(),
            matcher,
            reason: reason.get_ref().trim().to_owned(),
            until,
            line,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> (String, String, String) {
        let rules = RuleSet::shipped().unwrap();
        match Config::from_text(FILE, text, None, &rules).unwrap_err() {
            Trouble::Config { problem, help, at, .. } => {
                let at = at.unwrap();
                let marked = &text[at.offset()..at.offset() + at.len()];
                (problem, help.unwrap_or_default(), marked.to_owned())
            }
            other => panic!("{other}"),
        }
    }

    #[test]
    fn faults_point_at_their_characters_and_suggest() {
        for (text, problem, help, marked) in [
            ("[severty]\n", "unknown key", "`severity`", "severty"),
            ("[severity]\ntitle-mising = \"off\"\n", "no rule `title-mising`", "`title-missing`", "title-mising"),
            ("[severity]\ntitle-missing = \"loud\"\n", "not a severity", "off", "\"loud\""),
            ("hosts = [\"claude-cod\"]\n", "no host profile `claude-cod`", "`claude-code`", "\"claude-cod\""),
            ("[budgets]\ntotal-token = 3\n", "unknown key `total-token`", "`total-tokens`", "total-token"),
            ("default = \"x\"\n[targets.y]\nfile = \"a\"\n", "no target", "y", "\"x\""),
            ("[[allow]]\nrule = \"title-missing\"\nsubject = \"*\"\nreason = \"meh\"\n", "no reason", "ten", "\"meh\""),
            (
                "[[allow]]\nrule = \"title-missing\"\nsubject = \"[\"\nreason = \"a long enough one\"\n",
                "unclosed",
                "",
                "\"[\"",
            ),
        ] {
            let (got_problem, got_help, got_marked) = fault(text);
            assert!(got_problem.contains(problem), "{text}: {got_problem}");
            assert!(got_help.contains(help), "{text}: {got_help}");
            assert_eq!(got_marked, marked, "{text}");
        }
    }

    #[test]
    fn the_only_target_is_the_default() {
        let rules = RuleSet::shipped().unwrap();
        let config = Config::from_text(FILE, "[targets.a]\nfile = \"x.json\"\n", None, &rules).unwrap();
        assert_eq!(config.default_target().unwrap().target.name, "a");
    }
}
