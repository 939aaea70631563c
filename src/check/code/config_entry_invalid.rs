//! Members that are not in the form that the host reads. Where the host leaves out the whole file for one, a server that
//! is switched off counts too.

use super::super::{Context, Hit};
use crate::input::hosts::{Entry, Fault, File};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let told = |hit: Hit, fault: &Fault, file: &File| {
        let hit = hit.fact("found", fault.found.as_str()).fact("value", fault.member.as_str());
        hit.fact("expected", fault.expected.as_str()).fact("reader", file.format.host()).weaker_if(!fault.certain)
    };
    let mut hits = Vec::new();
    for (n, file) in cx.files().iter().enumerate() {
        hits.extend(file.faults.iter().map(|fault| told(Hit::file(n, fault.at.clone()), fault, file)));
        let counts = |entry: &&Entry| entry.enabled || file.format.refuses_files();
        for (m, entry) in file.entries.iter().enumerate().filter(|(_, entry)| counts(entry)) {
            hits.extend(entry.faults.iter().map(|fault| told(Hit::entry((n, m), fault.at.clone()), fault, file)));
        }
    }
    hits
}
