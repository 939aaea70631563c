//! Parameters that take a credential from the model: one finding for the server, however many tools ask.

use std::collections::BTreeSet;

use super::x_mcp_header_sensitive::is_secret;
use crate::check::words::words;
use crate::check::{Context, Hit};
use crate::surface::Tool;

/// Names that are told.
const MOST: usize = 3;
/// Words of tools whose business credentials are: a password manager takes passwords.
const BUSINESS: [&str; 39] = [
    "account",
    "accounts",
    "auth",
    "authenticate",
    "check",
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
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let (mut tools, mut positions): (Vec<&str>, Vec<usize>) = (Vec::new(), Vec::new());
    for input in cx.inputs() {
        let Some(tool) = cx.surface.tools.get(input.tool).filter(|tool| !handles_credentials(tool)) else { continue };
        let mut found = false;
        for node in &input.nodes {
            let Some(name) = node.name.filter(|_| node.under == "properties" && node.level == 1) else { continue };
            // What opens the text says it too, but a name that says nothing is not claimed to.
            let takes =
                is_secret(name, "") && !is_other(name) && !node.value.get("type").is_some_and(|kind| kind != "string");
            if takes {
                found = true;
                names.insert(name);
            }
        }
        if found {
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

/// Whether a name only looks like one: a switch, or a token that may stand for a page or a result.
fn is_other(name: &str) -> bool {
    const SWITCHES: [&str; 9] = ["change", "forget", "has", "hide", "is", "mask", "reset", "show", "use"];
    name.eq_ignore_ascii_case("token") || words(name).next().is_some_and(|first| SWITCHES.contains(&first.as_str()))
}

/// Whether a credential is what the tool is about, and not what it is paid with.
fn handles_credentials(tool: &Tool) -> bool {
    tool.name().is_some_and(|name| words(name).any(|word| BUSINESS.contains(&word.as_str())))
}
