//! The same hints on every tool of a list whose verbs read and write.

use crate::check::effects::{acting, reads};
use crate::check::verbs::{Kind, VAGUE, opening};
use crate::check::{Context, Hit};
use crate::surface::{Tool, contract::HINTS};

/// Tools below which equal hints may be chance.
const FEWEST: usize = 3;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let tools = &cx.surface.tools;
    let Some(first) = tools.first().map(hints).filter(|_| tools.len() >= FEWEST) else { return Vec::new() };
    // What says nothing of reading and writing is no stamp for either.
    let stamped = first.iter().take(2).any(Option::is_some) && tools.iter().all(|tool| hints(tool) == first);
    if !stamped {
        return Vec::new();
    }
    let values = acting(cx);
    let reading = cx.tools().find_map(|(n, tool)| reads(cx, tool, values.contains_key(&n)));
    let writing = tools.iter().find_map(|tool| {
        let verb = cx.prefixes().verb(tool, Kind::Writing)?;
        (opening(tool, Kind::Writing) == Some(verb) && !VAGUE.contains(&verb)).then_some(verb)
    });
    let writing = writing.or_else(|| {
        // "Records a weight" is not among the verbs, and need not be where another tool is plain.
        tools.iter().find_map(|tool| opening(tool, Kind::Writing).filter(|verb| !VAGUE.contains(verb)))
    });
    let (Some(reading), Some(writing)) = (reading, writing) else { return Vec::new() };
    let measured = format!("{0}/{0}", tools.len());
    vec![Hit::server().fact("measured", measured).fact("found", format!("{reading} and {writing}"))]
}

/// The four hints as given.
fn hints(tool: &Tool) -> [Option<bool>; 4] {
    HINTS.map(|hint| tool.hint(hint))
}
