//! Variables in config files: every host's syntax is recognised, and only the host's own is resolved.
//!
//! Apart from reading entries because the mistake that people make is here: a file copied from one host to another
//! parses, starts, and sends the name of a variable where its value should be.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Lookup;
use super::format::{Format, Syntax, Table};
use crate::text::secret;

/// A variable as it stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found<'t> {
    /// The bytes in the text.
    pub(super) at: Range<usize>,
    pub(super) syntax: Syntax,
    pub(super) name: &'t str,
    pub(super) default: Option<&'t str>,
}

/// A variable in an entry, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// How it is written: `${TOKEN}`.
    pub text: String,
    /// Its name alone: `TOKEN`; of an input its id.
    pub name: String,
    /// The bytes in the file.
    pub at: Range<usize>,
    /// What came of it.
    pub state: State,
}

impl Use {
    /// Whether its value came from the environment, or could have.
    pub fn is_of_environment(&self) -> bool {
        let is_input = ["${input:", "${user_config."].into_iter().any(|start| self.text.starts_with(start));
        self.state == State::Resolved && !is_input
    }

    /// Whether its default is not to be shown.
    pub(super) fn hides_default(&self) -> bool {
        self.text.contains(MASK)
    }
}

/// What came of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It has a value, which stands nowhere but in what is started.
    Resolved,
    /// It has neither value nor default.
    Unset,
    /// The same, but the server starts without it.
    UnsetOptional,
    /// An input that the file declares, without a value.
    NoInput,
    /// An input that the file does not declare.
    Undeclared,
    /// The host takes it literally; `expected` is what would say the same.
    Foreign {
        /// What the host wants.
        expected: String,
    },
    /// The host's own syntax in a member that the host does not look into.
    NotLookedInto,
    /// Known to the host alone: a command of the editor, a setting of it.
    HostOnly,
}

/// What stands for a value that is not shown.
pub(super) const MASK: &str = "***";

/// Names that editors resolve beside variables of the environment.
const PLACES: [&str; 6] =
    ["workspaceFolder", "workspaceFolderBasename", "userHome", "pathSeparator", "/", "workspaceRoot"];

/// Names that only a running editor can resolve.
const EDITOR: [&str; 14] = [
    "cwd",
    "defaultBuildTask",
    "execPath",
    "file",
    "fileBasename",
    "fileBasenameNoExtension",
    "fileDirname",
    "fileExtname",
    "fileWorkspaceFolder",
    "lineNumber",
    "relativeFile",
    "relativeFileDirname",
    "selectedText",
    "columnNumber",
];

/// How the settings of a bundle begin.
const SETTING: &str = "user_config.";

/// Variables that a host sets itself, and whether they are the folder of the file's project.
///
/// Those of Claude Code are in portable files too: it reads them.
const SET_BY_HOST: [(&[Format], &str, bool); 5] = [
    (&[Format::ClaudeCode, Format::Copilot], "CLAUDE_PROJECT_DIR", true),
    (&[Format::ClaudeCode, Format::Copilot], "CLAUDE_PLUGIN_ROOT", true),
    (&[Format::ClaudeCode, Format::Copilot], "CLAUDE_PLUGIN_DATA", false),
    (&[Format::Gemini], "extensionPath", true),
    (&[Format::Gemini], "workspacePath", true),
];

/// The variables of a text, in any syntax. `$$` is an escape in none of the formats and begins no variable.
pub(super) fn find(text: &str) -> Vec<Found<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|rest| rest.find(['$', '{', '%'])).map(|at| from + at) {
        let rest = text.get(start..).unwrap_or_default();
        if rest.starts_with("$$") {
            from = start + 2;
            continue;
        }
        match variable(rest) {
            Some((length, syntax, name, default)) => {
                found.push(Found { at: start..start + length, syntax, name, default });
                from = start + length;
            }
            None => from = start + 1,
        }
    }
    found
}

type Parts<'t> = (usize, Syntax, &'t str, Option<&'t str>);

/// The variable that a text starts with.
fn variable(text: &str) -> Option<Parts<'_>> {
    if let Some(rest) = text.strip_prefix("${") {
        let inner = rest.get(..closing(rest)?)?;
        let (syntax, name, default) = braced(inner)?;
        return Some((inner.len() + 3, syntax, name, default));
    }
    if let Some(rest) = text.strip_prefix('$') {
        let name = identifier(rest);
        return (!name.is_empty()).then_some((name.len() + 1, Syntax::Bare, name, None));
    }
    for (mark, syntax) in [("{env:", Syntax::Curly), ("{file:", Syntax::File)] {
        if let Some(rest) = text.strip_prefix(mark) {
            let name = rest.get(..closing(rest)?)?;
            return (!name.is_empty()).then_some((mark.len() + name.len() + 1, syntax, name, None));
        }
    }
    let rest = text.strip_prefix('%')?;
    let name = identifier(rest);
    let whole = rest.get(name.len()..)?.starts_with('%') && is_loud(name);
    whole.then_some((name.len() + 2, Syntax::Percent, name, None))
}

