//! How many tools declare an output schema, where not all do. What the schemas say is left alone.

use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let all = cx.surface.tools.len();
    let declared = cx.tools().filter(|(_, tool)| tool.output_schema().is_some()).count();
    if declared == all {
        return Vec::new();
    }
    vec![Hit::server().fact("measured", format!("{declared}/{all}"))]
}
