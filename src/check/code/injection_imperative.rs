//! Texts that steer the model: in a tool's definition, and in the instructions of the server.

use serde_json::Value;

use super::hidden_unicode::{is_value, smuggled};
use crate::check::steering::{Signal, signals};
use crate::check::strings::{Step, place, walk};
use crate::check::{Context, Hit, On};
use crate::text::pointer::Pointer;
use crate::text::safe;

/// Of a tool, the members whose texts a model receives.
const MEMBERS: [&str; 6] = ["name", "title", "description", "inputSchema", "outputSchema", "annotations"];
/// Letters of what is hidden that are told.
const TOLD: usize = 400;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    if let Some(text) = &cx.surface.instructions {
        let at = Pointer::root().key("initialize").key("instructions");
        hits.extend(hit(On::Server, text, false, || at));
    }
    for (n, tool) in cx.tools() {
        let Some(members) = tool.value.as_object() else { continue };
        for (name, value) in members.iter().filter(|(name, _)| MEMBERS.contains(&name.as_str())) {
            judge(n, name, value, &mut hits);
        }
    }
    hits
}

fn judge(tool: usize, name: &str, value: &Value, hits: &mut Vec<Hit>) {
    let skipped = |step: &Step<'_>| matches!(step, Step::Member("pattern" | "$ref" | "$schema"));
    walk(value, &mut vec![Step::Member(name)], &mut |steps, text| {
        if !steps.iter().any(skipped) {
            hits.extend(hit(On::Tool(tool), text, is_value(steps), || place(steps)));
        }
    });
}

fn hit(on: On, text: &str, is_value: bool, at: impl FnOnce() -> Pointer) -> Option<Hit> {
    // Shorter texts hold no order.
    const LEAST: usize = 16;
    if text.len() < LEAST {
        return None;
    }
    let mut found = signals(text, is_value);
    let hidden = smuggled(text);
    for signal in hidden.iter().flat_map(|hidden| signals(hidden, false)) {
        if !found.iter().any(|one| one.kind == signal.kind) {
            found.push(signal);
        }
    }
    let first = found.first()?;
    let names: Vec<&str> = found.iter().map(Signal::name).collect();
    let hit = Hit::new(on, at()).fact("value", safe::clip(&first.words, 120));
    let hit = match names.as_slice() {
        [one] => hit.fact("signal", *one),
        _ => hit.fact("signal", names),
    };
    Some(match hidden {
        Some(words) => hit.fact("decoded", safe::clip(&words, TOLD)),
        None => hit,
    })
}
