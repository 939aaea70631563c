//! What a command starts, seen from its words alone: through wrappers, by which runner, in which version.
//!
//! Apart from the rules because four of them ask the same questions, and each runner has its own grammar.

use std::ops::Range;

use crate::input::hosts::Word;

/// A command without what wraps it.
pub(super) struct Command {
    /// The program's name: lower case, without folder and extension.
    pub(super) program: String,
    /// Its words, the program first.
    pub(super) words: Vec<Word>,
}

/// What a runner fetches and starts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Package {
    /// As written, without what may be secret.
    pub(super) spec: String,
    /// The bytes in the file.
    pub(super) at: Range<usize>,
    /// Whether the words fix what is started.
    pub(super) pinned: bool,
}

/// The last part of a path, lower case, without the extension of a program.
fn name_of(program: &str) -> String {
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
    let ends = [".exe", ".cmd", ".bat", ".ps1"].into_iter().find_map(|end| name.strip_suffix(end));
    ends.unwrap_or(&name).to_owned()
}

/// The words of a command, wrappers taken off.
pub(super) fn command(words: &[Word]) -> Option<Command> {
    let mut words = words.to_vec();
    // Wrappers inside wrappers end somewhere.
    for _ in 0..4 {
        let first = words.first()?;
        let program = name_of(&first.text);
        let inner = match program.as_str() {
            "cmd" => behind(&words, |word| word.eq_ignore_ascii_case("/c") || word.eq_ignore_ascii_case("/k")),
            "op" | "doppler" | "infisical" | "dotenvx" | "dotenv" | "aws-vault" => behind(&words, |word| word == "--"),
            "sudo" | "env" | "nice" | "time" => {
                let is_command = |word: &Word| !word.text.starts_with('-') && !word.text.contains('=');
                words.iter().skip(1).position(is_command).map(|at| words.split_off(at + 1))
            }
            _ => None,
        };
        match inner {
            Some(inner) if !inner.is_empty() => words = inner,
            _ => return Some(Command { program, words }),
        }
    }
    None
}

/// The words behind a mark. One word with blanks is what a shell would split.
fn behind(words: &[Word], is_mark: impl Fn(&str) -> bool) -> Option<Vec<Word>> {
    let at = words.iter().position(|word| is_mark(&word.text))?;
    let split = |word: &Word| -> Vec<Word> {
        word.text.split_whitespace().map(|text| Word { text: text.to_owned(), at: word.at.clone() }).collect()
    };
    Some(match words.get(at + 1..)? {
        [one] => split(one),
        more => more.to_vec(),
    })
}

/// Options of a runner that take the next word.
type WithValue = &'static [&'static str];

const NPX: WithValue = &[
    "-c",
    "--call",
    "-w",
    "--workspace",
    "--registry",
    "--cache",
    "--prefix",
    "--userconfig",
    "--node-options",
    "--loglevel",
];
const UVX: WithValue = &[
    "--with",
    "--with-editable",
    "--with-requirements",
    "-p",
    "--python",
    "-i",
    "--index-url",
    "--default-index",
    "--index",
    "--extra-index-url",
    "-f",
    "--find-links",
    "--directory",
    "--project",
    "--cache-dir",
    "--config-file",
    "-c",
    "--constraints",
    "--env-file",
    "--index-strategy",
    "--keyring-provider",
    "--prerelease",
    "--refresh-package",
];
const PIPX: WithValue = &["--python", "--pip-args", "--index-url", "--with"];

/// Programs that run a script of the project: in which version follows from the project, not from the words.
const SCRIPT_RUNNERS: [&str; 6] = ["tsx", "ts-node", "nodemon", "vite-node", "esno", "jiti"];

