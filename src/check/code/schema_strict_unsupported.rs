//! Keywords of an input schema that the strict mode of a chosen host does not take.

use super::super::host_lists::minded_keywords;
use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    minded_keywords(cx, "schema-strict-unsupported")
}
