//! `destructiveHint: true` on tools whose name and text both say that they read, and nothing that they write.

use crate::check::effects::reads;
use crate::check::verbs::writing_values;
use crate::check::words::{sentences, words};
use crate::check::{Context, Hit};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    const HINT: &str = "destructiveHint";
    let at = Pointer::root().key("annotations");
    let values = writing_values(cx);
    let mut hits = Vec::new();
    // Both hints together are a contradiction of their own.
    let claimed =
        cx.tools().filter(|(_, tool)| tool.hint(HINT) == Some(true) && tool.hint("readOnlyHint") != Some(true));
    for (n, tool) in claimed {
        let writes = values.contains_key(&n) || tool.description().is_some_and(carries);
        if let Some(found) = reads(cx, tool, writes) {
            hits.push(Hit::tool(n, at.clone()).fact("found", found).fact("hint", HINT));
        }
    }
    hits
}

/// Whether the first sentence says where what is read is put: "retrieves the rules to a local file" overwrites one.
fn carries(text: &str) -> bool {
    const PLACES: [&str; 6] = ["directory", "disk", "file", "files", "folder", "local"];
    // How many words may stand between: "to your own local folder".
    const REACH: usize = 4;
    let words: Vec<String> = sentences(text).next().into_iter().flat_map(words).collect();
    let is_place = |word: &String| PLACES.contains(&word.as_str());
    let mut ways = words.iter().enumerate().filter(|(_, word)| matches!(word.as_str(), "to" | "into"));
    ways.any(|(n, _)| words.iter().skip(n + 1).take(REACH).any(is_place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_into_a_file() {
        assert!(carries("Retrieve rules from a server to your local project. More."));
        assert!(!carries("Read a file of the project."));
        assert!(!carries("Fetch messages. Save them to a file."));
    }
}