impl Command {
    /// The package or image that is fetched, if the program is a runner.
    pub(super) fn package(&self) -> Option<Package> {
        let text = |at: usize| self.words.get(at).map_or("", |word| word.text.as_str());
        match (self.program.as_str(), text(1), text(2)) {
            ("npx" | "bunx" | "pnpx" | "dnx", ..) => self.npm(1),
            ("npm", "exec" | "x", _) | ("pnpm" | "yarn", "dlx", _) | ("bun", "x", _) => self.npm(2),
            ("uvx", ..) => self.python(1, UVX, "--from"),
            ("uv", "tool", "run") => self.python(3, UVX, "--from"),
            ("uv", "x", _) => self.python(2, UVX, "--from"),
            ("pipx", "run", _) => self.python(2, PIPX, "--spec"),
            ("go", "run", _) => self.go(),
            ("deno", ..) => self.deno(),
            _ => self.image(),
        }
    }

    /// The word that names the package: behind one of the options for it, or the first that is no option.
    fn named(&self, from: usize, with_value: WithValue, package: &[&str]) -> Option<Word> {
        let mut words = self.words.iter().skip(from);
        let mut plain = None;
        while let Some(word) = words.next() {
            let text = word.text.as_str();
            if let Some((option, value)) = text.split_once('=')
                && package.contains(&option)
            {
                return Some(Word { text: value.to_owned(), at: word.at.clone() });
            }
            if plain.is_none() && package.contains(&text) {
                return words.next().cloned();
            }
            if with_value.contains(&text) {
                words.next();
            } else if !text.starts_with('-') {
                plain = Some(word.clone());
                break;
            }
        }
        plain
    }

    fn npm(&self, from: usize) -> Option<Package> {
        let has = |names: &[&str]| self.words.iter().skip(from).any(|word| names.contains(&word.text.as_str()));
        // What is installed already is fixed by the project's lock file.
        if has(&["--no-install", "--no", "--offline"]) {
            return None;
        }
        let word = self.named(from, NPX, &["-p", "--package"])?;
        let name = word.text.split('@').next().unwrap_or_default();
        let script = self
            .words
            .iter()
            .any(|word| word.text.starts_with('.') || word.text.contains('/') && word.text.ends_with('s'));
        if is_local(&word.text) || (SCRIPT_RUNNERS.contains(&name) && script) {
            return None;
        }
        let pinned = npm_is_pinned(&word.text);
        Some(Package { spec: shown(&word.text), at: word.at, pinned })
    }

    fn python(&self, from: usize, with_value: WithValue, package: &str) -> Option<Package> {
        let word = self.named(from, with_value, &[package])?;
        if is_local(&word.text) {
            return None;
        }
        Some(Package { pinned: python_is_pinned(&word.text), spec: shown(&word.text), at: word.at })
    }

    fn go(&self) -> Option<Package> {
        let word = self.named(2, &["-C", "-tags", "-mod", "-exec", "-ldflags"], &[])?;
        let (_, version) = word.text.split_once('@')?;
        Some(Package { pinned: has_digit(version), spec: shown(&word.text), at: word.at.clone() })
    }

    fn deno(&self) -> Option<Package> {
        let word = self.words.iter().find(|word| word.text.starts_with("npm:") || word.text.starts_with("jsr:"))?;
        let name = word.text.get(4..).unwrap_or_default().trim_start_matches('/');
        Some(Package { pinned: npm_is_pinned(name), spec: shown(&word.text), at: word.at.clone() })
    }

    fn image(&self) -> Option<Package> {
        let word = self.container().filter(|container| container.is_new)?.image?;
        let name = word.text.rsplit('/').next().unwrap_or_default();
        let tag = name.split_once(':').map(|(_, tag)| tag);
        let moving = ["latest", "main", "master", "edge", "nightly", "dev", "stable"];
        let pinned =
            word.text.contains("@sha256:") || tag.is_some_and(|tag| !moving.contains(&tag)) || unknown(&word.text);
        Some(Package { spec: shown(&word.text), at: word.at, pinned })
    }
}

/// Whether a word names something on this machine.
fn is_local(text: &str) -> bool {
    let drive = text.as_bytes().get(1) == Some(&b':') && text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
    text.starts_with(['.', '/', '~', '\\']) || text.starts_with("file:") || text.starts_with("link:") || drive
}

