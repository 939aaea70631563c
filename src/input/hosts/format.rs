//! The formats of the hosts, one row each: what is read where, and what it means there.
//!
//! Data only. A host that changes its format changes its row.

use super::tree::Dialect;

/// A way to write a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// `${NAME}`.
    Braced,
    /// `${NAME:-default}`.
    BracedDefault,
    /// `$NAME`.
    Bare,
    /// `${env:NAME}`.
    Env,
    /// `${input:id}`.
    Input,
    /// `${workspaceFolder}` and other names that an editor knows.
    Place,
    /// `{env:NAME}`.
    Curly,
    /// `{file:path}`.
    File,
    /// `%NAME%`.
    Percent,
}

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Format {
    /// `.mcp.json` and `~/.claude.json` of Claude Code.
    ClaudeCode,
    /// `claude_desktop_config.json`.
    ClaudeDesktop,
    /// `mcp.json` of VS Code.
    Vscode,
    /// `mcp-config.json` of Copilot CLI, and the portable form that no single host owns.
    Copilot,
    /// `.cursor/mcp.json`.
    Cursor,
    /// `config.toml` of Codex.
    Codex,
    /// `settings.json` of Gemini CLI.
    Gemini,
    /// `mcp_config.json` of Windsurf.
    Windsurf,
    /// `opencode.json`.
    Opencode,
    /// `settings.json` of Zed.
    Zed,
    /// `cline_mcp_settings.json`.
    Cline,
    /// `.roo/mcp.json`.
    Roo,
    /// `.kiro/settings/mcp.json`.
    Kiro,
    /// `server.json` of the registry.
    Registry,
    /// `manifest.json` of a bundle.
    Bundle,
}

/// Which transport an entry means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A process, spoken to over its standard streams.
    Stdio,
    /// HTTP, in the shape that the server speaks.
    Http,
    /// HTTP+SSE of 2024-11-05 only.
    Sse,
}

/// The unit of a time-out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Seconds,
    Milliseconds,
}

/// What a time-out is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    Start,
    Request,
}

/// What a host does with an entry that breaks its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refuses {
    /// Not known, or it takes what it can.
    Unknown,
    /// It leaves the entry out.
    Entry,
    /// It leaves out all servers of the file.
    File,
}

/// When an entry must say its `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NeedsType {
    Never,
    /// Beside an address.
    Address,
    Always,
}

/// The row of a format.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) format: Format,
    /// The id in options and rule files.
    pub(super) id: &'static str,
    /// The host's name in messages.
    pub(super) name: &'static str,
    pub(super) dialect: Dialect,
    /// The member of the root that holds the servers.
    pub(super) root: &'static str,
    /// The variables that the host resolves.
    pub(super) syntaxes: &'static [Syntax],
    /// The members in which it does; where none is named, in all.
    pub(super) expands: &'static [&'static str],
    /// The member with the variables for the server.
    pub(super) env: &'static str,
    /// The members that hold an address, and what each means without a `type`.
    pub(super) urls: &'static [(&'static str, Transport)],
    /// The members with headers.
    pub(super) headers: &'static [&'static str],
    /// The words under `type`. The first of a transport is the one that is recommended.
    pub(super) types: &'static [(&'static str, Transport)],
    /// The members with names of tools that are served, and of those that are not.
    pub(super) tools: (&'static str, &'static str),
    /// The members with names of tools that may run without asking.
    pub(super) approved: &'static [&'static str],
    pub(super) waits: &'static [(&'static str, Wait, Unit)],
    /// Whether a command and an address may stand together, or it is not known.
    pub(super) mixes: bool,
    /// What the host does with an entry that breaks its schema.
    pub(super) refuses: Refuses,
    /// The words under `type` that the host reads; none where it does not look there, or that is not known.
    pub(super) reads: &'static [&'static str],
    pub(super) needs_type: NeedsType,
    /// Whether the command and its arguments are one list.
    pub(super) command_is_list: bool,
}

