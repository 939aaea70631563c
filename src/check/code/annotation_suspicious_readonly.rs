//! `readOnlyHint: true` on tools whose name, text or actions speak of writing. Only words are looked at; that a tool
//! writes without saying so stays unseen.

use crate::check::verbs::{Kind, VAGUE, acts, denies, writing, writing_values};
use crate::check::words::{sentences, words};
use crate::check::{Context, Hit};
use crate::surface::Tool;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    const HINT: &str = "readOnlyHint";
    let at = Pointer::root().key("annotations").key(HINT);
    let values = writing_values(cx);
    let mut hits = Vec::new();
    for (n, tool) in cx.tools().filter(|(_, tool)| tool.hint(HINT) == Some(true)) {
        let value = values.get(&n).copied();
        let text = writing(tool);
        let denied = tool.description().is_some_and(denies);
        let name = cx.prefixes().verb(tool, Kind::Writing).filter(|_| !denied);
        // What is created may be the answer.
        let name = name.filter(|verb| *verb != "create" || text.is_some() || !gives(tool));
        let both = |name: &&str| text.is_some() && !VAGUE.contains(name) && acts(tool, name);
        // What the text says of the values is not understood in other scripts: `createBucket` may give a plan only.
        let is_read = tool.description().is_none_or(is_in_latin_letters);
        let sure = (value.is_some() && is_read) || name.as_ref().is_some_and(both);
        let text = text.filter(|verb| name.is_some() || !VAGUE.contains(verb));
        let said = value.or(name).or(text).map(|found| (found, sure));
        if let Some((found, sure)) = said.filter(|(_, sure)| *sure).or_else(|| runs(tool)).or(said) {
            hits.push(Hit::tool(n, at.clone()).fact("found", found).fact("hint", HINT).weaker_if(!sure));
        }
    }
    hits
}

/// How the description says that the tool runs what the caller writes, and whether that is for a shell: code may be in a
/// sandbox that reaches nothing.
fn runs(tool: &Tool) -> Option<(&'static str, bool)> {
    const NEAR: usize = 6;
    const FORMS: [(&str, &str); 4] = [("run", "run"), ("runs", "run"), ("execute", "execute"), ("executes", "execute")];
    const SHELL: [&str; 4] = ["shell", "bash", "powershell", "terminal"];
    const CODE: [&str; 7] = ["command", "commands", "script", "code", "javascript", "python", "typescript"];
    let text = tool.description().filter(|text| !denies(text))?;
    let mut told = words(sentences(text).next()?);
    let first = told.next()?;
    let verb = FORMS.into_iter().find_map(|(form, verb)| (form == first).then_some(verb))?;
    let near: Vec<String> = told.take(NEAR).collect();
    let names = |known: &[&str]| near.iter().any(|word| known.contains(&word.as_str()));
    (names(&SHELL) || names(&CODE)).then(|| (verb, names(&SHELL)))
}

/// Whether the first sentence says that the tool gives something to its caller.
fn gives(tool: &Tool) -> bool {
    const GIVES: [&str; 8] =
        ["provide", "provides", "return", "returns", "generate", "generates", "guide", "documentation"];
    let first = tool.description().and_then(|text| sentences(text).next()).unwrap_or_default();
    words(first).any(|word| GIVES.contains(&word.as_str()))
}

/// Whether most letters of a text are Latin ones.
fn is_in_latin_letters(text: &str) -> bool {
    let letters = || text.chars().filter(|letter| letter.is_alphabetic());
    letters().filter(char::is_ascii_alphabetic).count() * 2 >= letters().count()
}
