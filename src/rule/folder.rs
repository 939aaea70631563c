//! Rules of the user's own, read from a folder.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Body, Check, Rule, RuleSet};
use crate::error::Trouble;
use crate::text::regular;

/// Rule files of one folder.
const MOST_FILES: usize = 1_000;
/// Bytes of one rule file.
const MOST_BYTES: u64 = 1 << 20;
/// Folders in one another.
const MOST_DEPTH: usize = 8;

impl RuleSet {
    /// Adds the rules of a folder: every `<id>.md` in it and below, except a README. Their category is the folder that
    /// holds them, or `user`. A folder that was added before is left.
    ///
    /// `compiles` says why a check cannot be run: whoever wrote it must hear of it before it stays quiet for ever.
    ///
    /// # Errors
    ///
    /// [`Trouble::Usage`] for a folder that cannot be read or holds too much, [`Trouble::Rule`] with the place for a
    /// file that breaks the form, has the id of a rule that is there, is code, or holds a check that does not compile.
    pub fn add_folder(&mut self, folder: &Path, compiles: fn(Check<'_>) -> Result<(), String>) -> Result<(), Trouble> {
        if !self.folders.insert(fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned())) {
            return Ok(());
        }
        let mut files = Vec::new();
        walk(folder, 0, &mut files)?;
        if files.is_empty() {
            let problem = format!("{}: there is no rule in it", folder.display());
            return Err(Trouble::usage(problem, "a rule is a file `<id>.md`; rules/README.md shows its form"));
        }
        for path in files {
            let rule = self.read_own(folder, &path, compiles)?;
            self.own.insert(rule.meta.id.clone());
            self.rules.insert(rule.meta.id.clone(), rule);
        }
        Ok(())
    }

    /// The ids of rules that do not ship with the program.
    pub fn own(&self) -> impl Iterator<Item = &str> {
        self.own.iter().map(String::as_str)
    }

    fn read_own(
        &self,
        folder: &Path,
        path: &Path,
        compiles: fn(Check<'_>) -> Result<(), String>,
    ) -> Result<Rule, Trouble> {
        let shown = path.display().to_string();
        let text = regular::read_text(path, MOST_BYTES)
            .map_err(|problem| Trouble::usage(format!("{shown}: {problem}"), "a rule is a file of Markdown"))?;
        let name = |path: Option<&Path>| path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let category = name(path.parent().filter(|parent| *parent != folder)).unwrap_or_else(|| "user".to_owned());
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let rule = super::file::read(&shown, &category, &stem, &text, Some(compiles))?;
        let fault = |word: &str, problem: &str| {
            let start = text.find(word).unwrap_or_default();
            Err(Trouble::rule(&shown, &text, start..start + word.len(), problem))
        };
        match rule.body {
            _ if self.get(&rule.meta.id).is_some() => {
                let id = &rule.meta.id;
                fault(&format!("\"{id}\""), &format!("there is a rule `{id}` already; choose another id"))
            }
            Body::Code => {
                fault("code", "a rule of your own cannot be code; give it a `json assert`, a `regex` or a budget")
            }
            _ => Ok(rule),
        }
    }
}

/// The rule files below a folder, sorted. Links to folders are not followed.
fn walk(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Trouble> {
    let told = |cause: &dyn std::fmt::Display| {
        Trouble::usage(format!("{}: {cause}", folder.display()), "name a folder with rule files")
    };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(|cause| told(&cause))? {
        let entry = entry.map_err(|cause| told(&cause))?;
        let kind = entry.file_type().map_err(|cause| told(&cause))?;
        paths.push((entry.path(), kind.is_dir()));
    }
    paths.sort();
    for (path, is_folder) in paths {
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let is_rule = path.extension().is_some_and(|extension| extension == "md")
            && path.file_stem().is_some_and(|stem| !stem.eq_ignore_ascii_case("readme"));
        if is_folder && !is_hidden && depth < MOST_DEPTH {
            walk(&path, depth + 1, files)?;
        } else if is_rule && !is_folder && !is_hidden {
            files.push(path);
        }
        if files.len() > MOST_FILES {
            return Err(told(&"more than 1,000 rule files"));
        }
    }
    Ok(())
}
