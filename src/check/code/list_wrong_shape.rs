//! A `tools/list` result that is no list of tools: `tools` is no array, or entries of it are no objects.

use super::super::{Context, Hit};
use crate::surface::assemble::kind_of;
use crate::surface::wire::Kind;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let shapeless = cx.surface.wire.as_ref().and_then(|wire| {
        let answers = wire.said().map(|(_, message)| message);
        let mut results = answers.filter(|message| message.is_from_server(Kind::Result, "tools/list"));
        // A result of another type need not hold a list; `input-required-on-list` has a word on that.
        results.find(|result| {
            let is_list = result.member("resultType").is_none_or(|kind| kind == "complete");
            is_list && !result.member("tools").is_some_and(serde_json::Value::is_array)
        })
    });
    if let Some(result) = shapeless {
        let found = match result.member("tools") {
            None if !result.body.is_object() => "no object",
            None => "missing",
            Some(other) => kind_of(other),
        };
        return vec![Hit::server().fact("value", "tools").fact("found", found).fact("expected", "an array")];
    }
    let strangers: usize = cx.surface.pages.iter().map(|page| page.strangers).sum();
    if strangers == 0 {
        return Vec::new();
    }
    let hit = Hit::server().fact("value", "an entry of tools").fact("found", "no object").fact("expected", "an object");
    vec![hit.fact("occurrences", strangers)]
}
