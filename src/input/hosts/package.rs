//! What a publisher says of its own server: the registry's `server.json`, a bundle's `manifest.json`, and packages
//! named by `npm:` and `pypi:`.

use std::collections::BTreeMap;

use super::entry::{Draft, Reader};
use super::format::Transport;
use super::tree::{Member, Node, Value};
use super::vars::{State, Use};
use super::{Entry, Word};
use crate::input::live::Launch;
use crate::input::remote::Header;

/// The command for a package of a registry: `npm:NAME@VERSION` or `pypi:NAME==VERSION`; none for other words.
pub fn launch(word: &str) -> Option<Launch> {
    let command = match word.split_once(':')? {
        ("npm", package) if is_name(package) => vec!["npx".to_owned(), "-y".to_owned(), package.to_owned()],
        ("pypi", package) if is_name(package) => vec!["uvx".to_owned(), package.to_owned()],
        _ => return None,
    };
    Some(Launch { command, ..Launch::default() })
}

/// Whether a text can be a package: an option in its place would be the runner's.
fn is_name(package: &str) -> bool {
    !package.is_empty() && !package.starts_with('-') && !package.contains(char::is_whitespace)
}

/// The settings that a bundle declares, and their defaults.
pub(super) fn settings(root: &Node) -> BTreeMap<String, Option<String>> {
    let declared = root.get("user_config").map_or(&[][..], |settings| settings.node.members());
    let default = |node: &Node| node.get("default").and_then(|default| default.node.word()).map(str::to_owned);
    declared.iter().map(|member| (member.name.clone(), default(&member.node))).collect()
}

fn text<'n>(node: &'n Node, name: &str) -> Option<&'n str> {
    node.get(name).and_then(|member| member.node.text())
}

fn version(root: &Node) -> Option<Word> {
    let member = root.get("version")?;
    Some(Word { text: member.node.text()?.to_owned(), at: member.node.at.clone() })
}

/// The server of a bundle.
pub(super) fn bundle(root: &Node, reader: &mut Reader<'_>) -> Vec<Entry> {
    let Some(config) = root.get("server").and_then(|server| server.node.get("mcp_config")) else { return Vec::new() };
    let mut member = Member { name: text(root, "name").unwrap_or("bundle").to_owned(), ..config.clone() };
    let platform = reader.expander.lookup.platform.in_bundle();
    let over = config.node.get("platform_overrides").and_then(|over| over.node.get(platform));
    if let (Some(over), Value::Map(members)) = (over, &mut member.node.value) {
        // The last member of a name counts, so what is put behind wins.
        members.extend(over.node.members().iter().cloned());
    }
    let mut entry = reader.entry(None, &member);
    entry.version = version(root);
    vec![entry]
}

/// The packages and addresses of a `server.json`, each a way to reach the same server.
pub(super) fn registry(root: &Node, reader: &mut Reader<'_>) -> Vec<Entry> {
    let name = text(root, "name").unwrap_or("server");
    let items = |name: &str| root.get(name).map_or(&[][..], |member| member.node.items());
    let packages = items("packages").iter().map(|node| package(name, node, reader)).collect::<Vec<_>>();
    let remotes = items("remotes").iter().map(|node| remote(name, node, reader)).collect::<Vec<_>>();
    let mut entries: Vec<Entry> = packages.into_iter().chain(remotes).collect();
    for entry in &mut entries {
        entry.version = entry.version.take().or_else(|| version(root));
    }
    entries
}

fn package(name: &str, node: &Node, reader: &mut Reader<'_>) -> Entry {
    let mut draft = Draft::default();
    let registry = text(node, "registryType").unwrap_or_default();
    let identifier = text(node, "identifier").unwrap_or_default();
    let at = node.get("identifier").map_or_else(|| node.at.clone(), |member| member.node.at.clone());
    let version = text(node, "version");
    let spec =
        |joint: &str| version.map_or_else(|| identifier.to_owned(), |version| format!("{identifier}{joint}{version}"));
    let hint = text(node, "runtimeHint");
    let mut words: Vec<String> = Vec::new();
    let runtime = arguments("runtimeArguments", node, reader, &mut draft);
    match registry {
        "npm" => {
            words.push(hint.unwrap_or("npx").to_owned());
            // `-y` keeps npx from asking; with an own list of arguments the publisher says it.
            words.extend(if runtime.is_empty() && hint.is_none_or(|hint| hint == "npx") {
                vec!["-y".to_owned()]
            } else {
                runtime
            });
            words.push(spec("@"));
        }
        "pypi" => {
            words.push(hint.unwrap_or("uvx").to_owned());
            words.extend(runtime);
            words.push(spec("=="));
        }
        "oci" => {
            words.push(hint.unwrap_or("docker").to_owned());
            words.extend(if runtime.is_empty() { ["run", "-i", "--rm"].map(str::to_owned).to_vec() } else { runtime });
            words.push(spec(":"));
        }
        "nuget" => {
            words.extend([hint.unwrap_or("dnx").to_owned(), spec("@"), "--yes".to_owned()]);
            words.extend(runtime);
            words.push("--".to_owned());
        }
        other => draft.hurdle = Some(format!("packages of `{other}` are not started")),
    }
    words.extend(arguments("packageArguments", node, reader, &mut draft));
    for variable in node.get("environmentVariables").map_or(&[][..], |member| member.node.items()) {
        if let (Some(name), Some(value)) = (text(variable, "name"), given(variable, "name", reader, &mut draft)) {
            draft.env.insert(name.to_owned(), value);
        }
    }
    draft.command = words.into_iter().map(|text| Word { text, at: at.clone() }).collect();
    let own = version.and_then(|text| Some(Word { text: text.to_owned(), at: node.get("version")?.node.at.clone() }));
    let kind = node.get("transport").and_then(|transport| text(&transport.node, "type")).unwrap_or("stdio");
    if kind != "stdio" {
        draft.hurdle = Some(format!("its package speaks `{kind}`, which is reached by an address"));
    }
    Entry {
        reach: reader.reach(&draft, None, Transport::Stdio, None),
        version: own,
        ..entry(name, at, (Transport::Stdio, node.at.clone()), draft)
    }
}

