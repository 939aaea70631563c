//! A `$ref` to another document. An `$id` or `$schema` is an address too, but no reference.

use super::super::{Context, Hit};
use super::schema_dangling_ref::leading;
use crate::surface::schema::Target;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    leading(cx, Target::Elsewhere)
}