/// Bytes of a variable with all that stands in it; what is longer is none. A file may hold any number of them.
const MOST_BYTES: usize = 4_096;

/// How deep variables stand in the defaults of others.
const MOST_DEPTH: usize = 16;

/// The place of the brace that closes what is open already.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices().take_while(|(at, _)| *at < MOST_BYTES) {
        match letter {
            '{' if depth >= MOST_DEPTH => return None,
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// What stands between `${` and `}`.
fn braced(inner: &str) -> Option<(Syntax, &str, Option<&str>)> {
    if let Some(rest) = inner.strip_prefix("env:") {
        let (name, default) = rest.split_once(":-").map_or((rest, None), |(name, default)| (name, Some(default)));
        return (!name.is_empty()).then_some((Syntax::Env, name, default));
    }
    if let Some(id) = inner.strip_prefix("input:") {
        return (!id.is_empty()).then_some((Syntax::Input, id, None));
    }
    let head = inner.split(':').next().unwrap_or_default();
    let editor = matches!(head, "command" | "config" | "extensionInstallFolder") && inner.contains(':');
    if editor || PLACES.contains(&head) || EDITOR.contains(&head) {
        return Some((Syntax::Place, inner, None));
    }
    if inner == "__dirname" || inner.starts_with(SETTING) {
        return Some((Syntax::Braced, inner, None));
    }
    let name = identifier(inner);
    match inner.get(name.len()..)? {
        _ if name.is_empty() => None,
        "" => Some((Syntax::Braced, name, None)),
        rest => rest.strip_prefix(":-").map(|default| (Syntax::BracedDefault, name, Some(default))),
    }
}

/// The identifier that a text starts with; empty when there is none.
fn identifier(text: &str) -> &str {
    let ends = text.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_')).unwrap_or(text.len());
    let name = text.get(..ends).unwrap_or_default();
    if name.starts_with(|letter: char| letter.is_ascii_digit()) { "" } else { name }
}

/// Whether a name is written as variables of the environment are: without braces nothing else tells `$HOME` from a
/// price or a piece of a password.
fn is_loud(name: &str) -> bool {
    name.len() > 2 && name.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
}

/// Resolves the variables of one file.
pub(super) struct Expander<'a> {
    pub(super) table: &'static Table,
    pub(super) lookup: &'a Lookup,
    /// The folder of the project, as the host would open it.
    pub(super) folder: String,
    /// The declared inputs with their defaults.
    pub(super) inputs: BTreeMap<String, Option<String>>,
    /// Settings of a bundle, with their defaults.
    pub(super) settings: BTreeMap<String, Option<String>>,
}