fn remote(name: &str, node: &Node, reader: &mut Reader<'_>) -> Entry {
    let mut draft = Draft::default();
    let at = node.get("url").map_or_else(|| node.at.clone(), |url| url.node.at.clone());
    let mut url = text(node, "url").unwrap_or_default().to_owned();
    for variable in node.get("variables").map_or(&[][..], |member| member.node.members()) {
        let value = one(&variable.name, &variable.node, variable.at.clone(), reader, &mut draft);
        url = url.replace(&format!("{{{}}}", variable.name), value.as_deref().unwrap_or_default());
    }
    for header in node.get("headers").map_or(&[][..], |member| member.node.items()) {
        if let (Some(name), Some(value)) = (text(header, "name"), given(header, "name", reader, &mut draft)) {
            draft.headers.push(Header { name: name.to_owned(), value });
        }
    }
    let sse = text(node, "type") == Some("sse");
    let kind = if sse { Transport::Sse } else { Transport::Http };
    let place = node.get("type").map_or_else(|| at.clone(), |member| member.node.at.clone());
    let word = Word { text: url, at: at.clone() };
    Entry {
        reach: reader.reach(&draft, Some(&word), kind, None),
        url: Some(word),
        ..entry(name, at, (kind, place), draft)
    }
}

fn entry(
    name: &str,
    at: std::ops::Range<usize>,
    transport: (Transport, std::ops::Range<usize>),
    draft: Draft,
) -> Entry {
    Entry {
        name: name.to_owned(),
        project: None,
        at,
        enabled: true,
        command: draft.command,
        url: None,
        transport,
        uses: draft.uses,
        secrets: draft.secrets,
        faults: Vec::new(),
        lack: None,
        only: Vec::new(),
        never: Vec::new(),
        approved: Vec::new(),
        start: None,
        request: None,
        version: None,
        reach: Err(String::new()),
    }
}

/// Positional and named arguments, as words.
fn arguments(list: &str, node: &Node, reader: &mut Reader<'_>, draft: &mut Draft) -> Vec<String> {
    let mut words = Vec::new();
    for argument in node.get(list).map_or(&[][..], |member| member.node.items()) {
        if let Some(name) = text(argument, "name").filter(|_| text(argument, "type") == Some("named")) {
            words.push(name.to_owned());
            let plain = argument.get("value").or_else(|| argument.get("default")).or_else(|| argument.get("valueHint"));
            if plain.is_some() {
                words.extend(given(argument, "name", reader, draft));
            }
        } else {
            words.extend(given(argument, "valueHint", reader, draft));
        }
    }
    words
}

/// The value of an input that a publisher describes, named by one of its members.
fn given(node: &Node, named_by: &str, reader: &mut Reader<'_>, draft: &mut Draft) -> Option<String> {
    let at = node.get(named_by).map_or_else(|| node.at.clone(), |member| member.node.at.clone());
    let name = text(node, named_by).unwrap_or("value");
    if let Some(value) = text(node, "value") {
        let mut out = value.to_owned();
        for variable in node.get("variables").map_or(&[][..], |member| member.node.members()) {
            let value = one(&variable.name, &variable.node, variable.at.clone(), reader, draft);
            out = out.replace(&format!("{{{}}}", variable.name), value.as_deref().unwrap_or_default());
        }
        return Some(out);
    }
    one(name, node, at, reader, draft)
}

/// The value of one input: from the environment, from `--input`, or its default.
fn one(
    name: &str,
    node: &Node,
    at: std::ops::Range<usize>,
    reader: &mut Reader<'_>,
    draft: &mut Draft,
) -> Option<String> {
    let lookup = reader.expander.lookup;
    let plain = || node.get("value").or_else(|| node.get("default")).and_then(|member| member.node.word());
    let value = lookup.variable(name).or_else(plain).map(str::to_owned).or_else(|| lookup.input(name));
    let required = node.get("isRequired").is_some_and(|member| member.node.value == Value::Flag(true));
    reader.asked.insert(name.to_owned());
    let state = match (&value, required) {
        (Some(_), _) => State::Resolved,
        (None, true) => State::NoInput,
        (None, false) => return None,
    };
    draft.uses.push(Use { text: name.to_owned(), name: name.to_owned(), at, state });
    value
}
