//! What of an entry is not in the form that its host reads: members of another kind, words that it does not know, names
//! that other hosts have.
//!
//! Apart from reading entries, which takes all that can be understood: here stands what the host does not take.

use std::ops::Range;

use super::format::{Format, NeedsType, Refuses, Table, Transport};
use super::tree::{Member, Node, Value};
use super::vars::Shell;
use crate::text::near::nearest;

/// A member that is not in the form that its host reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The member, such as `env.PORT`.
    pub member: String,
    /// What stands there, in a few words without the value.
    pub found: String,
    /// What the host reads there, in a few words.
    pub expected: String,
    /// The bytes in the file.
    pub at: Range<usize>,
    /// Whether it is known what the host makes of it.
    pub certain: bool,
    /// Whether the server cannot be reached as its host would.
    pub stops: bool,
}

/// That an entry has neither a command nor an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    /// The name that was probably meant for another, and that one.
    pub meant: Option<(String, &'static str)>,
    /// The bytes of that name, or of the entry's.
    pub at: Range<usize>,
    /// Whether it is known that the host has no use for such an entry.
    pub certain: bool,
}

/// What is known of a fault.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// The host refuses the entry.
    Refused,
    /// The host passes over the member.
    PassedOver,
    /// Nothing.
    Unknown,
}

/// Names that hosts have for an address.
const ADDRESSES: [&str; 3] = ["url", "serverUrl", "httpUrl"];

/// Names that are written where `command` is meant.
const COMMANDS: [&str; 4] = ["cmd", "exec", "executable", "program"];

/// Names that are written where an address is meant.
const PLACES: [&str; 4] = ["address", "baseUrl", "endpoint", "uri"];

/// Programs that are nothing without arguments.
const RUNNERS: [&str; 9] = ["bunx", "deno", "docker", "node", "npx", "python", "python3", "uv", "uvx"];

/// The kind of a value in a few words.
pub(super) fn kind(node: &Node) -> &'static str {
    match node.value {
        Value::Text(_) => "a text",
        Value::Flag(_) => "true or false",
        Value::Number(_) => "a number",
        Value::Null => "null",
        Value::List(_) => "a list",
        Value::Map(_) => "an object",
    }
}

/// A member that holds no object where the host reads one.
pub(super) fn no_object(name: &str, node: &Node, at: &Range<usize>) -> Fault {
    Fault {
        member: name.to_owned(),
        found: kind(node).to_owned(),
        expected: "an object".to_owned(),
        at: at.clone(),
        certain: true,
        stops: true,
    }
}

/// What of an entry its host does not take.
pub(super) fn faults(entry: &Member, table: &'static Table) -> Vec<Fault> {
    let mut look = Look { entry, table, faults: Vec::new() };
    look.command();
    look.arguments();
    look.variables();
    look.headers();
    look.address();
    look.kind_of_transport();
    look.unclosed();
    look.faults
}

/// Whether an entry has nothing that leads to a server.
pub(super) fn lack(entry: &Member, table: &'static Table) -> Option<Lack> {
    let node = &entry.node;
    let is_there = |name: &str| node.get(name).is_some_and(|member| member.node.is_filled());
    let own: Vec<&'static str> = std::iter::once("command").chain(table.urls.iter().map(|(name, _)| *name)).collect();
    let unread = table.urls.is_empty() && ADDRESSES.into_iter().any(is_there);
    if unread || own.iter().any(|name| is_there(name)) {
        return None;
    }
    let address = table.urls.first().map_or("command", |(name, _)| name);
    let meant = node.members().iter().filter(|member| member.node.is_filled()).find_map(|member| {
        let name = member.name.as_str();
        let known = COMMANDS.contains(&name).then_some("command");
        let known = known.or_else(|| (ADDRESSES.contains(&name) || PLACES.contains(&name)).then_some(address));
        Some((member, known.or_else(|| nearest(name, own.iter().copied()))?))
    });
    if meant.is_none() && is_meant(node, table) {
        return None;
    }
    let refused = table.refuses != Refuses::Unknown && table.format != Format::Codex;
    Some(Lack {
        at: meant.map_or_else(|| entry.at.clone(), |(member, _)| member.at.clone()),
        certain: refused || meant.is_some(),
        meant: meant.map(|(member, name)| (member.name.clone(), name)),
    })
}

