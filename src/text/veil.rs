//! Credentials in the definition of a tool: where they are, and the same text without them.
//!
//! Definitions are read by everybody, are shown by every report, and are full of examples. So what counts here must be
//! no example, no hash and no fixed id; and whatever shows a definition goes through here first.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::Value;

use super::pointer::Pointer;
use super::secret::{in_address, is_credential, is_formed, is_stand_in, is_varied, pieces};

/// What is shown in place of a credential.
pub const MASK: &str = "***";
/// Keywords that hold a value of the parameter.
const VALUES: [&str; 4] = ["const", "default", "enum", "examples"];
/// Endings of names of parameters whose value is nothing but a credential.
const OWNERS: [&str; 13] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "apikey",
    "apitoken",
    "accesskey",
    "secretkey",
    "accesstoken",
    "authtoken",
    "bearertoken",
    "clientsecret",
    "credential",
];
/// What made-up values hold.
const MADE_UP: [&str; 28] = [
    "123456",
    "234567",
    "abcdef",
    "abc123",
    "987654",
    "qwerty",
    "deadbeef",
    "cafebabe",
    "foobar",
    "xyz",
    "test",
    "fake",
    "demo",
    "example",
    "sample",
    "dummy",
    "mock",
    "your",
    "here",
    "mtizndu2nzg5m",
    "1a2b3c4d",
    "a1b2c3",
    "passw",
    "p4ss",
    "p@ss",
    "s3cr3t",
    "hunter2",
    "letmein",
];
/// The least length of a value that is one by the word before it alone.
const LEAST: usize = 20;

/// The bytes of a text that are credentials. `owner` is the name of the parameter that the text is a value of.
pub fn spans(text: &str, owner: Option<&str>) -> Vec<Range<usize>> {
    if text.len() < 8 {
        return Vec::new();
    }
    if owner.is_some_and(is_owner) && is_credential(text) && !is_made_up(text) && !is_id(text) && is_mixed(text) {
        return std::iter::once(0..text.len()).collect();
    }
    let mut found = keys(text);
    // Where a piece stands, by its address in the text.
    let at = |piece: &str| piece.as_ptr() as usize - text.as_ptr() as usize;
    let mut before = "";
    for piece in pieces(text) {
        let piece = piece.trim_end_matches('.');
        let scheme = matches!(before, "Bearer" | "bearer" | "Basic" | "basic") && is_drawn(piece);
        if scheme || is_token(piece) {
            found.push(at(piece)..at(piece) + piece.len());
        }
        before = piece;
    }
    let mut start = 0;
    while let Some(rest) = text.get(start..).filter(|rest| rest.contains("://")) {
        let end = rest.find("://").map_or(0, |n| n + 3);
        let stop = rest
            .get(end..)
            .and_then(|tail| tail.find(|letter: char| letter.is_whitespace() || "\"'`<>".contains(letter)));
        let stop = stop.map_or(rest.len(), |n| n + end);
        let address = rest.get(..stop).unwrap_or_default();
        if let Some(inside) =
            in_address(address).filter(|at| address.get(at.clone()).is_some_and(|text| !is_made_up(text)))
        {
            found.push(start + inside.start..start + inside.end);
        }
        start += stop.max(1);
        while !text.is_char_boundary(start) {
            start += 1;
        }
    }
    found.sort_by_key(|at| at.start);
    found
}

/// The text with its credentials masked.
pub fn masked<'t>(text: &'t str, owner: Option<&str>) -> Cow<'t, str> {
    let spans = spans(text, owner);
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    let (mut out, mut from) = (String::new(), 0);
    for at in spans {
        if at.start >= from {
            out.push_str(text.get(from..at.start).unwrap_or_default());
            out.push_str(MASK);
        }
        from = from.max(at.end);
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

/// The parameter whose value stands at a place, if a value does.
pub fn owner(at: &Pointer) -> Option<String> {
    let steps: Vec<String> = at.steps().collect();
    let place = (1..steps.len()).rev().find(|n| steps.get(n - 1).is_some_and(|step| step == "properties"))?;
    let below = steps.get(place + 1..)?;
    below.iter().any(|step| VALUES.contains(&step.as_str())).then(|| steps.get(place).cloned())?
}

/// A part of a definition with its credentials masked; it stands at this place.
pub fn veiled(value: &Value, at: &Pointer) -> Value {
    match value {
        Value::String(text) => Value::String(masked(text, owner(at).as_deref()).into_owned()),
        Value::Array(items) => {
            Value::Array(items.iter().enumerate().map(|(n, item)| veiled(item, &at.index(n))).collect())
        }
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), veiled(value, &at.key(name)))).collect())
        }
        other => other.clone(),
    }
}

fn is_owner(name: &str) -> bool {
    let flat: String = name.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>().to_lowercase();
    flat == "token" || OWNERS.iter().any(|end| flat.ends_with(end))
}

