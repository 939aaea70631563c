//! The slowest warm start against the limits of the chosen hosts.

use super::super::starts::{Start, over_limits};
use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    over_limits(cx, Start::Warm)
}
