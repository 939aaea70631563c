//! Annotations under a revision that does not know them.

use crate::check::effects::one_for;
use crate::check::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let annotated = cx.tools().filter(|(_, tool)| tool.value.get("annotations").is_some());
    one_for(cx, &annotated.map(|(n, _)| n).collect::<Vec<_>>())
}
