//! Values in a definition that look like a credential. Which they are is for `veil` to say, which masks them too.

use crate::check::strings::{Step, place, walk};
use crate::check::{Context, Hit};
use crate::text::veil;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (n, tool) in cx.tools() {
        walk(&tool.value, &mut Vec::new(), &mut |steps, text| {
            // An image is long, drawn at random to the eye, and no credential; nor is what a pattern describes.
            let skipped = |step: &Step<'_>| matches!(step, Step::Member("icons" | "pattern" | "$ref" | "$schema"));
            if text.len() < 8 || text.starts_with("data:") || steps.iter().any(skipped) {
                return;
            }
            let at = place(steps);
            let found = veil::spans(text, veil::owner(&at).as_deref());
            if !found.is_empty() {
                hits.push(Hit::tool(n, at).fact("value", veil::MASK).fact("occurrences", found.len()));
            }
        });
    }
    hits
}
