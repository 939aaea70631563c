//! Literal credentials: one finding for each value that holds one, of servers that are switched off too.

use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (place, entry) in cx.all_entries() {
        for secret in &entry.secrets {
            let hit = Hit::entry(place, secret.at.clone()).fact("found", secret.member.as_str());
            hits.push(hit.fact("value", "***"));
        }
    }
    hits
}