/// Whether an entry without a way to its server can be meant: switches for one of another file, the settings of an
/// extension, a kind of server of its own.
fn is_meant(node: &Node, table: &Table) -> bool {
    let only_switches = || node.members().iter().all(|member| matches!(member.name.as_str(), "enabled" | "disabled"));
    let own_kind = || {
        let kind = node.get("type").and_then(|kind| kind.node.text());
        kind.is_some_and(|kind| !table.types.iter().any(|(word, _)| *word == kind))
    };
    match table.format {
        Format::Zed => true,
        Format::Opencode => !node.members().is_empty() && only_switches(),
        _ => table.refuses == Refuses::Unknown && (own_kind() || node.get("tcp").is_some()),
    }
}

struct Look<'n> {
    entry: &'n Member,
    table: &'static Table,
    faults: Vec<Fault>,
}

impl<'n> Look<'n> {
    fn get(&self, name: &str) -> Option<&'n Member> {
        self.entry.node.get(name).filter(|member| member.node.value != Value::Null)
    }

    fn all(&self, names: impl Iterator<Item = &'static str>) -> Vec<&'n Member> {
        names.filter_map(|name| self.get(name)).collect()
    }

    fn is_filled(&self, name: &str) -> bool {
        self.get(name).is_some_and(|member| member.node.is_filled())
    }

    fn has_address(&self) -> bool {
        self.table.urls.iter().any(|(name, _)| self.is_filled(name))
    }

    /// What a host with a schema makes of what breaks it.
    fn by_schema(&self) -> Weight {
        if self.table.refuses == Refuses::Unknown { Weight::Unknown } else { Weight::Refused }
    }

    fn tell(&mut self, member: &str, at: &Range<usize>, found: &str, expected: &str, weight: Weight) {
        self.faults.push(Fault {
            member: member.to_owned(),
            found: found.to_owned(),
            expected: expected.to_owned(),
            at: at.clone(),
            certain: weight != Weight::Unknown,
            stops: weight == Weight::Refused,
        });
    }

    /// No host starts a program that is named by anything else than it reads.
    fn command(&mut self) {
        let Some(command) = self.get("command").filter(|command| command.node.is_filled()) else { return };
        let node = &command.node;
        let listed = self.table.command_is_list;
        let is_right = match &node.value {
            Value::Text(_) => !listed,
            Value::List(items) => listed && items.iter().all(|item| item.text().is_some()),
            Value::Map(_) => self.table.format == Format::Zed,
            _ => false,
        };
        if !is_right {
            let expected = if listed { "a list of texts" } else { "a text" };
            return self.tell("command", &node.at, kind(node), expected, Weight::Refused);
        }
        let mut words = node.text().unwrap_or_default().split_whitespace();
        let runner = words.next().is_some_and(|first| RUNNERS.contains(&first));
        if runner && words.next().is_some() && !self.is_filled("args") {
            self.tell("command", &node.at, "a whole line", "the program alone", Weight::Unknown);
        }
    }

    fn arguments(&mut self) {
        let Some(args) = self.get("args") else { return };
        let node = &args.node;
        if self.table.command_is_list {
            return self.tell("args", &args.at, "the arguments", "a list under `command`", Weight::Refused);
        }
        let Value::List(items) = &node.value else {
            let weight = if node.is_filled() { Weight::Refused } else { self.by_schema() };
            return self.tell("args", &node.at, kind(node), "a list of texts", weight);
        };
        for item in items.iter().filter(|item| item.text().is_none()) {
            self.tell("args", &item.at, kind(item), "a text", self.by_schema());
        }
    }

    fn variables(&mut self) {
        let own = self.table.env;
        let other = if own == "env" { "environment" } else { "env" };
        if let Some(member) = self.get(other).filter(|_| self.get(own).is_none()) {
            let passed_over = if self.table.refuses == Refuses::Unknown { Weight::Unknown } else { Weight::PassedOver };
            let weight = if self.table.format == Format::Opencode { Weight::Refused } else { passed_over };
            self.tell(other, &member.at, "a name of other hosts", own, weight);
        }
        self.texts(own);
    }

    fn headers(&mut self) {
        let Some(own) = self.table.headers.first().copied() else { return };
        let other = if own == "headers" { "http_headers" } else { "headers" };
        if let Some(member) = self.get(other).filter(|_| self.get(own).is_none()) {
            let weight = if self.table.format == Format::Codex { Weight::PassedOver } else { Weight::Unknown };
            self.tell(other, &member.at, "a name of other hosts", own, weight);
        }
        self.texts(own);
    }

    /// A member that holds texts by name. Hosts without a schema turn numbers into texts.
    fn texts(&mut self, name: &'static str) {
        let Some(member) = self.get(name) else { return };
        let Value::Map(members) = &member.node.value else {
            if member.node.is_filled() {
                self.tell(name, &member.node.at, kind(&member.node), "an object of texts", self.by_schema());
            }
            return;
        };
        for inner in members {
            let is_plain = matches!(inner.node.value, Value::Number(_) | Value::Flag(_) | Value::Null);
            let is_taken = is_plain && self.table.refuses == Refuses::Unknown;
            if inner.node.text().is_none() && !is_taken {
                let place = format!("{name}.{}", inner.name);
                self.tell(&place, &inner.node.at, kind(&inner.node), "a text", self.by_schema());
            }
        }
    }

    fn address(&mut self) {
        if self.table.urls.is_empty() && !self.is_filled("command") {
            for member in self.all(ADDRESSES.into_iter()) {
                self.tell(&member.name, &member.at, "an address", "a command alone", Weight::Refused);
            }
        }
        for member in self.all(self.table.urls.iter().map(|(name, _)| *name)) {
            let node = &member.node;
            match node.text() {
                None => self.tell(&member.name, &node.at, kind(node), "a text", Weight::Refused),
                Some(text) if node.is_filled() && !text.contains("://") && !is_to_fill_in(text) => {
                    self.tell(
                        &member.name,
                        &node.at,
                        "an address without a scheme",
                        "https:// or http://",
                        Weight::Refused,
                    );
                }
                Some(_) => {}
            }
        }
    }

    /// The words under `type`, and what each goes with.
    fn kind_of_transport(&mut self) {
        let (table, reads) = (self.table, self.table.reads);
        if reads.is_empty() {
            return;
        }
        let words = |is_local: bool| -> String {
            let means = |word: &&str| {
                let means = table.types.iter().find(|(known, _)| known == word).map(|(_, means)| *means);
                (means == Some(Transport::Stdio)) == is_local
            };
            reads.iter().copied().filter(means).take(2).collect::<Vec<_>>().join(" or ")
        };
        let (has_command, has_address) = (self.is_filled("command"), self.has_address());
        if has_command == has_address {
            return;
        }
        let beside = if has_command { "beside a command" } else { "beside an address" };
        let expected = format!("{} {beside}", words(has_command));
        let Some(said) = self.get("type") else {
            let needed = match table.needs_type {
                NeedsType::Never => false,
                NeedsType::Address => has_address,
                NeedsType::Always => true,
            };
            if needed {
                let at = self.entry.at.clone();
                self.tell("type", &at, "nothing", &expected, self.by_schema());
            }
            return;
        };
        let at = &said.node.at;
        let Some(word) = said.node.text() else {
            return self.tell("type", at, kind(&said.node), &expected, self.by_schema());
        };
        let means = table.types.iter().find(|(known, _)| *known == word).map(|(_, means)| *means);
        let fits = means.is_none_or(|means| (means == Transport::Stdio) == has_command);
        if !reads.contains(&word) || !fits {
            let is_word = word.len() <= 24 && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            self.tell("type", at, if is_word { word } else { "another word" }, &expected, self.by_schema());
        }
    }

    /// Variables that nobody closed: they are passed on as they are.
    fn unclosed(&mut self) {
        let shell = self.get("command").and_then(|command| Shell::of(command.node.text()?));
        for name in ["command", "args", self.table.env].into_iter().chain(self.table.headers.iter().copied()) {
            let Some(member) = self.get(name).filter(|_| shell.is_none()) else { continue };
            let node = &member.node;
            let inner = node.items().iter().chain(node.members().iter().map(|member| &member.node));
            for node in std::iter::once(node).chain(inner).filter(|node| node.text().is_some_and(is_unclosed)) {
                self.tell(name, &node.at, "an unclosed variable", "one that ends with }", Weight::Unknown);
            }
        }
    }
}

