//! Error codes in answers to modern requests that the specification keeps for itself, and that mean nothing in it. Who
//! turns a request away for its sender, such as a guard before the server, speaks for itself.

use std::collections::BTreeMap;

use super::super::{Context, Hit, On};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let Some(wire) = cx.surface.wire.as_ref().filter(|wire| wire.spoken().modern) else { return Vec::new() };
    let mut found: BTreeMap<i64, (bool, &str)> = BTreeMap::new();
    for asked in wire.asked().filter(|asked| asked.revision().is_some() && !asked.is_turned_away()) {
        if let Some((code, use_of)) = asked.code().and_then(|code| Some((code, use_of(code)?))) {
            found.entry(code).or_insert((use_of == Use::Discouraged, asked.method()));
        }
    }
    let hits = found.into_iter().map(|(code, (weaker, method))| {
        let problem = if weaker { "new servers should leave alone" } else { "is reserved" };
        let hit = Hit::new(On::Exchange, Pointer::root()).fact("code", code).fact("value", method);
        hit.fact("problem", problem).weaker_if(weaker)
    });
    hits.collect()
}

/// What is wrong with the use of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// The specification forbids it.
    Forbidden,
    /// It advises against it.
    Discouraged,
}

fn use_of(code: i64) -> Option<Use> {
    match code {
        -32700 | -32603..=-32600 | -32022..=-32020 => None,
        -32099..=-32023 | -32002 => Some(Use::Forbidden),
        -32768..=-32000 => Some(Use::Discouraged),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        for (code, expected) in [
            (-32601, None),
            (-32020, None),
            (-32023, Some(Use::Forbidden)),
            (-32042, Some(Use::Forbidden)),
            (-32002, Some(Use::Forbidden)),
            (-32001, Some(Use::Discouraged)),
            (-32500, Some(Use::Discouraged)),
            (-31999, None),
            (1, None),
        ] {
            assert_eq!(use_of(code), expected, "{code}");
        }
    }
}
