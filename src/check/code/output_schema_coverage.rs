//! How many tools declare an output schema, where not all do. What the schemas say is left alone.

use super::super::{Context, Hit};
use crate::surface::contract::{Output, output};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let all = cx.surface.tools.len();
    let declared = cx.tools().filter(|(_, tool)| output(tool) != Output::Absent).count();
    if declared == all {
        return Vec::new();
    }
    vec![Hit::server().fact("measured", format!("{declared}/{all}"))]
}
