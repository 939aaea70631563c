//! Answers to `server/discover` that lack what a client picks its version and features from.

use serde_json::Value;

use super::super::{Context, Hit};
use crate::surface::asked::Asked;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let modern = wire.spoken().modern;
    let mut discovers = wire.asked().filter(|asked| asked.method() == "server/discover" && asked.revision().is_some());
    let lacking = discovers.find_map(|asked| lacks(&asked, modern));
    lacking
        .map(|missing| Hit::server().fact("value", missing.join(", ")).fact("missing", missing))
        .into_iter()
        .collect()
}

/// The members that an answer lacks, or has in another form. A legacy server may answer anything to a method that it
/// does not know.
fn lacks(asked: &Asked<'_>, modern: bool) -> Option<Vec<&'static str>> {
    let result = asked.result()?;
    let versions = result.get("supportedVersions").and_then(Value::as_array);
    let versions = versions.is_some_and(|versions| !versions.is_empty() && versions.iter().all(Value::is_string));
    let capabilities = result.get("capabilities").is_some_and(Value::is_object);
    let missing = [("supportedVersions", versions), ("capabilities", capabilities)];
    let missing: Vec<&str> = missing.into_iter().filter(|(_, there)| !there).map(|(name, _)| name).collect();
    Some(missing).filter(|missing| !missing.is_empty() && modern)
}