impl Expander<'_> {
    /// A text with its variables resolved, and each of them.
    pub(super) fn expand(&self, text: &str, base: &Place<'_>) -> (String, Vec<Use>) {
        let mut out = String::new();
        let mut uses = Vec::new();
        let mut from = 0;
        for found in find(text) {
            let written = text.get(found.at.clone()).unwrap_or_default();
            out.push_str(text.get(from..found.at.start).unwrap_or_default());
            from = found.at.end;
            let (value, state) = self.resolve(&found, written, base);
            out.push_str(value.as_deref().unwrap_or(written));
            if let Some(state) = state {
                let at = base.at(&found.at);
                let name = found.name.strip_prefix(SETTING).unwrap_or(found.name).to_owned();
                uses.push(Use { text: shown(written, &found, base.key), name, at, state });
            }
        }
        out.push_str(text.get(from..).unwrap_or_default());
        (out, uses)
    }

    /// The value of a variable, and what is to be said of it: nothing where it may be no variable at all.
    fn resolve(&self, found: &Found<'_>, written: &str, base: &Place<'_>) -> (Option<String>, Option<State>) {
        let own = self.table.syntaxes.contains(&found.syntax) || self.is_own_bundle(found);
        if let Some((_, _, folder)) =
            SET_BY_HOST.iter().find(|(formats, name, _)| formats.contains(&self.table.format) && *name == found.name)
        {
            return if *folder { (Some(self.folder.clone()), Some(State::Resolved)) } else { host_only() };
        }
        if !own {
            // In a line for a shell, a variable is the shell's, and it may set it itself.
            let silent = match found.syntax {
                Syntax::Percent => base.shell == Some(Shell::Cmd),
                Syntax::Bare => base.shell == Some(Shell::Posix) || !is_loud(found.name),
                _ => base.shell == Some(Shell::Posix),
            };
            return if silent { (None, None) } else { self.foreign(found, base) };
        }
        if !self.table.expands.is_empty() && !self.table.expands.contains(&base.member) {
            return (None, Some(State::NotLookedInto));
        }
        let (value, failed) = match found.syntax {
            Syntax::Input => {
                let declared = self.inputs.get(found.name);
                let value = self.lookup.input(found.name).or_else(|| declared.cloned().flatten());
                match declared {
                    None => (None, State::Undeclared),
                    Some(_) => (value, State::NoInput),
                }
            }
            Syntax::Place => (self.path_part(found.name), State::HostOnly),
            Syntax::File => ((self.lookup.files)(&self.path(found.name)), State::Unset),
            _ if self.table.format == Format::Bundle => self.of_bundle(found.name),
            Syntax::Env if found.default.is_some() => return self.foreign(found, base),
            _ => {
                let set = self.lookup.variable(found.name).map(str::to_owned);
                let default = || found.default.map(|text| self.expand(text, &base.inside()).0);
                (set.or_else(default), State::Unset)
            }
        };
        match value {
            Some(value) => (Some(value), Some(State::Resolved)),
            None if found.syntax == Syntax::Bare && !is_loud(found.name) => (None, None),
            None if base.shell == Some(Shell::Posix) && failed == State::Unset => (None, None),
            // A name that only an editor knows, written into a file of a host that takes it for a variable.
            None if failed == State::Unset && is_editor_name(written) => self.foreign(found, base),
            None => (None, Some(failed)),
        }
    }

    fn foreign(&self, found: &Found<'_>, base: &Place<'_>) -> (Option<String>, Option<State>) {
        (None, Some(State::Foreign { expected: self.expected(found, base) }))
    }

    /// What says the same in this host.
    fn expected(&self, found: &Found<'_>, base: &Place<'_>) -> String {
        const LITERAL: &str = "the value itself";
        let name = match found.syntax {
            Syntax::Place => return "a path".to_owned(),
            Syntax::File => return LITERAL.to_owned(),
            Syntax::Input => input_variable(found.name),
            _ => found.name.to_owned(),
        };
        match (self.table.syntaxes.first(), self.table.format, base.member, base.key) {
            (Some(Syntax::Env), ..) => format!("${{env:{name}}}"),
            (Some(Syntax::Curly), ..) => format!("{{env:{name}}}"),
            (Some(_), ..) => match found.default.filter(|_| self.table.syntaxes.contains(&Syntax::BracedDefault)) {
                Some(default) => shown(&format!("${{{name}:-{default}}}"), found, base.key),
                None => format!("${{{name}}}"),
            },
            // Codex passes a variable on under its own name.
            (None, Format::Codex, "env", Some(key)) => format!("env_vars = [\"{key}\"]"),
            (None, Format::Codex, "http_headers", Some(key)) if key.eq_ignore_ascii_case("authorization") => {
                format!("bearer_token_env_var = \"{name}\"")
            }
            (None, Format::Codex, "http_headers", Some(key)) => {
                format!("env_http_headers = {{ \"{key}\" = \"{name}\" }}")
            }
            (None, ..) => LITERAL.to_owned(),
        }
    }

    fn path_part(&self, name: &str) -> Option<String> {
        let home = || self.lookup.home.to_string_lossy().into_owned();
        match name.split(':').next().unwrap_or_default() {
            "workspaceFolder" | "workspaceRoot" => Some(self.folder.clone()),
            "workspaceFolderBasename" => Some(self.folder.rsplit(['/', '\\']).next().unwrap_or_default().to_owned()),
            "userHome" => Some(home()),
            "pathSeparator" | "/" => Some(self.lookup.platform.separator().to_owned()),
            _ => None,
        }
    }

    /// A path that an entry names, seen from the project's folder.
    pub(super) fn path(&self, name: &str) -> std::path::PathBuf {
        let path = match name.strip_prefix("~/") {
            Some(rest) => self.lookup.home.join(rest),
            None => std::path::PathBuf::from(name),
        };
        if path.is_absolute() { path } else { std::path::Path::new(&self.folder).join(path) }
    }

    fn is_own_bundle(&self, found: &Found<'_>) -> bool {
        self.table.format == Format::Bundle && matches!(found.syntax, Syntax::Braced | Syntax::Place)
    }

    fn of_bundle(&self, name: &str) -> (Option<String>, State) {
        if let Some(setting) = name.strip_prefix(SETTING) {
            let declared = self.settings.get(setting);
            let value = self.lookup.input(setting).or_else(|| declared.cloned().flatten());
            return (value, if declared.is_some() { State::NoInput } else { State::Undeclared });
        }
        let value = match name {
            "__dirname" => Some(self.folder.clone()),
            "HOME" => Some(self.lookup.home.to_string_lossy().into_owned()),
            "DESKTOP" | "DOCUMENTS" | "DOWNLOADS" => {
                let folder =
                    name.get(..1).unwrap_or_default().to_owned() + &name.get(1..).unwrap_or_default().to_lowercase();
                Some(self.lookup.home.join(folder).to_string_lossy().into_owned())
            }
            other => self.lookup.variable(other).map(str::to_owned),
        };
        (value, State::Unset)
    }
}

