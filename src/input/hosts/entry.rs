//! One server of a config file, read by its format's row.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use super::format::{Format, Transport, Unit, Wait};
use super::tree::{Member, Node, Value};
use super::vars::{Expander, Place, Shell, State, Use, find, input_variable};
use super::{Entry, Fault, Reach, Secret, Word, shape};
use crate::input::live::Launch;
use crate::input::remote::{Header, Remote, Shape};
use crate::input::windows::without_bom;
use crate::text::secret;

/// Reads the entries of one file.
pub(super) struct Reader<'a> {
    /// The file's text.
    pub(super) text: &'a str,
    /// Its variables.
    pub(super) expander: Expander<'a>,
    /// Bytes that no output may show.
    pub(super) hidden: Vec<Range<usize>>,
    /// Ids of the inputs that the file asks for.
    pub(super) asked: BTreeSet<String>,
}

/// What is gathered of an entry on the way.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) command: Vec<Word>,
    pub(super) env: BTreeMap<String, String>,
    pub(super) headers: Vec<Header>,
    pub(super) uses: Vec<Use>,
    pub(super) secrets: Vec<Secret>,
    /// What keeps the server from being reached, beside its variables.
    pub(super) hurdle: Option<String>,
}

impl Reader<'_> {
    /// Reads an entry as its host does.
    pub(super) fn entry(&mut self, project: Option<&str>, member: &Member) -> Entry {
        let node = &member.node;
        let mut draft = Draft::default();
        self.command(node, &mut draft);
        let table = self.expander.table;
        let (faults, lack) = match node.value {
            Value::Map(_) => (shape::faults(member, table), shape::lack(member, table)),
            _ => (vec![shape::no_object(&format!("{}.{}", table.root, member.name), node, &node.at)], None),
        };
        let url = table.urls.iter().find_map(|(name, means)| {
            let url = node.get(name).filter(|url| url.node.is_filled() && url.node.text().is_some())?;
            Some((url, *means))
        });
        let address = url.map(|(url, _)| self.address(url, &mut draft));
        for name in table.headers {
            self.headers(name, node, &mut draft);
        }
        if table.format == Format::Codex {
            self.codex(node, &mut draft);
        }
        self.other_secrets("", node, &mut draft);
        let cwd = node.get("cwd").and_then(|cwd| self.word(&cwd.node, "cwd", None, None, &mut draft));
        if let Some(file) =
            node.get("envFile").and_then(|file| self.word(&file.node, "envFile", None, None, &mut draft))
        {
            self.env_file(&file.text, &mut draft);
        }
        let said = node.get("type").and_then(|kind| {
            let (_, means) = table.types.iter().find(|(word, _)| Some(*word) == kind.node.text())?;
            Some((*means, kind.node.at.clone()))
        });
        let meant = url.filter(|_| draft.command.is_empty()).map(|(url, means)| (means, url.at.clone()));
        let transport = said.or(meant).unwrap_or((Transport::Stdio, member.at.clone()));
        let time = |wait: Wait| {
            let given = table.waits.iter().filter(|(_, what, _)| *what == wait);
            given.into_iter().find_map(|(name, _, unit)| duration(&node.get(name)?.node, *unit))
        };
        let flag = |name: &str| node.get(name).map(|member| &member.node.value);
        let enabled = flag("disabled") != Some(&Value::Flag(true)) && flag("enabled") != Some(&Value::Flag(false));
        let words = |name: &str| -> Vec<Word> {
            let items = node.get(name).map_or(&[][..], |member| member.node.items());
            items.iter().filter_map(|item| Some(Word { text: item.text()?.to_owned(), at: item.at.clone() })).collect()
        };
        let only = words(table.tools.0).into_iter().filter(|word| word.text != "*").collect();
        let approved = table.approved.iter().flat_map(|name| words(name)).collect();
        let told = |fault: &Fault| {
            let Fault { member, found, expected, .. } = fault;
            format!("`{member}` holds {found}, where {} reads {expected}", table.name)
        };
        draft.hurdle = draft.hurdle.or_else(|| faults.iter().find(|fault| fault.stops).map(told));
        Entry {
            name: member.name.clone(),
            project: project.map(str::to_owned),
            at: member.at.clone(),
            enabled,
            reach: self.reach(&draft, address.as_ref(), transport.0, cwd),
            command: draft.command,
            url: address,
            transport,
            uses: draft.uses,
            secrets: draft.secrets,
            faults,
            lack,
            only,
            never: words(table.tools.1),
            approved,
            start: time(Wait::Start),
            request: time(Wait::Request),
            version: None,
        }
    }

    /// The command in all its forms: a text with `args`, one list, or an object with both and the variables.
    fn command(&mut self, node: &Node, draft: &mut Draft) {
        let mut env = node.get(self.expander.table.env);
        match node.get("command").map(|command| &command.node) {
            Some(command) if matches!(command.value, Value::Map(_)) => {
                let path = command.get("path").map(|path| &path.node).into_iter();
                let args = command.get("args").map_or(&[][..], |args| args.node.items());
                self.command_words(path.chain(args), draft);
                env = env.or_else(|| command.get("env"));
            }
            Some(command) if command.is_filled() => {
                let first: Vec<&Node> =
                    if command.items().is_empty() { vec![command] } else { command.items().iter().collect() };
                let args = node.get("args").map_or(&[][..], |args| args.node.items());
                self.command_words(first.into_iter().chain(args), draft);
            }
            _ => {}
        }
        for member in env.map_or(&[][..], |env| env.node.members()) {
            self.variable(member, draft);
        }
    }

    /// Words of a command. What stands in a line for a shell is the shell's.
    pub(super) fn command_words<'n>(&mut self, words: impl Iterator<Item = &'n Node>, draft: &mut Draft) {
        let mut shell = None;
        let mut before: Option<String> = None;
        for node in words {
            let member = if draft.command.is_empty() { "command" } else { "args" };
            let key = node.word().and_then(|text| text.split_once('=')).map(|(name, _)| name).or(before.as_deref());
            let Some(word) = self.word(node, member, key, shell, draft) else { continue };
            if draft.command.is_empty() {
                shell = Shell::of(&word.text);
            } else {
                self.argument(&word, node.word().unwrap_or_default(), before.as_deref(), draft);
            }
            before = Some(word.text.clone());
            draft.command.push(word);
        }
    }

    /// Looks for a credential in an argument as it is written: behind the name of an option, after `=` or `:`, in the
    /// default of a variable, or by its form. What a variable brings is none.
    fn argument(&mut self, word: &Word, text: &str, before: Option<&str>, draft: &mut Draft) {
        let option = before.filter(|before| before.starts_with('-') && !before.contains('='));
        let (name, value) = match option {
            Some(option) if secret::is_secret_name(option) && !text.starts_with('-') => (option, text),
            _ => text.split_once(['=', ':']).unwrap_or(("", "")),
        };
        let literal = literal_of(text);
        let named = secret::is_secret_name(name);
        let alone = named && find(text).is_empty();
        let found = secret::in_address(&literal).is_some() || secret::has_known_form(&literal);
        if found || default_of(text, secret::is_credential) || (alone && secret::is_credential(value.trim())) {
            self.keep(word, "args".to_owned(), draft);
        } else if alone {
            self.hidden.push(self.inner(&word.at));
        }
    }

    /// A variable for the server.
    pub(super) fn variable(&mut self, member: &Member, draft: &mut Draft) {
        let env = self.expander.table.env;
        let Some(word) = self.word(&member.node, "env", Some(&member.name), None, draft) else { return };
        self.named(env, member, draft);
        draft.env.insert(member.name.clone(), word.text);
    }

    fn headers(&mut self, under: &str, node: &Node, draft: &mut Draft) {
        for member in node.get(under).map_or(&[][..], |headers| headers.node.members()) {
            if let Some(word) = self.word(&member.node, under, Some(&member.name), None, draft) {
                self.named(under, member, draft);
                draft.headers.push(Header { name: member.name.clone(), value: word.text });
            }
        }
    }

    pub(super) fn address(&mut self, member: &Member, draft: &mut Draft) -> Word {
        let empty = Word { text: String::new(), at: member.node.at.clone() };
        let word = self.word(&member.node, &member.name, None, None, draft).unwrap_or(empty);
        let text = member.node.text().unwrap_or_default();
        if secret::in_address(text).is_some() || secret::has_known_form(text) {
            self.keep(&word, member.name.clone(), draft);
        }
        word
    }

    /// A value under a name: never shown unless it is nothing but a variable, and a credential when both say so.
    fn named(&mut self, under: &str, member: &Member, draft: &mut Draft) {
        let Some(text) = member.node.word() else { return };
        let word = Word { text: String::new(), at: member.node.at.clone() };
        let literal = literal_of(text);
        let bare = matches!(literal.trim(), "" | "Bearer" | "bearer" | "Basic" | "Token" | "token");
        if !bare || default_of(text, |default| !default.is_empty()) {
            self.hidden.push(self.inner(&member.node.at));
        }
        let named = secret::is_secret_name(&member.name);
        let found = secret::has_known_form(&literal) || secret::in_address(&literal).is_some();
        let alone = find(text).is_empty() && secret::is_credential(text);
        let default = default_of(text, secret::is_credential);
        if found || (named && (alone || default)) {
            self.keep(&word, format!("{under}.{}", member.name), draft);
        }
    }

    /// Credentials in members that have nothing to do with reaching the server, such as those of OAuth.
    fn other_secrets(&mut self, under: &str, node: &Node, draft: &mut Draft) {
        const READ: [&str; 13] = [
            "command",
            "args",
            "env",
            "environment",
            "headers",
            "http_headers",
            "env_http_headers",
            "env_vars",
            "bearer_token_env_var",
            "url",
            "httpUrl",
            "serverUrl",
            "envFile",
        ];
        for member in node.members().iter().filter(|member| !under.is_empty() || !READ.contains(&member.name.as_str()))
        {
            let path = if under.is_empty() { member.name.clone() } else { format!("{under}.{}", member.name) };
            self.other_secrets(&path, &member.node, draft);
            if secret::is_secret_name(&member.name) && member.node.text().is_some_and(|text| find(text).is_empty()) {
                self.hidden.push(self.inner(&member.node.at));
                if member.node.text().is_some_and(secret::is_credential) {
                    let word = Word { text: String::new(), at: member.node.at.clone() };
                    self.keep(&word, path, draft);
                }
            }
        }
    }

    fn keep(&mut self, word: &Word, member: String, draft: &mut Draft) {
        self.hidden.push(self.inner(&word.at));
        draft.secrets.push(Secret { member, at: word.at.clone() });
    }

    /// Members of Codex that name variables of the environment instead of holding values.
    fn codex(&mut self, node: &Node, draft: &mut Draft) {
        let lookup = self.expander.lookup;
        let named = |name: &Node, optional: bool, draft: &mut Draft| {
            let name_text = name.text().unwrap_or_default();
            let value = lookup.variable(name_text);
            let missing = if optional { State::UnsetOptional } else { State::Unset };
            let state = if value.is_some() { State::Resolved } else { missing };
            draft.uses.push(Use { text: name_text.to_owned(), name: name_text.to_owned(), at: name.at.clone(), state });
            value.map(str::to_owned)
        };
        if let Some(token) = node.get("bearer_token_env_var").filter(|token| token.node.is_filled())
            && let Some(value) = named(&token.node, false, draft)
        {
            draft.headers.push(Header { name: "Authorization".to_owned(), value: format!("Bearer {value}") });
        }
        for header in node.get("env_http_headers").map_or(&[][..], |headers| headers.node.members()) {
            if let Some(value) = named(&header.node, false, draft) {
                draft.headers.push(Header { name: header.name.clone(), value });
            }
        }
        for item in node.get("env_vars").map_or(&[][..], |names| names.node.items()) {
            let remote = item.get("source").is_some_and(|source| source.node.text() == Some("remote"));
            let name = item.get("name").map_or(item, |name| &name.node);
            if name.text().is_some() && !remote {
                let value = named(name, true, draft);
                draft.env.extend(name.text().map(str::to_owned).zip(value));
            }
        }
    }

    /// Variables from a file, below those that the entry itself gives.
    fn env_file(&self, path: &str, draft: &mut Draft) {
        if !find(path).is_empty() {
            return;
        }
        match (self.expander.lookup.files)(&self.expander.path(path)) {
            Some(text) => {
                for (name, value) in env_lines(&text) {
                    draft.env.entry(name).or_insert(value);
                }
            }
            None => draft.hurdle = Some("its `envFile` cannot be read".to_owned()),
        }
    }

    /// A text with its variables resolved, which are kept.
    pub(super) fn word(
        &mut self,
        node: &Node,
        member: &str,
        key: Option<&str>,
        shell: Option<Shell>,
        draft: &mut Draft,
    ) -> Option<Word> {
        let text = node.word()?;
        let inner = self.inner(&node.at);
        let exact = self.raw(&inner) == text;
        let place = Place { whole: node.at.clone(), start: exact.then_some(inner.start), member, key, shell };
        let (text, uses) = self.expander.expand(text, &place);
        if uses.iter().any(Use::hides_default) {
            self.hidden.push(inner);
        }
        draft.uses.extend(uses);
        Some(Word { text, at: node.at.clone() })
    }

    fn raw(&self, at: &Range<usize>) -> &str {
        self.text.get(at.clone()).unwrap_or_default()
    }

    /// A value without its quotes.
    fn inner(&self, at: &Range<usize>) -> Range<usize> {
        let raw = self.raw(at);
        let quotes = ["\"\"\"", "'''", "\"", "'"]
            .into_iter()
            .find(|quote| raw.len() >= 2 * quote.len() && raw.starts_with(quote) && raw.ends_with(quote));
        quotes.map_or_else(|| at.clone(), |quote| at.start + quote.len()..at.end - quote.len())
    }

    /// How to reach the server, or why not.
    pub(super) fn reach(
        &self,
        draft: &Draft,
        url: Option<&Word>,
        transport: Transport,
        cwd: Option<Word>,
    ) -> Result<Reach, String> {
        if let Some(reason) = draft.uses.iter().find_map(|used| self.hurdle(used)).or_else(|| draft.hurdle.clone()) {
            return Err(reason);
        }
        match (url, draft.command.is_empty()) {
            (Some(_), false) => Err("a command and an address stand side by side".to_owned()),
            (None, true) => Err("neither a command nor an address is there".to_owned()),
            (None, false) => {
                let folder = cwd.map(|cwd| self.expander.path(&cwd.text));
                Ok(Reach::Launch(Launch {
                    command: draft.command.iter().map(|word| word.text.clone()).collect(),
                    env: draft.env.clone(),
                    cwd: folder.or_else(|| Some(PathBuf::from(&self.expander.folder)).filter(|path| path != ".")),
                    ..Launch::default()
                }))
            }
            (Some(url), true) if !is_http(&url.text) => {
                let scheme = url.text.split_once("://").map_or("no scheme", |(scheme, _)| scheme);
                Err(format!("its address has {scheme}, and servers are reached over http or https"))
            }
            (Some(url), true) => Ok(Reach::Remote(Remote {
                url: url.text.clone(),
                headers: draft.headers.clone(),
                shape: match transport {
                    Transport::Sse => Shape::Sse,
                    Transport::Http | Transport::Stdio => Shape::Auto,
                },
            })),
        }
    }

    /// Why a variable keeps a server from being reached, if so: what would be sent is not what was meant.
    fn hurdle(&self, used: &Use) -> Option<String> {
        let Use { text, name, state, .. } = used;
        let host = self.expander.table.name;
        match state {
            State::Resolved | State::UnsetOptional => None,
            State::Unset => Some(format!("`{text}` has no value: set {name}, or give `--env {name}=VALUE`")),
            State::NoInput => Some(format!(
                "its host asks for `{text}`: give a value with `--input {name}=VALUE` or in MCP_INPUT_{}",
                input_variable(name)
            )),
            State::Undeclared => Some(format!("`{text}` is not declared in the file")),
            State::Foreign { .. } => {
                Some(format!("`{text}` is no variable in {host}, which would pass on the text itself"))
            }
            State::NotLookedInto => Some(format!("`{text}` stands where {host} resolves no variables")),
            State::HostOnly => Some(format!("only {host} itself knows `{text}`")),
        }
    }
}

