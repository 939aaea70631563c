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
        let (value, found, expected) = match result.member("tools") {
            _ if !result.body.is_object() => ("the result", kind_of(&result.body), "an object"),
            None => ("the tools", "nothing", "an array"),
            Some(other) => ("the tools", kind_of(other), "an array"),
        };
        return vec![Hit::server().fact("value", value).fact("found", found).fact("expected", expected)];
    }
    let strangers: usize = cx.surface.pages.iter().map(|page| page.strangers).sum();
    if strangers == 0 {
        return Vec::new();
    }
    let hit = Hit::server().fact("value", "an entry").fact("found", "something else").fact("expected", "an object");
    vec![hit.fact("occurrences", strangers)]
}