/// Whether a text holds a variable without a value, or what is to be filled in: what stands there is not known.
fn unknown(text: &str) -> bool {
    let to_fill_in = text.split('<').skip(1).any(|rest| rest.starts_with(|letter: char| letter.is_ascii_alphabetic()));
    text.contains("${") || text.contains("{env:") || to_fill_in
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// A revision that no push moves, or a tag that looks like a version.
fn is_fixed_revision(text: &str) -> bool {
    let hash = text.len() >= 7 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) && has_digit(text);
    let number = text.trim_start_matches('v');
    hash || (number.starts_with(|letter: char| letter.is_ascii_digit()) && number.contains('.')) || unknown(text)
}

fn npm_is_pinned(text: &str) -> bool {
    if let Some((address, revision)) = text.split_once('#') {
        return !address.is_empty() && is_fixed_revision(revision.trim_start_matches("semver:"));
    }
    let scoped = text.strip_prefix('@');
    let name = scoped.unwrap_or(text);
    if text.contains("://") {
        return ["tgz", "tar.gz"].into_iter().any(|end| name.ends_with(end));
    }
    // `owner/name` without a scope is a repository, `github:` and the like too.
    let Some((_, version)) = name.split_once('@') else { return unknown(text) };
    let version = version.trim_start_matches('=').trim_start_matches('v');
    let core = version.split(['-', '+']).next().unwrap_or_default();
    let parts: Vec<&str> = core.split('.').collect();
    let exact =
        parts.len() == 3 && parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    exact || unknown(version)
}

fn python_is_pinned(text: &str) -> bool {
    if text.contains("://") || text.starts_with("git+") {
        let path = text.split_once("://").map_or(text, |(_, path)| path);
        let path = path.split('#').next().unwrap_or_default();
        // An `@` before the path belongs to the user's name.
        let revision = path.split_once('/').and_then(|(_, path)| path.rsplit_once('@'));
        let archive = [".whl", ".tar.gz", ".zip"].into_iter().any(|end| path.ends_with(end));
        return archive || revision.is_some_and(|(_, revision)| is_fixed_revision(revision));
    }
    let exact = |version: &str| {
        let version = version.trim_start_matches('=').trim();
        (version.starts_with(|letter: char| letter.is_ascii_digit()) && !version.contains(['*', ',', '<', '>']))
            || unknown(version)
    };
    match text.split_once("==") {
        Some((_, version)) => exact(version),
        None => text.split_once('@').is_some_and(|(_, version)| exact(version.trim())) || unknown(text),
    }
}

