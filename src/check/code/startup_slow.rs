//! The slowest warm start against the limits of the chosen hosts.

use super::super::starts::over_limits;
use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    over_limits(cx, "startup-slow", false)
}