const PLAIN_URL: &[(&str, Transport)] = &[("url", Transport::Http)];
const PLAIN_TYPES: &[(&str, Transport)] = &[
    ("stdio", Transport::Stdio),
    ("http", Transport::Http),
    ("streamable-http", Transport::Http),
    ("streamableHttp", Transport::Http),
    ("sse", Transport::Sse),
    ("local", Transport::Stdio),
    ("remote", Transport::Http),
];

/// What most hosts share.
const COMMON: Table = Table {
    format: Format::Copilot,
    id: "copilot",
    name: "Copilot CLI",
    dialect: Dialect::Json,
    root: "mcpServers",
    syntaxes: &[Syntax::Braced, Syntax::BracedDefault],
    expands: &["command", "args", "env", "headers"],
    env: "env",
    urls: PLAIN_URL,
    headers: &["headers"],
    types: PLAIN_TYPES,
    tools: ("tools", "disabledTools"),
    approved: &["autoApprove"],
    waits: &[],
    mixes: true,
    refuses: Refuses::Unknown,
    reads: &[],
    needs_type: NeedsType::Never,
    command_is_list: false,
};

/// The rows. Sources and dates stand in `rules/config/config-wrong-syntax-for-host.md` and its neighbours; those of what
/// a host refuses in `config-entry-invalid.md`.
pub(super) static TABLES: [Table; 15] = [
    Table {
        format: Format::ClaudeCode,
        id: "claude-code",
        name: "Claude Code",
        expands: &["command", "args", "env", "url", "headers"],
        refuses: Refuses::Entry,
        reads: &["stdio", "http", "sse", "streamable-http", "ws"],
        needs_type: NeedsType::Address,
        ..COMMON
    },
    Table {
        format: Format::ClaudeDesktop,
        id: "claude-desktop",
        name: "Claude Desktop",
        syntaxes: &[],
        // It reaches addresses that are entered under its connectors only.
        urls: &[],
        refuses: Refuses::Entry,
        ..COMMON
    },
    Table {
        format: Format::Vscode,
        id: "vscode",
        name: "VS Code",
        dialect: Dialect::Jsonc,
        root: "servers",
        syntaxes: &[Syntax::Env, Syntax::Input, Syntax::Place],
        expands: &[],
        reads: &["stdio", "http", "sse"],
        ..COMMON
    },
    Table { reads: &["local", "stdio", "http", "sse"], ..COMMON },
    Table {
        format: Format::Cursor,
        id: "cursor",
        name: "Cursor",
        syntaxes: &[Syntax::Env, Syntax::Place],
        expands: &["command", "args", "env", "url", "headers", "envFile"],
        ..COMMON
    },
    Table {
        format: Format::Codex,
        id: "codex",
        name: "Codex",
        dialect: Dialect::Toml,
        root: "mcp_servers",
        syntaxes: &[],
        headers: &["http_headers"],
        tools: ("enabled_tools", "disabled_tools"),
        waits: &[
            ("startup_timeout_sec", Wait::Start, Unit::Seconds),
            ("startup_timeout_ms", Wait::Start, Unit::Milliseconds),
            ("tool_timeout_sec", Wait::Request, Unit::Seconds),
        ],
        mixes: false,
        refuses: Refuses::File,
        ..COMMON
    },
    Table {
        format: Format::Gemini,
        id: "gemini",
        name: "Gemini CLI",
        dialect: Dialect::Comments,
        syntaxes: &[Syntax::Braced, Syntax::BracedDefault, Syntax::Bare],
        expands: &[],
        urls: &[("httpUrl", Transport::Http), ("url", Transport::Sse)],
        tools: ("includeTools", "excludeTools"),
        waits: &[("timeout", Wait::Request, Unit::Milliseconds)],
        ..COMMON
    },
    Table {
        format: Format::Windsurf,
        id: "windsurf",
        name: "Windsurf",
        syntaxes: &[Syntax::Env],
        expands: &["command", "args", "env", "serverUrl", "url", "headers"],
        urls: &[("serverUrl", Transport::Http), ("url", Transport::Http)],
        ..COMMON
    },
    Table {
        format: Format::Opencode,
        id: "opencode",
        name: "opencode",
        dialect: Dialect::Jsonc,
        root: "mcp",
        syntaxes: &[Syntax::Curly, Syntax::File],
        expands: &[],
        env: "environment",
        waits: &[("timeout", Wait::Request, Unit::Milliseconds)],
        mixes: false,
        refuses: Refuses::File,
        reads: &["local", "remote"],
        needs_type: NeedsType::Always,
        command_is_list: true,
        ..COMMON
    },
    Table {
        format: Format::Zed,
        id: "zed",
        name: "Zed",
        dialect: Dialect::Jsonc,
        root: "context_servers",
        syntaxes: &[],
        ..COMMON
    },
    Table {
        format: Format::Cline,
        id: "cline",
        name: "Cline",
        syntaxes: &[Syntax::Env],
        expands: &[],
        // Without a type Cline takes an address for HTTP+SSE: cline/cline#6767.
        urls: &[("url", Transport::Sse)],
        waits: &[("timeout", Wait::Request, Unit::Seconds)],
        refuses: Refuses::File,
        reads: &["stdio", "streamableHttp", "sse"],
        ..COMMON
    },
    Table {
        format: Format::Roo,
        id: "roo",
        name: "Roo Code",
        syntaxes: &[Syntax::Env, Syntax::Place],
        expands: &[],
        approved: &["alwaysAllow"],
        waits: &[("timeout", Wait::Request, Unit::Seconds)],
        mixes: false,
        refuses: Refuses::Entry,
        reads: &["stdio", "streamable-http", "sse"],
        needs_type: NeedsType::Address,
        ..COMMON
    },
    Table {
        format: Format::Kiro,
        id: "kiro",
        name: "Kiro",
        expands: &["command", "args", "env", "url", "headers"],
        waits: &[("timeout", Wait::Request, Unit::Milliseconds)],
        ..COMMON
    },
    Table {
        format: Format::Registry,
        id: "server.json",
        name: "the registry",
        syntaxes: &[],
        root: "packages",
        ..COMMON
    },
    Table { format: Format::Bundle, id: "manifest.json", name: "the bundle", syntaxes: &[], root: "server", ..COMMON },
];

