//! Two titles of one tool that say different things. Case and blanks are no difference.

use serde_json::Value;

use crate::check::{Context, Hit};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let hit = |(n, tool): (usize, &crate::surface::Tool)| {
        let shown = tool.value.get("title").and_then(Value::as_str)?;
        let other = tool.value.pointer("/annotations/title").and_then(Value::as_str)?;
        let plain = |title: &str| title.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>();
        let differ = plain(shown) != plain(other) && !plain(shown).is_empty() && !plain(other).is_empty();
        let place = Pointer::from_text("/annotations/title");
        differ.then(|| Hit::tool(n, place).fact("found", other).fact("expected", shown))
    };
    cx.tools().filter_map(hit).collect()
}