/// A package as it may be shown: without a user's name and password.
fn shown(text: &str) -> String {
    match (text.split_once("://"), text.split_once('?')) {
        (Some((scheme, rest)), _) if rest.split('/').next().is_some_and(|host| host.contains('@')) => {
            format!("{scheme}://***@{}", rest.split_once('@').map_or("", |(_, rest)| rest))
        }
        (_, Some((address, _))) => format!("{address}?***"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The command of these words.
    pub(in super::super) fn of(text: &str) -> Command {
        let words: Vec<Word> = text.split(' ').map(|text| Word { text: text.to_owned(), at: 0..0 }).collect();
        command(&words).unwrap()
    }

    #[test]
    fn packages_are_pinned_or_not() {
        for (text, spec, pinned) in [
            ("npx -y atlas-mcp@1.4.0", "atlas-mcp@1.4.0", true),
            ("npx -y @acme/atlas@1.4.0-rc.1", "@acme/atlas@1.4.0-rc.1", true),
            ("npx -y atlas-mcp@latest", "atlas-mcp@latest", false),
            ("npx atlas-mcp", "atlas-mcp", false),
            ("npx -y @acme/atlas", "@acme/atlas", false),
            ("npx -y atlas@^1.4.0", "atlas@^1.4.0", false),
            ("npx -y atlas@1", "atlas@1", false),
            ("npx -y atlas@1.x", "atlas@1.x", false),
            ("npx -y atlas@${ATLAS_VERSION}", "atlas@${ATLAS_VERSION}", true),
            ("npx --registry https://r.example.test -y atlas@1.0.0 --api x", "atlas@1.0.0", true),
            ("npx -p atlas@1.0.0 atlas-mcp", "atlas@1.0.0", true),
            ("npx --package=atlas -- atlas-mcp", "atlas", false),
            ("npx -y github:acme/atlas#9f8e7d6c5b4a", "github:acme/atlas#9f8e7d6c5b4a", true),
            ("npx -y github:acme/atlas#main", "github:acme/atlas#main", false),
            ("npx -y acme/atlas", "acme/atlas", false),
            ("C:\\nodejs\\npx.cmd -y atlas@1.0.0", "atlas@1.0.0", true),
            ("cmd /c npx -y atlas", "atlas", false),
            ("bunx atlas@2.0.1", "atlas@2.0.1", true),
            ("pnpm dlx atlas", "atlas", false),
            ("yarn dlx atlas@3.0.0", "atlas@3.0.0", true),
            ("npm exec -y -- atlas", "atlas", false),
            ("uvx maps-mcp", "maps-mcp", false),
            ("uvx ok-mcp==2.1.0", "ok-mcp==2.1.0", true),
            ("uvx ok-mcp[all]==2.1", "ok-mcp[all]==2.1", true),
            ("uvx ok-mcp@2.1.0", "ok-mcp@2.1.0", true),
            ("uvx ok-mcp@latest", "ok-mcp@latest", false),
            ("uvx ok-mcp>=2", "ok-mcp>=2", false),
            ("uvx ok-mcp==2.*", "ok-mcp==2.*", false),
            ("uvx --python 3.12 --from ok-mcp==2.1.0 ok", "ok-mcp==2.1.0", true),
            ("uvx --from git+https://git.example.test/acme/ok ok", "git+https://git.example.test/acme/ok", false),
            (
                "uvx --from git+https://git.example.test/acme/ok@v1.2.0 ok",
                "git+https://git.example.test/acme/ok@v1.2.0",
                true,
            ),
            (
                "uvx --from git+https://t0k3n@git.example.test/a/ok@9f8e7d6c5b ok",
                "git+https://***@git.example.test/a/ok@9f8e7d6c5b",
                true,
            ),
            ("uv tool run ok-mcp", "ok-mcp", false),
            ("pipx run --spec ok==1.0 ok", "ok==1.0", true),
            ("pipx run ok", "ok", false),
            ("docker run -i --rm acme/atlas", "acme/atlas", false),
            ("docker run -i --rm -e TOKEN acme/atlas:latest", "acme/atlas:latest", false),
            ("docker run -i --rm --name atlas localhost:5000/atlas:1.4", "localhost:5000/atlas:1.4", true),
            ("docker run -i acme/atlas@sha256:9f8e", "acme/atlas@sha256:9f8e", true),
            ("go run example.test/atlas@latest", "example.test/atlas@latest", false),
            ("deno run -A npm:atlas@1.0.0", "npm:atlas@1.0.0", true),
        ] {
            let package = of(text).package().unwrap_or_else(|| panic!("{text}"));
            assert_eq!((package.spec.as_str(), package.pinned), (spec, pinned), "{text}");
        }
    }

    #[test]
    fn what_is_here_already_is_no_package() {
        for text in [
            "node dist/index.js",
            "npx ./dist/index.js",
            "npx -y file:../atlas",
            "npx tsx ./src/index.ts",
            "npx --no-install atlas",
            "uvx .",
            "uvx --from ./atlas atlas",
            "uv run server.py",
            "uv --directory . run atlas",
            "python -m atlas",
            "docker compose run atlas",
            "docker exec -i atlas atlas-mcp",
            "go run .",
            "cargo run",
            "docker mcp gateway run",
        ] {
            assert_eq!(of(text).package(), None, "{text}");
        }
    }
}
