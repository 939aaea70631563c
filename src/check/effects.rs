//! Whether a tool only reads, as far as its words tell, and what a group of tools is called in a finding.

use std::collections::BTreeMap;

use super::verbs::{Kind, opening, writing, writing_values};
use super::words::words;
use super::{Context, Hit};
use crate::surface::Tool;

/// Whether name and text both say that the tool reads, and nothing says that it writes or uses something up.
pub(super) fn reads(cx: &Context<'_>, tool: &Tool, writes: bool) -> Option<&'static str> {
    let verb = cx.prefixes().verb(tool, Kind::Reading).filter(|_| opening(tool, Kind::Reading).is_some())?;
    let told = writes || writing(tool).is_some() || tool.description().is_some_and(harms) || offers(tool);
    (!told).then_some(verb)
}

/// Whether a parameter offers to write: `clear`, `save_to`, `out`.
fn offers(tool: &Tool) -> bool {
    const FILES: [&str; 4] = ["out", "outfile", "dest", "destination"];
    let params = tool.input_schema().and_then(|schema| schema.get("properties")?.as_object());
    params.into_iter().flatten().any(|(name, _)| {
        let first = words(name).next().unwrap_or_default();
        FILES.contains(&name.as_str()) || Kind::Writing.base(&first).is_some()
    })
}

/// By position: what is known of the tools that have an action parameter which writes.
pub(super) fn acting<'c>(cx: &'c Context<'_>) -> BTreeMap<usize, &'c str> {
    writing_values(cx)
}

/// Whether any word of the text, wherever it stands, is a verb of writing or of using something up.
pub(super) fn harms(text: &str) -> bool {
    const MORE: [&str; 14] = [
        "book",
        "consume",
        "decrement",
        "discard",
        "execute",
        "hide",
        "kill",
        "lock",
        "modify",
        "reserve",
        "run",
        "sell",
        "sale",
        "trigger",
    ];
    words(text).any(|word| {
        // "Reserved stock is shown" speaks of what is so, not of what the tool does.
        let more = MORE.into_iter().any(|verb| word == verb || word.strip_suffix('s') == Some(verb));
        more || Kind::Writing.any(&word).is_some()
    })
}

/// One hit on the server for these tools; none when there are none.
pub(super) fn one_for(cx: &Context<'_>, tools: &[usize]) -> Vec<Hit> {
    if tools.is_empty() {
        return Vec::new();
    }
    let all = &cx.surface.tools;
    let names: Vec<&str> = tools.iter().filter_map(|n| all.get(*n)).map(Tool::label).collect();
    vec![Hit::server().fact("measured", format!("{}/{}", tools.len(), all.len())).fact("tools", names)]
}