/// A variable as it may be shown: a default can be a credential.
fn shown(written: &str, found: &Found<'_>, key: Option<&str>) -> String {
    let named = || std::iter::once(found.name).chain(key).any(secret::is_secret_name);
    match found.default.filter(|default| !default.is_empty()) {
        Some(default) if named() || secret::is_credential(default) => written.replace(default, MASK),
        _ => written.to_owned(),
    }
}

fn host_only() -> (Option<String>, Option<State>) {
    (None, Some(State::HostOnly))
}

fn is_editor_name(written: &str) -> bool {
    let inner = written.trim_start_matches("${").trim_end_matches('}');
    PLACES.contains(&inner) || EDITOR.contains(&inner)
}

/// The name of the environment variable that holds an input: `MCP_INPUT_API_KEY` without its first part.
pub(super) fn input_variable(id: &str) -> String {
    id.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' }).collect()
}

/// Where a text stands.
#[derive(Clone, Debug)]
pub(super) struct Place<'a> {
    /// The bytes of the value in the file.
    pub(super) whole: Range<usize>,
    /// The byte at which the text itself begins, where it stands there as it is.
    pub(super) start: Option<usize>,
    /// The member of the entry.
    pub(super) member: &'a str,
    /// The name under it, for members that hold names; the option before it in a command.
    pub(super) key: Option<&'a str>,
    /// The shell that reads the text.
    pub(super) shell: Option<Shell>,
}

/// A shell, which resolves variables of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shell {
    /// `sh` and its kin; PowerShell too, whose variables look the same.
    Posix,
    /// `cmd.exe`.
    Cmd,
}

impl Shell {
    /// The shell that a program is, if it is one.
    pub(super) fn of(program: &str) -> Option<Self> {
        let name = program.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
        match name.strip_suffix(".exe").unwrap_or(&name) {
            "sh" | "bash" | "zsh" | "dash" | "fish" | "ksh" | "powershell" | "pwsh" => Some(Self::Posix),
            "cmd" => Some(Self::Cmd),
            _ => None,
        }
    }
}

impl Place<'_> {
    /// The place of a part of the text.
    pub(super) fn at(&self, part: &Range<usize>) -> Range<usize> {
        self.start.map_or_else(|| self.whole.clone(), |start| start + part.start..start + part.end)
    }

    fn inside(&self) -> Self {
        Self { start: None, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<(Syntax, &str, Option<&str>)> {
        find(text).into_iter().map(|found| (found.syntax, found.name, found.default)).collect()
    }

    #[test]
    fn what_is_nested_or_open_without_end_costs_no_more_than_its_length() {
        let nested = format!("{}x{}", "${A:-".repeat(20_000), "}".repeat(20_000));
        assert_eq!(seen(&nested).len(), 1);
        for open in ["${A:-", "{env:", "{file:"] {
            assert_eq!(seen(&open.repeat(300_000)), [], "{open}");
        }
    }

    #[test]
    fn every_syntax_is_recognised() {
        for (text, expected) in [
            ("${A}", vec![(Syntax::Braced, "A", None)]),
            ("x${A:-b}y", vec![(Syntax::BracedDefault, "A", Some("b"))]),
            ("${A:-}", vec![(Syntax::BracedDefault, "A", Some(""))]),
            ("${A:-${B}}", vec![(Syntax::BracedDefault, "A", Some("${B}"))]),
            ("$HOME/x", vec![(Syntax::Bare, "HOME", None)]),
            ("${env:A}", vec![(Syntax::Env, "A", None)]),
            ("${input:my-key}", vec![(Syntax::Input, "my-key", None)]),
            ("${workspaceFolder}/a${/}b", vec![(Syntax::Place, "workspaceFolder", None), (Syntax::Place, "/", None)]),
            ("${workspaceFolder:app}", vec![(Syntax::Place, "workspaceFolder:app", None)]),
            ("${command:ext.token}", vec![(Syntax::Place, "command:ext.token", None)]),
            ("{env:A}", vec![(Syntax::Curly, "A", None)]),
            ("{file:~/.key}", vec![(Syntax::File, "~/.key", None)]),
            ("%APPDATA%\\npm", vec![(Syntax::Percent, "APPDATA", None)]),
            ("$${A}", vec![]),
            ("$$A and $5 and 100%", vec![]),
            ("${}", vec![]),
            ("${A", vec![]),
            ("a%20b%2Fc", vec![]),
            ("{\"a\":1}", vec![]),
        ] {
            assert_eq!(seen(text), expected, "{text}");
        }
    }
}
