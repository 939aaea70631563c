//! Values in a definition that look like a credential. Which they are is for `veil` to say, which masks them too.

use crate::check::strings::{Step, place, walk};
use crate::check::{Context, Hit, On};
use crate::text::{pointer::Pointer, veil};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    if let Some(text) = cx.surface.instructions.as_deref() {
        hits.extend(hit(On::Server, Pointer::root().key("initialize").key("instructions"), text));
    }
    for (n, tool) in cx.tools() {
        walk(&tool.value, &mut Vec::new(), &mut |steps, text| {
            // An image is long, drawn at random to the eye, and no credential; nor is what a pattern describes.
            let skipped = |step: &Step<'_>| matches!(step, Step::Member("icons" | "pattern" | "$ref" | "$schema"));
            if text.len() < 8 || text.starts_with("data:") || steps.iter().any(skipped) {
                return;
            }
            hits.extend(hit(On::Tool(n), place(steps), text));
        });
    }
    hits
}

fn hit(on: On, at: Pointer, text: &str) -> Option<Hit> {
    let found = veil::spans(text, veil::owner(&at).as_deref());
    (!found.is_empty()).then(|| Hit::new(on, at).fact("value", veil::MASK).fact("occurrences", found.len()))
}