/// Whether a text begins a variable and does not end it.
fn is_unclosed(text: &str) -> bool {
    text.rsplit_once("${").is_some_and(|(_, rest)| {
        rest.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_') && !rest.contains('}')
    })
}

/// Whether a text is for the reader to replace, or begins with a variable.
fn is_to_fill_in(text: &str) -> bool {
    let upper =
        text.bytes().any(|byte| byte.is_ascii_uppercase()) && !text.bytes().any(|byte| byte.is_ascii_lowercase());
    text.contains(['<', '{', '$', '%']) || text.contains("...") || upper
}

#[cfg(test)]
mod tests {
    use super::super::{Lookup, read};

    /// What is told of the servers of a file: member, found, expected; with `!` where it is certain.
    fn told(path: &str, servers: &str) -> Vec<String> {
        let root = match path {
            ".vscode/mcp.json" => "servers",
            "opencode.json" => "mcp",
            _ => "mcpServers",
        };
        let text = if path.ends_with("toml") { servers.to_owned() } else { format!("{{ \"{root}\": {servers} }}") };
        let file = read(path, &text, &Lookup::default()).unwrap();
        assert_eq!(file.broken, None, "{servers}");
        let of_entries = file.entries.iter().flat_map(|entry| &entry.faults);
        let faults = file.faults.iter().chain(of_entries);
        let faults = faults.map(|fault| {
            let mark = if fault.certain { "!" } else { "" };
            format!("{mark}{}: {}, {}", fault.member, fault.found, fault.expected)
        });
        let lacks = file.entries.iter().filter_map(|entry| entry.lack.as_ref()).map(|lack| {
            let mark = if lack.certain { "!" } else { "" };
            let meant = lack.meant.as_ref().map(|(found, meant)| format!("{found} for {meant}"));
            format!("{mark}{}", meant.unwrap_or_else(|| "empty".to_owned()))
        });
        faults.chain(lacks).collect()
    }

