//! The form of a key under `_meta`, which ids of extensions share.

use crate::spec::revision::Revision;

/// Prefixes that the specification and its registry hand out themselves.
const OFFICIAL: [&str; 3] =
    ["io.modelcontextprotocol", "io.modelcontextprotocol.registry", "io.modelcontextprotocol.extensions"];

/// The prefix, if there is one, and the name behind it.
fn parts(key: &str) -> (Option<&str>, &str) {
    key.split_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name))
}

/// What is wrong with the form of a key, if anything.
pub(super) fn fault(key: &str) -> Option<&'static str> {
    let (prefix, name) = parts(key);
    if prefix.is_some_and(|prefix| !prefix.split('.').all(is_label)) {
        return Some("a label of the prefix does not begin with a letter and end with a letter or digit");
    }
    let inner = name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.'));
    let ends = name.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && name.ends_with(|letter: char| letter.is_ascii_alphanumeric());
    if !inner {
        return Some("the name holds more than letters, digits, `-`, `_` and `.`");
    }
    // A name may be empty.
    (!ends && !name.is_empty()).then_some("the name does not begin and end with a letter or digit")
}

/// Whether a key has a prefix.
pub(super) fn has_prefix(key: &str) -> bool {
    parts(key).0.is_some_and(|prefix| !prefix.is_empty())
}

fn is_label(label: &str) -> bool {
    label.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && label.ends_with(|letter: char| letter.is_ascii_alphanumeric())
        && label.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
}

/// Whether the prefix of a key is kept for MCP, and is none that MCP uses.
pub(super) fn is_reserved(key: &str, revision: Revision) -> bool {
    let Some(prefix) = parts(key).0 else { return false };
    if OFFICIAL.contains(&prefix) {
        return false;
    }
    let labels: Vec<&str> = prefix.split('.').collect();
    let is_mcp = |label: &&str| matches!(*label, "mcp" | "modelcontextprotocol");
    if revision >= Revision::V2025_11_25 {
        return labels.get(1).is_some_and(is_mcp);
    }
    // Until then any label but the last could be the one.
    labels.split_last().is_some_and(|(_, front)| front.iter().any(is_mcp))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        for key in ["a", "ui", "com.acme/tier", "openai/outputTemplate", "com.acme/", "x_1.b-c", "traceparent"] {
            assert_eq!(fault(key), None, "{key}");
        }
        for key in ["_acme", "a ", "com.acme/a/b", "1com/x", "com..acme/x", "/x", "-a/x", "a-/x", "größe"] {
            assert!(fault(key).is_some(), "{key}");
        }
    }

    #[test]
    fn reservations() {
        let reserved = |key| [Revision::V2025_06_18, Revision::V2025_11_25].map(|revision| is_reserved(key, revision));
        assert_eq!(reserved("io.modelcontextprotocol/ui"), [false, false]);
        assert_eq!(reserved("dev.mcp/x"), [false, true]);
        assert_eq!(reserved("com.mcp.tools/x"), [true, true]);
        assert_eq!(reserved("mcp.dev/x"), [true, false]);
        assert_eq!(reserved("com.acme.mcp/x"), [false, false]);
        assert_eq!(reserved("mcp"), [false, false]);
    }
}
