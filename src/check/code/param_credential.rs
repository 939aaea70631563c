//! Parameters that take a credential from the model: one finding for the server, however many tools ask.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::x_mcp_header_sensitive::is_secret;
use crate::check::words::words;
use crate::check::{Context, Hit};
use crate::surface::{Tool, schema::Node};

/// Tools from which on a name is no matter of one of them.
const COMMON: usize = 3;
/// Names that are told.
const MOST: usize = 3;
/// Words of tools whose business credentials are: a password manager takes passwords.
const BUSINESS: [&str; 38] = [
    "account",
    "accounts",
    "auth",
    "authenticate",
    "config",
    "configure",
    "configuration",
    "connect",
    "connection",
    "credential",
    "credentials",
    "decode",
    "decrypt",
    "encrypt",
    "generate",
    "hash",
    "jwt",
    "key",
    "keys",
    "login",
    "password",
    "passwords",
    "register",
    "revoke",
    "rotate",
    "secret",
    "secrets",
    "setup",
    "sign",
    "signin",
    "ssh",
    "token",
    "tokens",
    "user",
    "users",
    "validate",
    "vault",
    "verify",
];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    // A name that several other tools ask for is no matter of the tool, whatever that is called.
    let mut asked: BTreeMap<&str, usize> = BTreeMap::new();
    for input in cx.inputs() {
        let other = cx.surface.tools.get(input.tool).is_some_and(|tool| !handles_credentials(tool));
        for name in input.nodes.iter().filter_map(credential).filter(|_| other) {
            *asked.entry(name).or_default() += 1;
        }
    }
    let is_common = |name: &str| asked.get(name).is_some_and(|tools| *tools >= COMMON);
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let (mut tools, mut positions): (Vec<&str>, Vec<usize>) = (Vec::new(), Vec::new());
    for input in cx.inputs() {
        let Some(tool) = cx.surface.tools.get(input.tool) else { continue };
        let matter = handles_credentials(tool);
        let asked = input.nodes.iter().filter_map(credential).filter(|name| !matter || is_common(name));
        let asked: Vec<&str> = asked.collect();
        names.extend(&asked);
        if !asked.is_empty() {
            tools.push(tool.label());
            positions.push(input.tool);
        }
    }
    let Some(first) = names.first() else { return Vec::new() };
    let told = names.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    let told = if names.len() > 1 { told } else { (*first).to_owned() };
    let hit = Hit::server().fact("value", told).fact("measured", format!("{}/{}", tools.len(), cx.surface.tools.len()));
    vec![hit.fact("affected", names.into_iter().collect::<Vec<_>>()).fact("tools", tools).also(positions)]
}

/// The name of a parameter that takes a credential.
fn credential<'v>(node: &Node<'v>) -> Option<&'v str> {
    let name = node.name.filter(|_| node.under == "properties" && node.level == 1)?;
    // What opens the text says it too, but a name that says nothing is not claimed to.
    let is_text = node.value.get("type").is_none_or(|kind| kind == "string");
    let is_bearer = || {
        let text = node.value.get("description").and_then(Value::as_str).unwrap_or_default().to_lowercase();
        name.eq_ignore_ascii_case("token")
            && ["bearer token", "api token", "access token"].iter().any(|one| text.starts_with(one))
    };
    (is_text && (is_bearer() || (is_secret(name, "") && !is_other(name)))).then_some(name)
}

/// Whether a name only looks like one: a switch, or a token that may stand for a page or a result.
fn is_other(name: &str) -> bool {
    const SWITCHES: [&str; 9] = ["change", "forget", "has", "hide", "is", "mask", "reset", "show", "use"];
    name.eq_ignore_ascii_case("token") || words(name).next().is_some_and(|first| SWITCHES.contains(&first.as_str()))
}

/// Whether a credential is what the tool is about, and not what it is paid with.
fn handles_credentials(tool: &Tool) -> bool {
    tool.name().is_some_and(|name| words(name).any(|word| BUSINESS.contains(&word.as_str())))
}
