//! Answers whose id is that of no request, or of one in another form.

use super::super::{Context, Hit, On};
use crate::surface::dialogue::Stray;
use crate::surface::wire::Http;
use crate::text::{pointer::Pointer, safe};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = &cx.surface.wire else { return Vec::new() };
    let shown = |id: &serde_json::Value| safe::clip(&id.to_string(), 40);
    let mut hits = Vec::new();
    for (position, stray) in wire.strays() {
        let Some(answer) = wire.messages.get(position) else { continue };
        // Over HTTP a refusal is told by its status; servers put any id there that they could not read.
        let http = answer.http.and_then(|http| wire.https.get(http));
        if http.and_then(Http::status).is_some_and(|status| status >= 400) {
            continue;
        }
        let expected = match stray {
            Stray::Repeated => continue,
            Stray::Reshaped(id) => shown(id),
            Stray::Unknown => "the id of a request".to_owned(),
        };
        let hit = Hit::new(On::Exchange, Pointer::root());
        hits.push(hit.fact("found", shown(&answer.id)).fact("expected", expected));
    }
    // One cause makes every answer stray; the first shows it.
    hits.truncate(1);
    hits
}
