//! What a list would cost without certain members.

use serde_json::Value;

use super::Context;
use crate::measure::tokens::Encoding;
use crate::surface;
use crate::text::{json, pointer::Pointer};

/// Tokens of o200k_base that the payload has more than it had without the members at these places, by tool and in the
/// order of the list; and those that it has.
///
/// Both are counted on the whole payload, as tokens merge across the borders of what is taken out.
pub(super) fn saved(cx: &Context<'_>, places: &[(usize, Vec<Pointer>)]) -> (usize, usize) {
    let mut texts: Vec<String> = cx.surface.tools.iter().map(|tool| tool.text.clone()).collect();
    for (n, places) in places {
        let (Some(tool), Some(text)) = (cx.surface.tools.get(*n), texts.get_mut(*n)) else { continue };
        let mut value = tool.value.clone();
        for place in places {
            remove(&mut value, place);
        }
        *text = json::compact(&value, &tool.exact);
    }
    let without = Encoding::O200kBase.count(&surface::wrapped(texts.iter().map(String::as_str)));
    // Measured already, where the list was.
    let measured = cx.measures.number("payload.o200k").and_then(|tokens| usize::try_from(tokens).ok());
    let with = measured.unwrap_or_else(|| Encoding::O200kBase.count(&cx.surface.payload()));
    (with.saturating_sub(without), with)
}

fn remove(value: &mut Value, place: &Pointer) {
    let Some((holder, name)) = place.split_last() else { return };
    if let Some(Value::Object(members)) = value.pointer_mut(holder.as_str()) {
        members.shift_remove(&name);
    }
}