/// A block with a private key, not the words that such a block begins with.
fn keys(text: &str) -> Vec<Range<usize>> {
    const LEAST_BODY: usize = 40;
    let mut found = Vec::new();
    for (start, _) in text.match_indices("-----BEGIN ") {
        let Some(head) = text.get(start + 11..).and_then(|rest| rest.split_once("-----")) else { continue };
        if !head.0.ends_with("PRIVATE KEY") || head.0.len() > 40 {
            continue;
        }
        let body = head.1.split("-----").next().unwrap_or_default();
        let base =
            body.bytes().filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')).count();
        if base >= LEAST_BODY && is_varied(body) && !body.contains("...") && !body.contains('…') {
            let from = start + 11 + head.0.len() + 5;
            found.push(from..from + body.len());
        }
    }
    found
}

/// A token in the form of its issuer that is no example.
fn is_token(piece: &str) -> bool {
    let jwt = piece.starts_with("eyJ") && piece.matches('.').count() == 2 && piece.len() > 60;
    (jwt || is_formed(piece)) && !is_made_up(piece) && is_mixed(piece)
}

/// Whether a value looks drawn at random: long, with digits and letters, and no example.
fn is_drawn(piece: &str) -> bool {
    piece.len() >= LEAST
        && is_mixed(piece)
        && is_varied(piece)
        && !is_stand_in(piece)
        && !is_made_up(piece)
        && !is_id(piece)
}

/// Whether digits stand among the letters, as they do in what is drawn at random and not in words.
fn is_mixed(piece: &str) -> bool {
    piece.bytes().filter(u8::is_ascii_digit).count() >= 2
        || (piece.bytes().any(|byte| byte.is_ascii_digit()) && piece.bytes().any(|byte| byte.is_ascii_uppercase()))
}

fn is_made_up(text: &str) -> bool {
    let lower = text.to_lowercase();
    MADE_UP.iter().any(|mark| lower.contains(mark))
}

/// A UUID, which names a thing.
fn is_id(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [8, 4, 4, 4, 12] && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A token put together here, so that no file of ours holds one as it stands.
    fn token(start: &str) -> String {
        format!("{start}{}", "Zq8vN3mK1pT7wX5yR2bL9cJ4hG6fD0sA8uQ3")
    }

    #[test]
    fn tokens_are_found_and_masked() {
        for start in ["ghp_", "sk-", "sk-ant-api03-", "sk_live_", "AIza", "xoxb-", "glpat-"] {
            let text = format!("Sends it with {}.", token(start));
            assert_eq!(masked(&text, None), "Sends it with ***.", "{start}");
        }
        assert_eq!(masked("Bearer 9f8e7d6c5b4a39281706f5e4d3c2b1a0cafe", None), "Bearer ***");
        assert_eq!(
            masked("at postgres://app:kJ8sd7fH2kfQ0z@db.harbour.test/app ok", None),
            "at postgres://app:***@db.harbour.test/app ok"
        );
        assert_eq!(masked("Tr0ub4dor&3x", Some("db_password")), "***");
        let key = format!("-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----", token(&token("MIIE")));
        assert!(masked(&key, None).contains("-----***-----END"), "{}", masked(&key, None));
    }

    #[test]
    fn examples_hashes_and_ids_pass() {
        for text in [
            "AKIAIOSFODNN7EXAMPLE",
            "sk-...",
            "YOUR_API_KEY",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "sk-1234567890abcdef1234567890abcdef",
            "xoxb-123456789012-abcdefghijkl",
            "550e8400-e29b-41d4-a716-446655440000",
            "d41d8cd98f00b204e9800998ecf8427e",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "-----BEGIN PRIVATE KEY----- ... -----END PRIVATE KEY-----",
            "postgresql://user:password@localhost:5432/db",
            "postgres://USER:PASSWORD@HOST/db",
            "Authorization: Bearer <token>",
            "Basic authentication with a user and a password",
            "sk-learn-style-names-of-estimators",
            "hf_hub_download_and_more_words_here",
            "Größe://é:ü@ß",
        ] {
            assert_eq!(masked(text, None), text);
        }
        for text in ["changeme", "password", "hunter2", "", "550e8400-e29b-41d4-a716-446655440000", "${TOKEN}"] {
            assert_eq!(masked(text, Some("api_key")), text);
        }
        assert_eq!(masked("Tr0ub4dor&3x", Some("name")), "Tr0ub4dor&3x");
    }

    #[test]
    fn values_know_whose_they_are() {
        let of = |at: &str| owner(&Pointer::from_text(at));
        assert_eq!(of("/inputSchema/properties/auth/default").as_deref(), Some("auth"));
        assert_eq!(of("/inputSchema/properties/a/items/properties/b/examples/0").as_deref(), Some("b"));
        assert_eq!(of("/inputSchema/properties/auth/description"), None);
        assert_eq!(of("/inputSchema/properties/default"), None);
    }
}
