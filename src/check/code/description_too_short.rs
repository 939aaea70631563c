//! Descriptions that say again what the name says, and nothing else. No length is measured; a title is for people, and
//! a model does not see it.

use crate::check::words::words;
use crate::check::{Context, Hit};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (n, tool) in cx.tools() {
        let Some(text) = tool.description() else { continue };
        let said = told(text);
        if !said.is_empty() && tool.name().is_some_and(|name| told(name) == said) {
            hits.push(Hit::tool(n, Pointer::root().key("description")).fact("value", text.trim()));
        }
    }
    hits
}

/// The words that say something, without the `s` of a plural or of a third person.
fn told(text: &str) -> Vec<String> {
    const EMPTY: [&str; 5] = ["a", "an", "the", "this", "tool"];
    let short = |word: String| match word.strip_suffix('s') {
        Some(stem) if word.chars().count() > 3 => stem.to_owned(),
        _ => word,
    };
    words(text).filter(|word| !EMPTY.contains(&word.as_str())).map(short).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_as_told() {
        assert_eq!(told("Lists the lamps."), told("list_lamp"));
        assert_eq!(told("listLamps"), ["list", "lamp"]);
        assert_ne!(told("Lists lamps by post"), told("list_lamps"));
        assert_eq!(told("This tool"), Vec::<String>::new());
    }
}
