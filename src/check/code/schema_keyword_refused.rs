//! Keywords of an input schema that a chosen host refuses.

use super::super::host_lists::minded_keywords;
use super::super::{Context, Hit};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    minded_keywords(cx, "schema-keyword-refused")
}
