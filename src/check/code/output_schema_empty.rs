//! Output schemas that allow any object, by the class that the figures use too. Values that are no object are left
//! alone.

use super::super::{Context, Hit};
use crate::surface::contract::{Output, output};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let empty = cx.tools().filter(|(_, tool)| output(tool) == Output::Empty);
    empty.map(|(index, _)| Hit::tool(index, Pointer::root().key("outputSchema"))).collect()
}
