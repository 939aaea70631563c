//! A `resultType` that the revision does not define, where no extension could.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::{Context, Hit};
use crate::surface::assemble::kind_of;
use crate::surface::wire::Wire;
use crate::text::safe;

/// What the revision defines.
const KNOWN: [&str; 2] = ["complete", "input_required"];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let declared = cx.surface.capabilities.as_ref().and_then(|declared| declared.get("extensions"));
    let extended = declared.and_then(Value::as_object).is_some_and(|extensions| !extensions.is_empty());
    let paged = cx.surface.pages.iter().map(|page| ("tools/list", page.hints.get("resultType")));
    let results = cx.surface.wire.iter().flat_map(Wire::modern_results);
    let answered = results.map(|(request, result)| (request.method.as_deref(), result.member("resultType")));
    let answered = answered.filter_map(|(method, kind)| Some((method?, kind)));
    let mut found: BTreeMap<&str, String> = BTreeMap::new();
    for (method, kind) in paged.chain(answered) {
        let Some(kind) = kind else { continue };
        if !kind.as_str().is_some_and(|text| KNOWN.contains(&text) || extended) {
            let shown = kind.as_str().map_or_else(|| kind_of(kind).to_owned(), |text| safe::clip(text, 40));
            found.entry(method).or_insert(shown);
        }
    }
    found.into_iter().map(|(method, kind)| Hit::server().fact("value", kind).fact("method", method)).collect()
}