fn is_http(address: &str) -> bool {
    let scheme = address.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
}

/// Whether a variable in a text has such a default.
fn default_of(text: &str, is_such: impl Fn(&str) -> bool) -> bool {
    find(text).iter().any(|found| found.default.is_some_and(&is_such))
}

/// A text without its variables.
fn literal_of(text: &str) -> String {
    let mut out = String::new();
    let mut from = 0;
    for found in find(text) {
        out.push_str(text.get(from..found.at.start).unwrap_or_default());
        from = found.at.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

fn duration(node: &Node, unit: Unit) -> Option<Duration> {
    let value: f64 = node.word()?.parse().ok()?;
    let seconds = if unit == Unit::Milliseconds { value / 1000.0 } else { value };
    Duration::try_from_secs_f64(seconds).ok()
}

/// `KEY=value` lines: blank lines, comments, `export` and one pair of quotes around a value are known, nothing else.
fn env_lines(text: &str) -> Vec<(String, String)> {
    let line = |line: &str| {
        let line = line.trim();
        let line = line.strip_prefix("export ").unwrap_or(line);
        let (name, value) = line.split_once('=').filter(|_| !line.starts_with('#'))?;
        let value = value.trim();
        let quoted = |quote| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        Some((name.trim().to_owned(), quoted('"').or_else(|| quoted('\'')).unwrap_or(value).to_owned()))
    };
    without_bom(text).lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn env_files_are_simple_lines() {
        let text = "\u{feff}# keys\r\nA=1\r\n\r\nexport B = \"two words\"\r\nC='x=y'\nD=\nno line\n";
        let pairs = env_lines(text);
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(pairs, [("A", "1"), ("B", "two words"), ("C", "x=y"), ("D", "")]);
    }
}
