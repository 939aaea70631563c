//! Config files of MCP hosts: which servers they hold, how to reach them, and where each thing stands.
//!
//! Apart from the live layers because nothing is started or contacted here, and from `check` because no verdict is
//! given: a file is read as its host reads it, and what the host would stumble over is kept with its place.
//! Everything is a function of the text and a [`Lookup`], so that no test needs an environment.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::live::Launch;
use super::remote::Remote;
use super::windows::without_bom;
use crate::error::Trouble;
use crate::text::regular;

mod entry;
pub mod format;
mod lines;
mod lookup;
pub mod package;
mod shape;
mod tree;
pub mod vars;

pub use format::{Format, Transport};
pub use lookup::{Lookup, Platform};
pub use shape::{Fault, Lack};
pub use tree::Broken;
pub use vars::{State, Use};

use tree::{Member, Node};

/// The largest config file that is read, in bytes. `~/.claude.json` also keeps histories.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// A config file.
#[derive(Clone, Debug)]
pub struct File {
    /// Its path as the user wrote it, with forward slashes.
    pub path: String,
    /// Its format.
    pub format: Format,
    /// Whether its place or its root tell the host. A `mcp.json` anywhere may be any host's.
    pub certain: bool,
    /// The folder of the project that it belongs to.
    pub folder: String,
    /// Its text, without a byte order mark.
    pub text: String,
    /// Why it could not be read, if so.
    pub broken: Option<Broken>,
    /// The root of another host that stands where this one has its own.
    pub wrong_root: Option<WrongRoot>,
    /// What keeps the host from reading its servers.
    pub faults: Vec<Fault>,
    /// Ids of the inputs that it asks for, whether any server uses them or not.
    pub inputs: BTreeSet<String>,
    /// The servers, in the order of the file; those under a wrong root too.
    pub entries: Vec<Entry>,
    /// Bytes that no output may show, sorted.
    hidden: Vec<Range<usize>>,
}

/// A root of another host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongRoot {
    /// What stands there.
    pub found: String,
    /// What this host reads.
    pub expected: &'static str,
    /// The bytes of the name.
    pub at: Range<usize>,
}

/// A server in a config file.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its id.
    pub name: String,
    /// The project that it is for, where the file holds several.
    pub project: Option<String>,
    /// The bytes of its name.
    pub at: Range<usize>,
    /// Whether the host starts it: it is not switched off, and no later one has its id.
    pub enabled: bool,
    /// The command, word by word, variables resolved.
    pub command: Vec<Word>,
    /// The address, variables resolved.
    pub url: Option<Word>,
    /// The transport, and where that is said; the place of the name where nothing says it.
    pub transport: (Transport, Range<usize>),
    /// Every variable in it.
    pub uses: Vec<Use>,
    /// Literal credentials in it.
    pub secrets: Vec<Secret>,
    /// Members that are not in the form that the host reads.
    pub faults: Vec<Fault>,
    /// That it has neither a command nor an address.
    pub lack: Option<Lack>,
    /// Names of the only tools that the host takes from it; empty for all.
    pub only: Vec<Word>,
    /// Names of tools that the host leaves out.
    pub never: Vec<Word>,
    /// Names of tools that may run without asking.
    pub approved: Vec<Word>,
    /// The time that it has to start.
    pub start: Option<Duration>,
    /// The time that a request may take.
    pub request: Option<Duration>,
    /// The version that the file says it has.
    pub version: Option<Word>,
    /// How to reach it, or why that is not known: a sentence without a full stop that names no value.
    pub reach: Result<Reach, String>,
}

/// How to reach a server.
#[derive(Clone, PartialEq, Eq)]
pub enum Reach {
    /// By starting it.
    Launch(Launch),
    /// Over HTTP.
    Remote(Remote),
}

/// The way alone, for the reason that [`Word`] has.
impl std::fmt::Debug for Reach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Launch(_) => "launch",
            Self::Remote(_) => "remote",
        })
    }
}

/// A text and its place.
#[derive(Clone, PartialEq, Eq)]
pub struct Word {
    /// The text, variables resolved; it may hold a secret.
    pub text: String,
    /// The bytes in the file.
    pub at: Range<usize>,
}

/// The place alone: a resolved text could be a secret, and a panic or a log must not tell it.
impl std::fmt::Debug for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "word at {:?}", self.at)
    }
}

/// A literal credential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    /// The member that holds it, such as `headers.Authorization`.
    pub member: String,
    /// The bytes of the value.
    pub at: Range<usize>,
}

/// Whether a file is a config file, by its place and its root. Of one that cannot be read the place alone is known.
pub fn is_config_file(path: &Path) -> bool {
    let text = regular::read(path, MOST_BYTES).unwrap_or_default();
    format_of(&place_of(path), &String::from_utf8_lossy(&text)).is_some()
}

/// A path from the root: the folder that one is in tells the host too.
fn place_of(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).to_string_lossy().into_owned()
}

