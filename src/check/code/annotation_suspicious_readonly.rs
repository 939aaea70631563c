//! `readOnlyHint: true` on tools whose name, text or actions speak of writing. Only words are looked at; that a tool
//! writes without saying so stays unseen.

use crate::check::verbs::{Kind, VAGUE, acts, writing, writing_values};
use crate::check::{Context, Hit};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    const HINT: &str = "readOnlyHint";
    let at = Pointer::root().key("annotations").key(HINT);
    let values = writing_values(cx);
    let mut hits = Vec::new();
    for (n, tool) in cx.tools().filter(|(_, tool)| tool.hint(HINT) == Some(true)) {
        let value = values.get(&n).copied();
        let name = cx.prefixes().verb(tool, Kind::Writing);
        let text = writing(tool);
        let both = |name: &&str| text.is_some() && !VAGUE.contains(name) && acts(tool, name);
        // What the text says of the values is not understood in other scripts: `createBucket` may give a plan only.
        let is_read = tool.description().is_none_or(is_in_latin_letters);
        let sure = (value.is_some() && is_read) || name.as_ref().is_some_and(both);
        let text = text.filter(|verb| name.is_some() || !VAGUE.contains(verb));
        if let Some(found) = value.or(name).or(text) {
            hits.push(Hit::tool(n, at.clone()).fact("found", found).fact("hint", HINT).weaker_if(!sure));
        }
    }
    hits
}

/// Whether most letters of a text are Latin ones.
fn is_in_latin_letters(text: &str) -> bool {
    let letters = || text.chars().filter(|letter| letter.is_alphabetic());
    letters().filter(char::is_ascii_alphabetic).count() * 2 >= letters().count()
}