/// The roots of all hosts: who finds one in a file of another host has copied it.
pub(super) const ROOTS: [&str; 5] = ["mcpServers", "servers", "mcp", "context_servers", "mcp_servers"];

impl Format {
    /// The format of this id, if there is one.
    pub fn from_text(text: &str) -> Option<Self> {
        TABLES.iter().find(|table| table.id == text).map(|table| table.format)
    }

    /// Its id.
    pub fn as_str(self) -> &'static str {
        self.table().id
    }

    /// The host's name in messages.
    pub fn host(self) -> &'static str {
        self.table().name
    }

    /// The host's dialect in a few words.
    pub fn dialect(self) -> &'static str {
        match self.table().dialect {
            Dialect::Json => "JSON",
            Dialect::Comments => "JSON with comments",
            Dialect::Jsonc => "JSON with comments and trailing commas",
            Dialect::Toml => "TOML",
        }
    }

    /// Whether a command and an address may stand together in an entry, or it is not known.
    pub fn mixes(self) -> bool {
        self.table().mixes
    }

    /// Whether the host leaves out all servers of a file when one entry breaks its schema.
    pub fn refuses_files(self) -> bool {
        self.table().refuses == Refuses::File
    }

    pub(super) fn table(self) -> &'static Table {
        // Every format has its row; the test below holds that.
        TABLES.iter().find(|table| table.format == self).unwrap_or(&COMMON)
    }
}