/// Reads a config file; none when it is none, in any format.
pub fn read(path: &str, text: &str, lookup: &Lookup) -> Option<File> {
    format_of(path, text).map(|format| read_as(format, path, text, lookup))
}

/// Reads a config file of a known format. The second part says whether its host is known too.
fn read_as((format, certain): (Format, bool), path: &str, text: &str, lookup: &Lookup) -> File {
    let text = without_bom(text);
    let mut file = File {
        path: path.replace('\\', "/"),
        format,
        certain,
        folder: lookup.folder.as_ref().map_or_else(|| project_of(path), |folder| folder.to_string_lossy().into_owned()),
        text: text.to_owned(),
        broken: None,
        wrong_root: None,
        faults: Vec::new(),
        inputs: BTreeSet::new(),
        entries: Vec::new(),
        hidden: Vec::new(),
    };
    match tree::read(text, format.table().dialect) {
        Ok(root) if matches!(root.value, tree::Value::Map(_)) => file.fill(&root, lookup),
        Ok(root) => {
            file.broken = Some(Broken { at: root.at, problem: "the root is no object".to_owned() });
        }
        Err(broken) => file.broken = Some(broken),
    }
    if file.broken.is_some() {
        file.hidden = lines::strings(&file.text);
    }
    file
}

/// Reads config files from disk.
///
/// # Errors
///
/// [`Trouble::Io`] for a file that cannot be read, [`Trouble::Input`] for one that is in no known format.
pub fn load(paths: &[PathBuf], lookup: &Lookup) -> Result<Vec<File>, Trouble> {
    let mut files = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        let bytes = regular::read(path, MOST_BYTES)
            .map_err(|cause| Trouble::io(&name, cause, "check the path and its permissions"))?;
        let text = String::from_utf8_lossy(&bytes);
        let format = format_of(&place_of(path), &text).ok_or_else(|| Trouble::Input {
            name: name.clone(),
            problem: "no config file of a known host".to_owned(),
            help: "expected servers under mcpServers, servers, mcp, context_servers or mcp_servers".to_owned(),
        })?;
        let mut file = read_as(format, &name, &text, lookup);
        if let Err(error) = std::str::from_utf8(&bytes) {
            let at = error.valid_up_to();
            file.broken = Some(Broken { at: at..at, problem: "the file is not UTF-8".to_owned() });
            file.entries.clear();
        }
        files.push(file);
    }
    Ok(files)
}

/// The format of a text, and whether that is certain.
fn format_of(path: &str, text: &str) -> Option<(Format, bool)> {
    let text = without_bom(text);
    let toml = path.to_lowercase().ends_with(".toml");
    // The place tells most files, and then none need be read for it.
    let root = LazyCell::new(|| tree::read(text, if toml { tree::Dialect::Toml } else { tree::Dialect::Jsonc }));
    let holds = |name: &str| match &*root {
        // Much else has a member of this name.
        Ok(root) if name == "servers" => {
            let servers = root.get(name).map(|servers| &servers.node);
            servers.is_some_and(|servers| {
                let is_empty = matches!(&servers.value, tree::Value::Map(members) if members.is_empty());
                is_empty || servers.members().iter().any(|member| is_server(&member.node))
            })
        }
        Ok(root) => root.get(name).is_some(),
        // What is broken is still somebody's file.
        Err(_) if toml => text.contains(&format!("[{name}.")),
        Err(_) => text.contains(&format!("\"{name}\"")),
    };
    format::recognise(path, holds)
}

/// The folder of the project that a file belongs to: a host's own folder is left out.
fn project_of(path: &str) -> String {
    let folder = path.replace('\\', "/");
    let folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
    let own =
        ["/.kiro/settings", "/.vscode", "/.github", "/.cursor", "/.codex", "/.gemini", "/.roo", "/.kiro", "/.zed"];
    let rooted = format!("/{folder}");
    let kept = own.into_iter().find_map(|own| rooted.strip_suffix(own)).unwrap_or(&rooted);
    match kept.get(1..) {
        Some(kept) if !kept.is_empty() => kept.to_owned(),
        _ => ".".to_owned(),
    }
}

impl File {
    /// The servers that the host starts.
    pub fn enabled(&self) -> impl Iterator<Item = (usize, &Entry)> {
        self.entries.iter().enumerate().filter(|(_, entry)| entry.enabled)
    }

    fn fill(&mut self, root: &Node, lookup: &Lookup) {
        let expander = vars::Expander {
            table: self.format.table(),
            lookup,
            folder: self.folder.clone(),
            inputs: declared(root),
            settings: package::settings(root),
        };
        let asked = expander.inputs.keys().chain(expander.settings.keys()).cloned().collect();
        let mut reader = entry::Reader { text: &self.text, expander, hidden: Vec::new(), asked };
        self.entries = match self.format {
            Format::Registry => package::registry(root, &mut reader),
            Format::Bundle => package::bundle(root, &mut reader),
            _ => {
                let (servers, wrong_root) = servers(self.format, root);
                self.wrong_root = wrong_root;
                let own = self.format.table().root;
                let root =
                    root.get(own).filter(|root| !matches!(root.node.value, tree::Value::Map(_) | tree::Value::Null));
                self.faults.extend(root.map(|root| shape::no_object(own, &root.node, &root.at)));
                let entry = |(project, member): (Option<&str>, &Member)| reader.entry(project, member);
                servers.into_iter().filter(|(_, member)| is_meant_as_server(member)).map(entry).collect()
            }
        };
        self.inputs = std::mem::take(&mut reader.asked);
        self.hidden = reader.hidden;
        self.hidden.sort_unstable_by_key(|at| at.start);
        if !self.certain {
            self.doubt();
        }
        self.leave_out_doubled();
    }

