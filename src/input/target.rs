//! What the user points at, read from words: `-- command args`, a file, `-`.
//!
//! Apart from the command-line parser, because a command recorded in a document is read here too.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::hosts::{self, Entry, File, Lookup, Reach};
use super::live::Launch;
use super::remote::{Remote, shown};
use crate::error::Trouble;
use crate::text::{address::Origin, safe};

/// A thing to audit, with the name that reports use.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Its name in reports and settings.
    pub name: String,
    /// Where it is.
    pub place: Place,
    /// The words that point at it, as one would type them.
    pub words: Vec<String>,
    /// The version that its manifest says it has.
    pub version: Option<String>,
    /// The id that a config file or the settings give the server; none when nobody named it.
    pub id: Option<String>,
    /// The server that it is a launch profile of, as the settings say.
    pub profile_of: Option<String>,
}

/// Where a target is.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// A server to be started, spoken to over stdio.
    Stdio(Launch),
    /// A server over HTTP.
    Http(Remote),
    /// A file with a list or a capture.
    File(PathBuf),
    /// The same on standard input.
    Stdin,
    /// Config files of hosts, to be judged as files.
    Config(Configs),
    /// A server of a config file that is not contacted, and why: a sentence without a full stop.
    Blocked(String),
}

/// Config files of hosts, and what they are judged with.
#[derive(Clone, Default, PartialEq)]
pub struct Configs {
    /// The files.
    pub paths: Vec<PathBuf>,
    /// Values of inputs by id.
    pub inputs: BTreeMap<String, String>,
    /// Values of variables that the environment does not have.
    pub env: BTreeMap<String, String>,
    /// The ids of the only servers that are looked at; all when empty.
    pub only: Vec<String>,
    /// The system that the hosts run on.
    pub platform: hosts::Platform,
}

/// The paths alone: values may be secret, and a panic or a log must not tell them.
impl std::fmt::Debug for Configs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "configs {:?}", self.paths)
    }
}

impl Configs {
    /// The files as they are judged: with the environment, and any file that an entry names taken for present.
    ///
    /// # Errors
    ///
    /// [`Trouble::Io`] or [`Trouble::Input`] for what is no config file that can be read.
    pub fn judged(&self) -> Result<Vec<File>, Trouble> {
        let lookup = Lookup { platform: self.platform, files: Lookup::default().files, ..self.lookup() };
        let mut files = hosts::load(&self.paths, &lookup)?;
        for file in files.iter_mut().filter(|_| !self.only.is_empty()) {
            file.entries.retain(|entry| self.only.contains(&entry.name));
        }
        Ok(files)
    }

    /// The files as their servers are reached from here.
    ///
    /// # Errors
    ///
    /// [`Trouble::Io`] or [`Trouble::Input`] for what is no config file that can be read.
    pub fn reached(&self) -> Result<Vec<File>, Trouble> {
        hosts::load(&self.paths, &self.lookup())
    }

    /// This machine, with what the user gave.
    fn lookup(&self) -> Lookup {
        let mut lookup = Lookup { inputs: self.inputs.clone(), ..Lookup::of_this_machine() };
        for (name, value) in &self.env {
            lookup.env.entry(name.clone()).or_insert_with(|| value.clone());
        }
        lookup
    }
}

/// First words of commands that run something else; the name is then that of what they run.
const RUNNERS: [&str; 12] =
    ["bunx", "docker", "node", "npx", "pipx", "pnpm", "python", "python3", "sh", "uv", "uvx", "yarn"];

impl Target {
    /// The file that it is, as other programs can open it.
    pub fn file(&self) -> Option<String> {
        match &self.place {
            Place::File(path) => Some(path.display().to_string()),
            Place::Stdio(_) | Place::Http(_) | Place::Stdin | Place::Config(_) | Place::Blocked(_) => None,
        }
    }

    /// Whether it is a server, and no saved list.
    pub fn is_live(&self) -> bool {
        matches!(self.place, Place::Stdio(_) | Place::Http(_))
    }

    /// Whether it is config files of hosts, to be judged as files.
    pub fn is_config(&self) -> bool {
        matches!(self.place, Place::Config(_))
    }

    /// Reads the words of a target: `--` and a command, an address, a path, or `-`.
    ///
    /// # Errors
    ///
    /// [`Trouble::Usage`] naming what the words are, when they are no target.
    pub fn from_words(words: &[String]) -> Result<Self, Trouble> {
        match words {
            [] => Err(Trouble::usage("no target given", "name a file, `-`, an address, or `-- command args`")),
            [mark, command @ ..] if mark == "--" => Self::command(command.to_vec()),
            [one] if one == "-" => Ok(Self {
                name: "stdin".to_owned(),
                place: Place::Stdin,
                words: words.to_vec(),
                version: None,
                id: None,
                profile_of: None,
            }),
            [one] => Self::path(one),
            [_, next, ..] => Err(Trouble::usage(
                format!("unexpected word `{next}` after the target"),
                "to start a server, put `--` before its command: `toolsurface audit -- npx -y some-server`",
            )),
        }
    }