/// The format of a file, by its place, then by what it holds; and whether that tells the host. Nothing is read but the
/// name and the root.
pub(super) fn recognise(path: &str, holds: impl Fn(&str) -> bool) -> Option<(Format, bool)> {
    let path = path.replace('\\', "/").to_lowercase();
    let mut steps = path.rsplit('/');
    let (file, folder) = (steps.next().unwrap_or_default(), steps.next().unwrap_or_default());
    let above = steps.next().unwrap_or_default();
    let by_place = match (folder, file) {
        (_, ".mcp.json" | ".claude.json") => Format::ClaudeCode,
        (_, "claude_desktop_config.json") => Format::ClaudeDesktop,
        (".vscode", "mcp.json") => Format::Vscode,
        ("user", "mcp.json") if above.starts_with("code") => Format::Vscode,
        (".github", "mcp.json") | (_, "mcp-config.json") => Format::Copilot,
        (".cursor", "mcp.json") => Format::Cursor,
        (".codex", "config.toml") => Format::Codex,
        (".gemini", "settings.json") | (_, "gemini-extension.json") => Format::Gemini,
        (_, "mcp_config.json") => Format::Windsurf,
        (_, "opencode.json" | "opencode.jsonc") => Format::Opencode,
        (".zed" | "zed", "settings.json") => Format::Zed,
        (_, "cline_mcp_settings.json") => Format::Cline,
        (".roo", "mcp.json") | (_, "mcp_settings.json") => Format::Roo,
        (".kiro" | "settings", "mcp.json") if folder == ".kiro" || above == ".kiro" => Format::Kiro,
        (_, "server.json") if holds("packages") || holds("remotes") => Format::Registry,
        (_, "manifest.json") if holds("manifest_version") || holds("dxt_version") => Format::Bundle,
        _ => return by_content(file, holds),
    };
    Some((by_place, true))
}

fn by_content(file: &str, holds: impl Fn(&str) -> bool) -> Option<(Format, bool)> {
    if file.rsplit('.').next() == Some("toml") {
        let roots = ROOTS.iter().any(|root| holds(root));
        return roots.then_some((Format::Codex, true));
    }
    if holds("context_servers") {
        return Some((Format::Zed, true));
    }
    if holds("mcpServers") {
        return Some(if file == "settings.json" { (Format::Gemini, true) } else { (Format::Copilot, false) });
    }
    if holds("servers") {
        return Some((Format::Vscode, true));
    }
    (holds("mcp") && holds("$schema")).then_some((Format::Opencode, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_its_row() {
        for table in &TABLES {
            assert_eq!(Format::from_text(table.id), Some(table.format));
            assert_eq!(table.format.table().id, table.id);
        }
    }

    #[test]
    fn places_tell_hosts() {
        let found = |path: &str, roots: &[&str]| recognise(path, |root| roots.contains(&root)).map(|found| found.0);
        for (path, roots, format) in [
            ("a/.mcp.json", &[][..], Some(Format::ClaudeCode)),
            ("/home/a/.claude.json", &[], Some(Format::ClaudeCode)),
            ("C:\\Users\\a\\AppData\\Roaming\\Claude\\claude_desktop_config.json", &[], Some(Format::ClaudeDesktop)),
            (".vscode/mcp.json", &["mcpServers"], Some(Format::Vscode)),
            ("a/Code/User/mcp.json", &[], Some(Format::Vscode)),
            (".github/mcp.json", &[], Some(Format::Copilot)),
            (".copilot/mcp-config.json", &[], Some(Format::Copilot)),
            (".cursor/mcp.json", &[], Some(Format::Cursor)),
            ("config.toml", &["mcp_servers"], Some(Format::Codex)),
            (".codex/config.toml", &[], Some(Format::Codex)),
            ("config.toml", &[], None),
            ("settings.json", &["mcpServers"], Some(Format::Gemini)),
            ("settings.json", &["context_servers"], Some(Format::Zed)),
            ("settings.json", &[], None),
            (".codeium/windsurf/mcp_config.json", &[], Some(Format::Windsurf)),
            ("opencode.jsonc", &[], Some(Format::Opencode)),
            (".zed/settings.json", &[], Some(Format::Zed)),
            ("cline_mcp_settings.json", &[], Some(Format::Cline)),
            (".roo/mcp.json", &[], Some(Format::Roo)),
            (".kiro/settings/mcp.json", &[], Some(Format::Kiro)),
            ("server.json", &["packages"], Some(Format::Registry)),
            ("server.json", &["port"], None),
            ("manifest.json", &["manifest_version"], Some(Format::Bundle)),
            ("mcp.json", &["servers"], Some(Format::Vscode)),
            ("mcp.json", &["mcpServers"], Some(Format::Copilot)),
            ("list.json", &["tools"], None),
        ] {
            assert_eq!(found(path, roots), format, "{path}");
        }
    }
}