    /// Takes back what is certain for one host only, where the host is not known.
    fn doubt(&mut self) {
        // In the manifest of a plug-in a path stands under the root.
        self.faults.clear();
        for entry in &mut self.entries {
            entry.faults.retain(|fault| fault.member != "type");
            entry.faults.iter_mut().for_each(|fault| fault.certain = false);
            entry.lack.iter_mut().for_each(|lack| lack.certain = false);
        }
    }

    /// Parsers keep the last of several members of one name.
    fn leave_out_doubled(&mut self) {
        let lost: Vec<usize> = self.doubled().map(|(first, _)| first).collect();
        for first in lost {
            if let Some(entry) = self.entries.get_mut(first) {
                entry.enabled = false;
            }
        }
    }

    /// The positions of servers of one id, each with that of the next one.
    pub fn doubled(&self) -> impl Iterator<Item = (usize, usize)> {
        // The ways to a server of a registry are all of one name.
        let entries = if self.format == Format::Registry { &[][..] } else { &self.entries };
        let key = |entry: &Entry| (entry.project.clone(), entry.name.clone());
        let mut known = BTreeMap::new();
        let next = |(at, entry)| Some((known.insert(key(entry), at)?, at));
        entries.iter().enumerate().filter_map(next).collect::<Vec<_>>().into_iter()
    }
}

/// Whether a member under the root of the servers is no comment, and nothing that was taken out.
fn is_meant_as_server(member: &Member) -> bool {
    let is_name = member.name.starts_with(|letter: char| letter.is_alphanumeric() || letter == '@');
    is_name && !matches!(member.node.value, tree::Value::Null) && !member.name.eq_ignore_ascii_case("comment")
}

/// The declared inputs and their defaults; beside servers that stand a step deeper, they do too.
fn declared(root: &Node) -> BTreeMap<String, Option<String>> {
    let text = |node: &Node, name: &str| node.get(name).and_then(|member| member.node.text()).map(str::to_owned);
    let deeper = || root.get("mcp").and_then(|mcp| mcp.node.get("inputs"));
    let inputs = root.get("inputs").or_else(deeper).map_or(&[][..], |inputs| inputs.node.items());
    inputs.iter().filter_map(|input| Some((text(input, "id")?, text(input, "default")))).collect()
}

type Servers<'n> = (Vec<(Option<&'n str>, &'n Member)>, Option<WrongRoot>);

/// The servers of a file with the project that each is for, and a root that is another host's.
fn servers(format: Format, root: &Node) -> Servers<'_> {
    let own = format.table().root;
    let mut found: Vec<(Option<&str>, &Member)> = Vec::new();
    if let Some(servers) = root.get(own) {
        // The second version of opencode's file holds them a step deeper.
        let deeper =
            servers.node.get("servers").filter(|deeper| format == Format::Opencode && !is_server(&deeper.node));
        let servers = deeper.unwrap_or(servers);
        found.extend(servers.node.members().iter().map(|member| (None, member)));
    }
    if format == Format::ClaudeCode {
        for project in root.get("projects").map_or(&[][..], |projects| projects.node.members()) {
            let servers = project.node.get(own).map_or(&[][..], |servers| servers.node.members());
            found.extend(servers.iter().map(|member| (Some(project.name.as_str()), member)));
        }
        // A plug-in may leave the root out.
        if found.is_empty() && root.get(own).is_none() && root.members().iter().all(|member| is_server(&member.node)) {
            found.extend(root.members().iter().map(|member| (None, member)));
        }
    }
    if root.get(own).is_some() || !found.is_empty() {
        return (found, None);
    }
    for name in format::ROOTS.into_iter().filter(|name| *name != own) {
        let Some(member) = root.get(name) else { continue };
        // VS Code's settings once held the servers a step deeper.
        let inner = member.node.get("servers").filter(|_| name == "mcp").map_or(&member.node, |inner| &inner.node);
        if inner.members().iter().any(|member| is_server(&member.node)) {
            let found = inner.members().iter().map(|member| (None, member)).collect();
            let wrong = WrongRoot { found: name.to_owned(), expected: own, at: member.at.clone() };
            return (found, Some(wrong));
        }
    }
    (found, None)
}

/// Whether a node looks like a server of any host.
fn is_server(node: &Node) -> bool {
    ["command", "url", "httpUrl", "serverUrl"].into_iter().any(|name| node.get(name).is_some())
}

#[cfg(test)]
mod tests;
