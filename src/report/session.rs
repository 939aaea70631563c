//! What was done beyond one walk through the list: further walks, and calls that the user wanted. Findings say what is
//! wrong with it; here is that it was done at all, and what came.

use std::collections::BTreeSet;

use serde_json::Value;

use super::group;
use crate::surface::asked::{Call, is_failed};
use crate::surface::listing::Listing;
use crate::surface::wire::Wire;
use crate::surface::{Surface, UNNAMED};
use crate::text::safe;

/// How often the list was walked through and what changed meanwhile; none for a single walk.
pub fn walks(surface: &Surface, width: usize) -> Option<String> {
    let listings = surface.listings();
    let (first, later) = listings.split_first().filter(|(_, later)| !later.is_empty())?;
    let sessions = listings.iter().map(|listing| listing.session).collect::<BTreeSet<_>>().len();
    let both = listings.iter().any(|listing| listing.is_modern) && listings.iter().any(|listing| !listing.is_modern);
    let mut told = format!("{} walks", listings.len());
    if sessions > 1 {
        told.push_str(&format!(" in {sessions} sessions"));
    }
    if both {
        told.push_str(" of both eras");
    }
    let changes: BTreeSet<String> = later.iter().flat_map(|walk| changes(first, walk)).collect();
    let changes: Vec<String> = changes.into_iter().collect();
    let end = if changes.is_empty() {
        ", all with the same tools".to_owned()
    } else {
        format!(", other tools than in the first: {}", group::fitting(&changes, width))
    };
    let deaf = surface.wire.as_ref().is_some_and(Wire::is_deaf);
    Some(told + &end + if deaf { "; it offers no stream on which to tell of changes" } else { "" })
}

/// The names that a later walk has more, less or defined otherwise.
fn changes(first: &Listing<'_>, walk: &Listing<'_>) -> Vec<String> {
    let (ours, theirs) = (first.names(), walk.names());
    let named = |mark: &'static str, names: BTreeSet<&str>| -> Vec<String> {
        names.into_iter().map(|name| format!("{mark}{}", safe::clip(name, 64))).collect()
    };
    let mut all = named("+", &theirs - &ours);
    all.extend(named("-", &ours - &theirs));
    all.extend(first.redefined(walk).map(|name| format!("~{}", safe::clip(name, 64))));
    all
}

/// One call and what came of it.
pub struct Called {
    /// The tool.
    pub tool: String,
    /// `result`, `tool-error` (a result that says so), `error` (of the protocol), or `none` when nothing came.
    pub outcome: &'static str,
    /// What was said of an error.
    pub text: Option<String>,
}

/// The calls that were made of listed tools, in order.
pub fn calls(surface: &Surface) -> Vec<Called> {
    surface.calls().iter().map(|call| called(surface, call)).collect()
}

fn called(surface: &Surface, call: &Call<'_>) -> Called {
    let tool = surface.tools.get(call.tool).map_or(UNNAMED, |tool| tool.label()).to_owned();
    let (outcome, text) = match (call.asked.result(), call.asked.error()) {
        (Some(result), _) if is_failed(result) => ("tool-error", result.pointer("/content/0/text")),
        (Some(_), _) => ("result", None),
        (None, Some(error)) => ("error", error.get("message")),
        (None, None) => ("none", None),
    };
    let text = text.and_then(Value::as_str).map(|text| safe::clip(text.trim(), 200));
    Called { tool, outcome, text }
}

/// The calls in a few words each; none when none was made.
pub fn calls_told(surface: &Surface) -> Option<String> {
    let calls = calls(surface);
    let (good, bad): (Vec<&Called>, Vec<&Called>) = calls.iter().partition(|call| call.outcome == "result");
    let mut told = format!("{} made, {} with a result", calls.len(), good.len());
    for call in bad {
        let how = match call.outcome {
            "tool-error" => "`isError`",
            "error" => "an error",
            _ => "no answer",
        };
        let text = call.text.as_ref().map_or_else(String::new, |text| format!(": {}", safe::clip(text, 100)));
        told.push_str(&format!("; {} gave {how}{text}", safe::clip(&call.tool, 64)));
    }
    (!calls.is_empty()).then(|| safe::clip(&told, 1_000))
}
