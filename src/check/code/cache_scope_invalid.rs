//! A `cacheScope` that is neither `public` nor `private`.

use super::super::{Context, Hit};
use crate::surface::assemble::kind_of;
use crate::text::safe;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let wrong = cx.surface.hints("cacheScope").find(|(_, scope)| *scope != "public" && *scope != "private");
    wrong.map_or_else(Vec::new, |(method, scope)| {
        let found = scope.as_str().map_or_else(|| kind_of(scope).to_owned(), |text| safe::clip(text, 40));
        vec![Hit::server().fact("value", method).fact("found", found).fact("expected", "public or private")]
    })
}