    #[test]
    fn each_host_reads_its_own_form() {
        let beside = "http or sse beside an address";
        for (path, servers, found) in [
            (".mcp.json", r#"{ "a": { "command": ["node"] } }"#, "!command: a list, a text"),
            (".mcp.json", r#"{ "a": { "command": "node", "args": "a.js" } }"#, "!args: a text, a list of texts"),
            (".mcp.json", r#"{ "a": { "command": "node a.js" } }"#, "command: a whole line, the program alone"),
            (".mcp.json", r#"{ "a": { "command": "a", "env": { "P": 1 } } }"#, "!env.P: a number, a text"),
            (".cursor/mcp.json", r#"{ "a": { "command": "a", "env": { "P": 1 } } }"#, ""),
            (
                ".mcp.json",
                r#"{ "a": { "command": "a", "args": ["${A"] } }"#,
                "args: an unclosed variable, one that ends with }",
            ),
            (".mcp.json", r#"{ "a": { "url": "https://a.test" } }"#, &format!("!type: nothing, {beside}")),
            (".mcp.json", r#"{ "a": { "type": "htpp", "url": "https://a.test" } }"#, &format!("!type: htpp, {beside}")),
            (".mcp.json", r#"{ "a": { "type": "streamable-http", "url": "https://a.test" } }"#, ""),
            (".mcp.json", r#"{ "a": { "type": "http", "command": "a" } }"#, "!type: http, stdio beside a command"),
            (
                ".mcp.json",
                r#"{ "a": { "type": "http", "url": "a.test/mcp" } }"#,
                "!url: an address without a scheme, https:// or http://",
            ),
            (".mcp.json", r#"{ "a": { "type": "http", "url": "<your url>" } }"#, ""),
            (".mcp.json", r#"[{ "command": "a" }]"#, "!mcpServers: a list, an object"),
            (".mcp.json", r#"{ "a": "npx a", "_note": "x", "b": null }"#, "!mcpServers.a: a text, an object"),
            (".mcp.json", r#"{ "a": { "comand": "a" } }"#, "!comand for command"),
            (".mcp.json", r#"{ "a": { "type": "http", "serverUrl": "https://a.test" } }"#, "!serverUrl for url"),
            (".mcp.json", r#"{ "a": {} }"#, "!empty"),
            ("mcp.json", r#"{ "a": { "url": "https://a.test" }, "b": { "type": "x", "url": "https://a.test" } }"#, ""),
            ("mcp.json", r#"{ "a": { "command": ["a"] } }"#, "command: a list, a text"),
            (".cursor/mcp.json", r#"{ "a": { "url": "https://a.test" }, "b": { "type": "x", "command": "b" } }"#, ""),
            (".cursor/mcp.json", r#"{ "a": { "args": [] } }"#, "empty"),
            (
                ".vscode/mcp.json",
                r#"{ "a": { "type": "htpp", "url": "https://a.test" } }"#,
                "type: htpp, http or sse beside an address",
            ),
            (".vscode/mcp.json", r#"{ "a": { "url": "unix:///run/a", "headers": {} } }"#, ""),
            (
                "claude_desktop_config.json",
                r#"{ "a": { "url": "https://a.test" } }"#,
                "!url: an address, a command alone",
            ),
            ("opencode.json", r#"{ "a": { "type": "local", "command": "a" } }"#, "!command: a text, a list of texts"),
            ("opencode.json", r#"{ "a": { "command": ["a"] } }"#, "!type: nothing, local beside a command"),
            (
                "opencode.json",
                r#"{ "a": { "type": "local", "command": ["a"], "env": {} } }"#,
                "!env: a name of other hosts, environment",
            ),
            ("opencode.json", r#"{ "a": { "enabled": false } }"#, ""),
            (
                "opencode.json",
                r#"{ "timeout": 9, "servers": { "a": { "type": "local", "command": "a" } } }"#,
                "!command: a text, a list of texts",
            ),
            (".codex/config.toml", "[mcp_servers.a]\ncmd = 'a'\n", "!cmd for command"),
            (".codex/config.toml", "[mcp_servers.a]\nstartup_timeout_sec = 9\n", "empty"),
            (
                ".codex/config.toml",
                "[mcp_servers.a]\nurl = 'https://a.test'\nheaders = { X = '1' }\n",
                "!headers: a name of other hosts, http_headers",
            ),
            (
                ".roo/mcp.json",
                r#"{ "a": { "url": "https://a.test" } }"#,
                "!type: nothing, streamable-http or sse beside an address",
            ),
            ("cline_mcp_settings.json", r#"{ "a": { "url": "https://a.test" } }"#, ""),
            (".kiro/settings/mcp.json", r#"{ "a": { "type": "registry" } }"#, ""),
        ] {
            assert_eq!(told(path, servers).join("; "), found, "{path}: {servers}");
        }
    }

    #[test]
    fn the_last_of_two_servers_of_one_id_counts() {
        let text = r#"{ "mcpServers": { "a": { "command": "x" }, "b": { "command": "y" }, "a": { "command": "z" } } }"#;
        let file = read(".mcp.json", text, &Lookup::default()).unwrap();
        assert_eq!(file.doubled().collect::<Vec<_>>(), [(0, 2)]);
        assert_eq!(file.enabled().map(|(at, _)| at).collect::<Vec<_>>(), [1, 2]);
    }
}