    /// A server started by this command. `toolsurface` as the first word means this very program. What looks like a
    /// credential in it stands neither in its name nor in its words.
    ///
    /// # Errors
    ///
    /// [`Trouble::Usage`] when the command is empty.
    pub fn command(command: Vec<String>) -> Result<Self, Trouble> {
        if command.first().is_none_or(String::is_empty) {
            return Err(Trouble::usage("no command after `--`", "give the command that starts the server"));
        }
        let launch = Launch { command, ..Launch::default() };
        let shown = launch.shown();
        let name = command_name(&shown);
        let words = std::iter::once("--".to_owned()).chain(shown).collect();
        Ok(Self { name, place: Place::Stdio(launch), words, version: None, id: None, profile_of: None })
    }

    /// A server over HTTP. What lets one in stands neither in its name nor in its words.
    ///
    /// # Errors
    ///
    /// [`Trouble::Usage`] when it is no address of HTTP.
    pub fn address(url: &str) -> Result<Self, Trouble> {
        let remote = Remote { url: url.to_owned(), ..Remote::default() };
        let shown = remote.shown();
        let Some((scheme, rest)) = shown.split_once("://") else {
            return Err(Trouble::usage(format!("`{shown}` is no address"), "write it like https://example.test/mcp"));
        };
        if !matches!(scheme.to_lowercase().as_str(), "http" | "https") {
            return Err(Trouble::usage(
                format!("`{shown}` is not an address of HTTP"),
                "servers are reached over http:// or https://, or started with `-- command args`",
            ));
        }
        if rest.starts_with(['/', '?', '#']) || rest.is_empty() || url.contains(char::is_whitespace) {
            return Err(Trouble::usage(format!("`{shown}` names no host"), "write it like https://example.test/mcp"));
        }
        if Origin::of(url).is_none() {
            let help = "look at its host and port; a letter that is not ASCII is written in percent form";
            return Err(Trouble::usage(format!("`{shown}` is no address that can be read"), help));
        }
        let name = rest.split(['?', '#']).next().unwrap_or(rest).trim_end_matches('/').to_owned();
        Ok(Self { name, place: Place::Http(remote), words: vec![shown], version: None, id: None, profile_of: None })
    }

    /// A server of a config file that these words point at.
    pub fn entry(entry: &Entry, config: &[String]) -> Self {
        let place = match &entry.reach {
            Ok(Reach::Launch(launch)) => Place::Stdio(launch.clone()),
            Ok(Reach::Remote(remote)) => Place::Http(remote.clone()),
            Err(why) => Place::Blocked(why.clone()),
        };
        let mut words = config.to_vec();
        words.extend(["--server".to_owned(), entry.name.clone()]);
        let version = entry.version.as_ref().map(|word| word.text.clone());
        Self { name: entry.name.clone(), place, words, version, id: Some(entry.name.clone()), profile_of: None }
    }

    /// A config file of a host.
    pub fn config(path: &Path, words: Vec<String>) -> Self {
        let configs = Configs { paths: vec![path.to_owned()], ..Configs::default() };
        Self { name: file_name(path), place: Place::Config(configs), words, version: None, id: None, profile_of: None }
    }

    /// Whether a file is a config file of a host.
    fn holds_config(path: &Path) -> bool {
        may_hold_config(path) && !begins_like_a_list(path) && hosts::is_config_file(path)
    }

    fn path(word: &str) -> Result<Self, Trouble> {
        if word.contains("://") {
            return Self::address(word);
        }
        if let Some(launch) = hosts::package::launch(word) {
            return Ok(Self {
                name: word.to_owned(),
                place: Place::Stdio(launch),
                words: vec![word.to_owned()],
                version: None,
                id: None,
                profile_of: None,
            });
        }
        let path = PathBuf::from(word);
        if path.is_dir() {
            return Err(Trouble::usage(
                format!("{} is a folder, and only servers and files can be audited", safe::quoted(word)),
                "name a file with a `tools/list` answer, a host's config file in it, or `-- command args`",
            ));
        }
        if !path.exists() {
            return Err(Trouble::usage(format!("there is no file {}", safe::quoted(word)), no_file_help(word)));
        }
        // What has no name of a file may be a pipe: the shell's `<(…)`.
        if may_hold_config(&path) && !path.is_file() {
            let problem = format!("`{word}` is no regular file");
            return Err(Trouble::usage(problem, "give a list by `-`, from standard input"));
        }
        if Self::holds_config(&path) {
            return Ok(Self::config(&path, vec![word.to_owned()]));
        }
        Ok(Self {
            name: file_name(&path),
            place: Place::File(path),
            words: vec![word.to_owned()],
            version: None,
            id: None,
            profile_of: None,
        })
    }
}

