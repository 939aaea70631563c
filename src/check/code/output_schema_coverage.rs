//! How many tools declare an output schema, where not all do. What the schemas say is left alone.

use super::super::{Context, Hit};
use crate::surface::contract::{Output, output};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let all = cx.surface.tools.len();
    let without = cx.tools().filter(|(_, tool)| output(tool) == Output::Absent).map(|(_, tool)| tool.label());
    let missing: Vec<&str> = without.collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let declared = all - missing.len();
    let hit = Hit::server().fact("measured", format!("{declared}/{all}"));
    // Where none has one, the names are those of the list.
    vec![if declared > 0 { hit.fact("missing", missing) } else { hit }]
}
