//! Patterns that JavaScript takes and engines of other languages, or those that run in linear time, do not. Patterns that
//! do not compile at all have a rule of their own.

use super::super::{Context, Hit};
use super::schema_pattern_invalid::{Patterns, patterns};
use crate::text::safe;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    let mut known = Patterns::default();
    for schema in cx.schemas() {
        for node in &schema.nodes {
            for (at, pattern) in patterns(&node.at, node.value) {
                let Some(found) = foreign(pattern) else { continue };
                // Of what is too large to be compiled the other rule says so.
                if !known.compiles(pattern) {
                    continue;
                }
                hits.push(Hit::tool(schema.tool, at).fact("value", safe::clip(pattern, 80)).fact("found", found));
            }
        }
    }
    hits
}

/// The first part of a pattern that not every engine takes.
fn foreign(pattern: &str) -> Option<&'static str> {
    const GROUPS: [(&str, &str); 5] = [
        ("(?<=", "a look-behind"),
        ("(?<!", "a look-behind"),
        ("(?=", "a look-ahead"),
        ("(?!", "a look-ahead"),
        ("(?<", "a named group"),
    ];
    let mut in_class = false;
    let mut letters = pattern.char_indices();
    while let Some((at, letter)) = letters.next() {
        let rest = pattern.get(at..).unwrap_or_default();
        match letter {
            '\\' => {
                let next = letters.next().map(|(_, next)| next);
                let found = match next {
                    Some('1'..='9') if !in_class => Some("a back-reference"),
                    Some('k') if !in_class && rest.starts_with("\\k<") => Some("a back-reference"),
                    Some('p' | 'P') if rest.get(2..).is_some_and(|rest| rest.starts_with('{')) => {
                        Some("a Unicode property")
                    }
                    _ => None,
                };
                if found.is_some() {
                    return found;
                }
            }
            '[' if !in_class => {
                if rest.starts_with("[^]") || rest.starts_with("[]") {
                    return Some("an empty class");
                }
                in_class = true;
            }
            ']' => in_class = false,
            '(' if !in_class => {
                if let Some((_, found)) = GROUPS.iter().find(|(start, _)| rest.starts_with(start)) {
                    return Some(found);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::tests::{hits_on, place};
    use super::*;

    #[test]
    fn what_not_every_engine_takes() {
        for (pattern, found) in [
            (r"^(?!a)b", Some("a look-ahead")),
            (r"(?<=a)b", Some("a look-behind")),
            (r"^(a|b)\1$", Some("a back-reference")),
            (r"(?<n>a)", Some("a named group")),
            (r"^\p{L}+$", Some("a Unicode property")),
            (r"[^]", Some("an empty class")),
            (r"^[(?=a)]+$", None),
            (r"\(?=a", None),
            (r"^(?:a|b)[\w.-]+\/$", None),
            (r"[\1]\\1", None),
            (r"\p", None),
            (r"é[[]", None),
        ] {
            assert_eq!(foreign(pattern), found, "{pattern}");
        }
    }

    #[test]
    fn what_does_not_compile_is_left_alone() {
        let hits = hits_on(check, r#"{"pattern":"^(?!a)b","patternProperties":{"(?=(":{},"(?=a)":{}}}"#);
        assert_eq!(hits.iter().map(place).collect::<Vec<_>>(), ["/pattern", "/patternProperties/(?=a)"]);
    }
}