/// What may be meant by a word that is no file.
fn no_file_help(word: &str) -> String {
    let host = word.split(['/', '?']).next().unwrap_or_default();
    let has_port = host.rsplit_once(':').is_some_and(|(name, port)| !name.is_empty() && port.parse::<u16>().is_ok());
    if has_port || host == "localhost" {
        return format!("an address begins with its scheme: `http://{}`", shown(word));
    }
    if let Some((kind, name)) =
        word.split_once(':').filter(|(_, name)| !name.contains(['/', '\\']) || name.starts_with('@'))
    {
        let name = if name.is_empty() { "NAME" } else { name };
        let near = match kind.to_lowercase().as_str() {
            "pypi" | "pip" | "uvx" | "python" => Some("pypi"),
            "npm" | "nmp" | "npx" | "node" => Some("npm"),
            _ => None,
        };
        if let Some(near) = near {
            let form = if near == "npm" { "npm:NAME@VERSION" } else { "pypi:NAME==VERSION" };
            return format!("a package is named as `{form}`, here `{near}:{}`", safe::clip(name, 60));
        }
    }
    "name a file, `-`, an address (`https://…`), a package (`npm:NAME`, `pypi:NAME`), a target of toolsurface.toml, or \
     `-- command args`"
        .to_owned()
}

fn may_hold_config(path: &Path) -> bool {
    path.extension().is_some_and(|end| ["json", "jsonc", "toml"].iter().any(|known| end == *known))
}

/// Whether a file begins as a list or a capture does: then it is no config file, and need not be read to see that.
fn begins_like_a_list(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(4_096).read_to_end(&mut start));
    let start = String::from_utf8_lossy(&start);
    let start = start.trim_start_matches('\u{feff}').trim_start();
    let is_json = path.extension().is_some_and(|end| end == "json");
    let first = start.strip_prefix('{').map(str::trim_start).and_then(|rest| rest.strip_prefix('"'));
    let first = first.and_then(|rest| rest.split('"').next()).unwrap_or_default();
    let is_list = ["tools", "jsonrpc", "result", "nextCursor", "capture", "resultType"].contains(&first);
    read.is_ok() && (is_list || (is_json && start.starts_with('[')))
}

/// The file's name without its folder and last extension.
fn file_name(path: &Path) -> String {
    let name = path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    // A dot parts words too, as in `lamps.api-server`.
    let end = [".jsonl", ".json", ".js", ".mjs", ".cjs", ".ts", ".py", ".exe", ".cmd", ".txt"];
    let stem = end.into_iter().find_map(|end| name.strip_suffix(end)).map(str::to_owned);
    stem.filter(|stem| !stem.is_empty()).unwrap_or(name)
}

/// Options of runners behind which a value stands: no name, and maybe a secret.
const WITH_VALUE: [&str; 14] = [
    "--env",
    "--env-file",
    "--mount",
    "--name",
    "--network",
    "--publish",
    "--user",
    "--volume",
    "-c",
    "-e",
    "-p",
    "-u",
    "-v",
    "-w",
];

/// The name of what a command runs: its program, or behind a runner the first word that is no option.
fn command_name(command: &[String]) -> String {
    let program = command.first().map_or("", String::as_str);
    let short = file_name(Path::new(program));
    if !RUNNERS.contains(&short.as_str()) {
        return short;
    }
    let words = command.iter().skip(1);
    let before = std::iter::once(None).chain(words.clone().map(Some));
    let is_name = |(word, before): &(&String, Option<&String>)| {
        let is_value = before.is_some_and(|before| WITH_VALUE.contains(&before.as_str()));
        let is_step = matches!(word.as_str(), "run" | "dlx" | "exec");
        !(is_value || is_step || word.starts_with('-') || word.contains('=') || word.contains("***"))
    };
    let run = words.zip(before).find(is_name).map(|(word, _)| word);
    run.map_or(short, |word| {
        let is_script = [".js", ".mjs", ".cjs", ".ts", ".py"].into_iter().any(|end| word.ends_with(end));
        if is_script || word.starts_with(['/', '.']) { file_name(Path::new(word)) } else { word.clone() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn names_say_what_runs() {
        for (command, name) in [
            ("npx -y @modelcontextprotocol/server-everything", "@modelcontextprotocol/server-everything"),
            ("/usr/bin/uvx mcp-server-time --local", "mcp-server-time"),
            ("docker run -i --rm mcp/time", "mcp/time"),
            ("docker run -i -e TOKEN=secret --env KEY mcp/time", "mcp/time"),
            ("node node_modules/a/dist/server.js --port 1", "server"),
            ("sh -c secret-script", "sh"),
            ("node ./dist/index.js", "index"),
            ("/opt/bin/my-server --stdio", "my-server"),
        ] {
            assert_eq!(command_name(&words(command)), name, "{command}");
        }
    }

    #[test]
    fn words_that_are_no_target_say_so() {
        for (text, part) in [
            ("", "no target"),
            ("--", "no command"),
            ("ftp://me:s3cret@example.test/mcp", "`ftp://example.test/mcp` is not an address of HTTP"),
            ("https:///mcp", "names no host"),
            ("no-such-file.json", "there is no file"),
            ("npx -y server", "unexpected word"),
        ] {
            let trouble = Target::from_words(&words(text)).unwrap_err();
            assert!(trouble.to_string().contains(part), "{text}: {trouble}");
        }
    }
}
