//! The capability `tasks` of 2025-11-25, declared under a later revision.

use crate::check::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let declared = cx.surface.capabilities.as_ref().is_some_and(|capabilities| capabilities.get("tasks").is_some());
    declared.then(|| Hit::server().fact("value", "tasks")).into_iter().collect()
}
