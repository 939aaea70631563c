//! A list in which most names are written in one style and some in another.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::check::{Context, Hit};

/// Names of the main style for each of another, at the least.
const MAJORITY: usize = 2;
/// Names of the main style from which on it is one.
const LEAST: usize = 3;
/// Names that are given with the finding.
const SHOWN: usize = 20;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut styles: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for name in cx.tools().filter_map(|(_, tool)| tool.name()) {
        if let Some(style) = style(name) {
            styles.entry(style).or_default().push(name);
        }
    }
    let Some((main, main_names)) = styles.iter().max_by_key(|(_, names)| names.len()) else { return Vec::new() };
    let all: usize = styles.values().map(Vec::len).sum();
    let others = all - main_names.len();
    // Names in no style at all are no others, but where they are most there is no style to speak of.
    let is_main = main_names.len() * 2 >= cx.surface.tools.len();
    if others == 0 || main_names.len() < LEAST || main_names.len() < others * MAJORITY || !is_main {
        return Vec::new();
    }
    let strange: Vec<(&str, &Vec<&str>)> =
        styles.iter().filter(|(style, _)| *style != main).map(|(style, names)| (*style, names)).collect();
    let found: Vec<&str> = strange.iter().map(|(style, _)| *style).collect();
    let names = strange.iter().flat_map(|(_, names)| names.iter().copied()).take(SHOWN);
    let names: Vec<Value> = names.map(Value::from).collect();
    let counts: serde_json::Map<String, Value> =
        styles.iter().map(|(style, names)| ((*style).to_owned(), Value::from(names.len()))).collect();
    let hit = Hit::server().fact("measured", format!("{others}/{all}")).fact("found", found.join(", "));
    vec![hit.fact("expected", *main).fact("styles", Value::Object(counts)).fact("tools", names)]
}

/// The style of a name; none for a single word, which fits all, and for a name that is in no style.
fn style(name: &str) -> Option<&'static str> {
    let has = |sign: char| name.contains(sign);
    let signs = name.chars().filter(|sign| !sign.is_ascii_alphanumeric());
    let mut signs: Vec<char> = signs.collect();
    signs.sort_unstable();
    signs.dedup();
    let lower = !name.contains(|letter: char| letter.is_ascii_uppercase());
    let first_is_upper = name.starts_with(|letter: char| letter.is_ascii_uppercase());
    match signs.as_slice() {
        [] if lower || !has_hump(name) => None,
        [] if first_is_upper => Some("PascalCase"),
        [] => Some("camelCase"),
        ['_'] if lower && !name.starts_with('_') => Some("snake_case"),
        ['-'] if lower => Some("kebab-case"),
        _ if has('.') && signs.iter().all(|sign| "._-".contains(*sign)) => Some("dots"),
        _ => None,
    }
}

/// Whether a small letter is followed by a capital one: two words, and no acronym.
fn has_hump(name: &str) -> bool {
    let letters = || name.chars();
    letters().zip(letters().skip(1)).any(|(one, next)| one.is_ascii_lowercase() && next.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles() {
        for (name, told) in [
            ("list_pots", Some("snake_case")),
            ("list-pots", Some("kebab-case")),
            ("listPots", Some("camelCase")),
            ("ListPots", Some("PascalCase")),
            ("pots.list", Some("dots")),
            ("pots.list_all", Some("dots")),
            ("pots", None),
            ("Pots", None),
            ("SQL", None),
            ("get_OHLC", None),
            ("kiln-shop_list_pots", None),
            ("pots/list", None),
        ] {
            assert_eq!(style(name), told, "{name}");
        }
    }
}
