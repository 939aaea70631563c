//! Mirrored parameters that are secrets by their name or by the beginning of their description.

use serde_json::Value;

use super::super::{Context, Hit, words};
use super::x_mcp_header_invalid::KEY;

/// What secrets are called, as runs of words.
const SECRETS: [&[&str]; 22] = [
    &["password"],
    &["passwd"],
    &["passphrase"],
    &["passcode"],
    &["secret"],
    &["credential"],
    &["credentials"],
    &["apikey"],
    &["api", "key"],
    &["api", "token"],
    &["access", "key"],
    &["access", "token"],
    &["auth", "token"],
    &["bearer", "token"],
    &["refresh", "token"],
    &["session", "token"],
    &["id", "token"],
    &["private", "key"],
    &["signing", "key"],
    &["social", "security", "number"],
    &["credit", "card", "number"],
    &["ssn"],
];
/// Words before the secret in the first words of a description that do not change what it is.
const LEADING: usize = 4;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for schema in cx.inputs() {
        for node in schema.nodes.iter().filter(|node| node.value.get(KEY).is_some_and(Value::is_string)) {
            let Some(name) = node.name else { continue };
            let text = node.value.get("description").and_then(Value::as_str).unwrap_or_default();
            if is_secret(name, text) {
                hits.push(Hit::tool(schema.tool, node.at.key(KEY)).fact("value", name));
            }
        }
    }
    hits
}

/// Whether the name ends in a secret, or the text opens with one: `secret_name` and "the name of the secret" are none.
pub(super) fn is_secret(name: &str, text: &str) -> bool {
    let name: Vec<String> = words::words(name).collect();
    let text = words::sentences(text).next().unwrap_or_default();
    // What follows a preposition says whose it is or what it is for.
    let end = ["of", "for", "to", "in", "that", "with", "from", "used", "which", "as", "by", "on", "is"];
    let opening: Vec<String> = words::words(text).take_while(|word| !end.contains(&word.as_str())).collect();
    let opens = opening.len() <= LEADING + 1 && ends_in_secret(&opening);
    ends_in_secret(&name) || name == ["token"] || opens
}

fn ends_in_secret(words: &[String]) -> bool {
    SECRETS.into_iter().any(|secret| words.ends_with(&secret.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_what_is_called_after_them() {
        for (name, text) in [
            ("password", ""),
            ("apiKey", ""),
            ("db_password", ""),
            ("client_secret", ""),
            ("accessToken", ""),
            ("token", "Token of the user."),
            ("auth", "The API key of the tenant."),
            ("key", "Your personal access token, from the settings page."),
            ("card", "Credit card number."),
        ] {
            assert!(is_secret(name, text), "{name}: {text}");
        }
        for (name, text) in [
            ("secret_name", "Name of the secret to read."),
            ("max_tokens", "Tokens at most."),
            ("page_token", "Where to go on."),
            ("region", "Region in which the password is stored."),
            ("key", "Key of the issue."),
            ("tenant", "Tenant that the API key belongs to."),
            ("token_type", "Kind of the access token."),
            ("note", "A note that must not hold a password."),
            ("public_key", "Public key of the peer."),
        ] {
            assert!(!is_secret(name, text), "{name}: {text}");
        }
    }
}
