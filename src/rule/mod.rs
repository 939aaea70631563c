//! Rule files as data: what a rule is called, says, checks and proves.
//!
//! Knows nothing of servers; `check` brings rules and surfaces together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::error::Trouble;
use crate::text::near::nearest;

pub mod body;
pub mod coverage;
pub mod example;
pub mod file;
pub mod fix;
mod folder;
pub mod host;
pub mod meta;

pub use body::{Body, Check};
pub use example::{ConfigFile, Example};
pub use host::Host;
pub use meta::{Cite, Meta, Need, Selector, Status};

mod shipped {
    //! The table that `build.rs` makes of `rules/`.
    //!
    //! Category, id and text of every rule file, sorted.
    pub(super) const RULES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/rules.rs"));
    /// Id and text of every host profile, sorted.
    pub(super) const HOSTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/hosts.rs"));
}

/// One rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The folder it lies in.
    pub category: String,
    /// The head of its file.
    pub meta: Meta,
    /// The first paragraph, and the sections by heading.
    pub prose: Prose,
    /// What it checks.
    pub body: Body,
    /// What must fire, and what must stay quiet.
    pub examples: Vec<Example>,
}

/// The words of a rule file.
#[derive(Clone, Debug, Default)]
pub struct Prose {
    /// The paragraph under the title.
    pub summary: String,
    /// Heading and text of each further section, blocks left out.
    pub sections: Vec<(String, String)>,
}

/// The rules by id, and the profiles of the hosts that they may judge by.
#[derive(Clone, Debug, Default)]
pub struct RuleSet {
    rules: BTreeMap<String, Rule>,
    /// The ids of those that do not ship with the program.
    own: BTreeSet<String>,
    /// The folders that those came from.
    folders: BTreeSet<PathBuf>,
    hosts: BTreeMap<String, Host>,
}

impl RuleSet {
    /// The rules that this program ships with.
    ///
    /// # Errors
    ///
    /// [`Trouble::Rule`] for a file that breaks the form; the tests see to it that none does.
    pub fn shipped() -> Result<Self, Trouble> {
        let mut hosts = BTreeMap::new();
        for (stem, text) in shipped::HOSTS {
            hosts.insert((*stem).to_owned(), Host::from_text(stem, text)?);
        }
        let mut rules = BTreeMap::new();
        for (category, stem, text) in shipped::RULES {
            let rule = Rule::from_text(category, stem, text)?;
            rules.insert(rule.meta.id.clone(), rule);
        }
        Ok(Self { rules, hosts, ..Self::default() })
    }

    /// All rules, by id.
    pub fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.rules.values()
    }

    /// This one rule alone.
    #[must_use]
    pub fn only(&self, id: &str) -> Self {
        let one = self.get(id).map(|rule| (rule.meta.id.clone(), rule.clone()));
        Self { rules: one.into_iter().collect(), ..self.clone() }
    }

    /// The rule of this id, or the one that was once called so.
    pub fn get(&self, id: &str) -> Option<&Rule> {
        self.rules.get(id).or_else(|| self.iter().find(|rule| rule.meta.renamed_from.iter().any(|old| old == id)))
    }

    /// The rule of this id.
    ///
    /// # Errors
    ///
    /// [`Trouble::Usage`] with the nearest id.
    pub fn find(&self, id: &str) -> Result<&Rule, Trouble> {
        self.get(id).ok_or_else(|| Trouble::usage(format!("there is no rule `{id}`"), self.suggestion(id)))
    }

    /// All host profiles, by id.
    pub fn hosts(&self) -> impl Iterator<Item = &Host> {
        self.hosts.values()
    }

    /// The host profile of this id.
    pub fn host(&self, id: &str) -> Option<&Host> {
        self.hosts.get(id)
    }

    /// The host profiles that a word names: one by its id, or with `all` every one that holds what is true now.
    pub fn hosts_named(&self, word: &str) -> Vec<&Host> {
        match word {
            "all" => self.hosts().filter(|host| host.superseded_by.is_none()).collect(),
            id => self.host(id).into_iter().collect(),
        }
    }

    /// The host profiles that these words name, each once.
    ///
    /// # Errors
    ///
    /// [`Trouble::Usage`] with the nearest id.
    pub fn find_hosts(&self, words: &[String]) -> Result<Vec<Host>, Trouble> {
        let mut found: Vec<Host> = Vec::new();
        for word in words {
            let named = self.hosts_named(word);
            if named.is_empty() {
                let problem = format!("there is no host profile `{word}`");
                return Err(Trouble::usage(problem, self.host_suggestion(word)));
            }
            let new = |host: &&Host| !found.iter().any(|known| known.id == host.id);
            let new: Vec<Host> = named.into_iter().filter(new).cloned().collect();
            found.extend(new);
        }
        Ok(found)
    }

    /// A sentence that helps whoever wrote an unknown host.
    pub fn host_suggestion(&self, id: &str) -> String {
        let known = || self.hosts.keys().map(String::as_str);
        nearest(id, known()).map_or_else(
            || format!("known here: {}", known().collect::<Vec<_>>().join(", ")),
            |near| format!("did you mean `{near}`?"),
        )
    }

    /// A sentence that helps whoever wrote an unknown id.
    pub fn suggestion(&self, id: &str) -> String {
        let ids = || self.rules.keys().map(String::as_str);
        let near = nearest(id, ids()).or_else(|| ids().find(|known| id.len() > 3 && known.contains(id)));
        near.map_or_else(|| "`toolsurface rules` lists them all".to_owned(), |near| format!("did you mean `{near}`?"))
    }
}

impl Rule {
    /// Reads a rule file.
    ///
    /// # Errors
    ///
    /// [`Trouble::Rule`] with the place in the file.
    pub fn from_text(category: &str, stem: &str, text: &str) -> Result<Self, Trouble> {
        file::read(&format!("{category}/{stem}.md"), category, stem, text, None)
    }
}
