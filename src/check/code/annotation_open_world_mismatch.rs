//! `openWorldHint: false` on tools whose text speaks of the web or of mail.

use crate::check::{Context, Hit};
use crate::text::pointer::Pointer;

/// What is said of tools that reach outside.
const REACH: [&str; 16] = [
    "search the web",
    "searches the web",
    "search the internet",
    "searches the internet",
    "web search",
    "from the internet",
    "from the web",
    "browse the web",
    "crawls a",
    "crawl a website",
    "scrape a",
    "scrapes a",
    "send an email",
    "sends an email",
    "send an e-mail",
    "sends an e-mail",
];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    const HINT: &str = "openWorldHint";
    let at = Pointer::root().key("annotations").key(HINT);
    let closed = cx.tools().filter(|(_, tool)| tool.hint(HINT) == Some(false));
    let told = closed.filter_map(|(n, tool)| {
        let text = tool.description()?.to_lowercase();
        let found = REACH.into_iter().find(|words| text.contains(words))?;
        let denied = ["does not", "do not", "don't", "without", "instead of", "never", "no "].into_iter();
        // "Does not search the web" and "use the other one for a web search" say the opposite.
        let denied = denied.chain(["use "]).any(|word| before(&text, found).contains(word));
        (!denied).then(|| Hit::tool(n, at.clone()).fact("found", found).fact("hint", HINT))
    });
    told.collect()
}

/// The part of the sentence before some words.
fn before<'t>(text: &'t str, words: &str) -> &'t str {
    let front = text.split_once(words).map_or("", |(front, _)| front);
    front.rsplit(['.', '\n', ';']).next().unwrap_or_default()
}
