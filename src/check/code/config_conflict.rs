//! One server id, launched differently in two files: a finding at the later of them.

use std::collections::BTreeMap;

use super::super::{Context, Hit, launch};
use crate::input::hosts::Entry;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut first: BTreeMap<&str, (usize, &Entry)> = BTreeMap::new();
    let mut hits = Vec::new();
    // What is for one project of many meets the others only there.
    for (place, entry) in cx.entries().filter(|(_, entry)| entry.project.is_none()) {
        let Some((file, known)) = first.get(entry.name.as_str()) else {
            first.insert(&entry.name, (place.0, entry));
            continue;
        };
        let Some(other) = cx.files().get(*file).filter(|_| *file != place.0) else { continue };
        let own = cx.files().get(place.0).map_or("", |file| file.folder.as_str());
        if launched(known, &other.folder) != launched(entry, own) {
            let seen = other.place(&known.at);
            let hit = Hit::entry(place, entry.at.clone()).fact("value", entry.name.as_str());
            hits.push(hit.fact("doc", seen.file).fact("line", seen.line));
        }
    }
    hits
}

/// What is launched, without what makes no difference: wrappers, a leave to install, a slash at an address's end.
fn launched(entry: &Entry, folder: &str) -> (Vec<String>, String) {
    let words = launch::command(&entry.command).map_or_else(Vec::new, |command| {
        let rest = command.words.iter().skip(1).filter(|word| !matches!(word.text.as_str(), "-y" | "--yes"));
        let rest = rest.map(|word| canonical(&word.text, folder));
        std::iter::once(command.program).chain(rest).collect()
    });
    let url = entry.url.as_ref().map_or("", |url| url.text.trim_end_matches('/'));
    (words, canonical(url, folder))
}

/// A word in which one variable is one text, however its host writes it, and one path is one too.
fn canonical(text: &str, folder: &str) -> String {
    let inside = text.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
    let text = inside.or_else(|| text.strip_prefix("./")).unwrap_or(text);
    text.replace("${env:", "${").replace("{env:", "${")
}
