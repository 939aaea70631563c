//! Servers of one id in one file: a finding at each but the first.

use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (n, file) in cx.files().iter().enumerate() {
        for (first, next) in file.doubled() {
            let (Some(first), Some(entry)) = (file.entries.get(first), file.entries.get(next)) else { continue };
            let line = file.place(&first.at).line;
            hits.push(Hit::entry((n, next), entry.at.clone()).fact("value", entry.name.as_str()).fact("line", line));
        }
    }
    hits
}
