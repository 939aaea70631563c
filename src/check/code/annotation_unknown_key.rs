//! Keys under `annotations` that look like a misspelt hint. Foreign keys that are near none are the server's affair.

use serde_json::Value;

use crate::check::{Context, Hit};
use crate::surface::contract::HINTS;
use crate::text::{near::edits, pointer::Pointer};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let at = Pointer::root().key("annotations");
    let mut hits = Vec::new();
    for (n, tool) in cx.tools() {
        let keys = tool.value.get("annotations").and_then(Value::as_object).into_iter().flatten().map(|(key, _)| key);
        hits.extend(keys.filter_map(|key| {
            Some(Hit::tool(n, at.key(key)).fact("value", key.as_str()).fact("expected", meant(key)?))
        }));
    }
    hits
}

/// The hint that a key is meant to be, if it is near one and not spelt right.
pub(super) fn meant(key: &str) -> Option<&'static str> {
    // No hint has more than 15 letters; what is far longer is near none, and need not be compared.
    if key == "title" || HINTS.contains(&key) || key.len() > 64 {
        return None;
    }
    let plain = plain(key);
    let near = HINTS.into_iter().filter_map(|hint| Some((distance(&plain, hint)?, hint)));
    // The first of the nearest.
    near.min_by_key(|(distance, _)| *distance).map(|(_, hint)| hint)
}

/// How far a key is from a hint or its stem, if it is near.
fn distance(key: &str, hint: &str) -> Option<usize> {
    let hint = plain(hint);
    let whole = edits(key, &hint);
    let stem = edits(key, hint.trim_end_matches("hint"));
    [(whole, 2), (stem, 1)].into_iter().filter(|(far, most)| far <= most).map(|(far, _)| far).min()
}

fn plain(key: &str) -> String {
    key.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_and_strangers() {
        for (key, hint) in [
            ("read_only_hint", "readOnlyHint"),
            ("readonly", "readOnlyHint"),
            ("READ-ONLY-HINTS", "readOnlyHint"),
            ("readOnlyHnit", "readOnlyHint"),
            ("destructive", "destructiveHint"),
            ("destructivHin", "destructiveHint"),
            ("idempotant", "idempotentHint"),
            ("OpenWorld", "openWorldHint"),
        ] {
            assert_eq!(meant(key), Some(hint), "{key}");
        }
        for key in ["title", "readOnlyHint", "safe", "audience", "world", "hint", "readable", "mutates", ""] {
            assert_eq!(meant(key), None, "{key}");
        }
    }

    #[test]
    fn a_swap_is_one_edit() {
        assert_eq!(edits("hnit", "hint"), 1);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("kitten", "sitting"), 3);
    }
}
