//! Who answered what on the wire, and in which era a session spoke: questions that several rules ask.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::wire::{Kind, Message, Side, Wire};
use crate::spec::meta::META_VERSION;

/// The request that opens a stream of notifications.
pub const LISTEN: &str = "subscriptions/listen";
/// The notification that tells of a changed list of tools.
pub const LIST_CHANGED: &str = "notifications/tools/list_changed";

/// An answer that fits no request that waits for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stray<'w> {
    /// Its request has been answered already.
    Repeated,
    /// It has the id of this request in another form, such as `2.0` or `"2"` for `2`.
    Reshaped(&'w Value),
    /// No request of its session has such an id.
    Unknown,
}

impl Message {
    /// Whether it is a request that names its revision, as only the modern era does.
    pub fn names_revision(&self) -> bool {
        self.kind == Kind::Request && self.meta(META_VERSION).is_some()
    }
}

impl Wire {
    /// Our requests of this method, with their positions.
    pub fn requests<'w>(&'w self, method: &'w str) -> impl Iterator<Item = (usize, &'w Message)> {
        self.messages.iter().enumerate().filter(move |(_, message)| {
            message.side == Side::Client && message.kind == Kind::Request && message.method.as_deref() == Some(method)
        })
    }

    /// The request that a message answers.
    pub fn request_of(&self, answer: &Message) -> Option<&Message> {
        self.messages.get(answer.to?)
    }

    /// The first answer to a request.
    pub fn answer_to(&self, request: &Message) -> Option<&Message> {
        self.messages.get(request.answer?)
    }

    /// The messages of the server, with their positions.
    pub fn said(&self) -> impl Iterator<Item = (usize, &Message)> {
        self.messages.iter().enumerate().filter(|(_, message)| message.side == Side::Server)
    }

    /// The results of requests that named their revision, with these requests.
    pub fn modern_results(&self) -> impl Iterator<Item = (&Message, &Message)> {
        let results = self.said().filter(|(_, message)| message.kind == Kind::Result);
        let pairs = results.filter_map(|(_, result)| Some((self.request_of(result)?, result)));
        pairs.filter(|(request, _)| request.names_revision())
    }

    /// What opened a session: the result of `initialize`, else that of `server/discover`.
    pub fn opening(&self, session: usize) -> Option<&Message> {
        let opened_by = |method: &str| {
            let mut said = self.said().map(|(_, message)| message);
            said.find(|message| message.session == session && message.is_from_server(Kind::Result, method))
        };
        opened_by("initialize").or_else(|| opened_by("server/discover"))
    }

    /// The capabilities that the server declared in a session; none when the wire does not show it.
    pub fn capabilities(&self, session: usize) -> Option<&Value> {
        self.opening(session)?.member("capabilities").filter(|declared| declared.is_object())
    }

    /// Whether the server said in a session that it tells of changes to its list of tools; none when unknown.
    pub fn declares_list_changed(&self, session: usize) -> Option<bool> {
        let declared = self.capabilities(session)?.pointer("/tools/listChanged");
        Some(declared.is_some_and(|declared| declared == true))
    }

    /// The sessions that speak the modern era: requests that name their revision bring results, and nobody shook hands.
    pub fn modern_sessions(&self) -> BTreeSet<usize> {
        let greeted = self.said().filter(|(_, message)| message.is_from_server(Kind::Result, "initialize"));
        let greeted: BTreeSet<usize> = greeted.map(|(_, message)| message.session).collect();
        let modern = self.modern_results().map(|(request, _)| request.session);
        modern.filter(|session| !greeted.contains(session)).collect()
    }

    /// The notifications of the server in sessions of the modern era, with their positions and methods.
    pub fn modern_notifications(&self) -> impl Iterator<Item = (usize, &Message, &str)> {
        let modern = self.modern_sessions();
        self.said().filter_map(move |(position, message)| {
            let is_one = message.kind == Kind::Notification && modern.contains(&message.session);
            Some((position, message, message.method.as_deref().filter(|_| is_one)?))
        })
    }

    /// The answers that fit no waiting request, with their positions. Errors without an id are left out: they may be
    /// about a request that could not be read.
    pub fn strays(&self) -> Vec<(usize, Stray<'_>)> {
        // The ids of each session so far, as written, and without what a serializer may add.
        let mut asked: BTreeMap<(usize, String), &Value> = BTreeMap::new();
        let mut strays = Vec::new();
        for (position, message) in self.messages.iter().enumerate() {
            let place = |id: String| (message.session, id);
            match (message.side, message.kind) {
                (Side::Client, Kind::Request) => {
                    asked.insert(place(bare(&message.id)), &message.id);
                }
                (Side::Server, Kind::Result | Kind::Error) if message.to.is_none() && !message.id.is_null() => {
                    let stray = match asked.get(&place(bare(&message.id))) {
                        // Numbers are equal here only when they are written alike.
                        Some(id) if **id == message.id => Stray::Repeated,
                        Some(id) => Stray::Reshaped(id),
                        None => Stray::Unknown,
                    };
                    strays.push((position, stray));
                }
                _ => {}
            }
        }
        strays
    }
}

/// An id without what a careless serializer adds to it: quotes, or the fraction of a whole number.
fn bare(id: &Value) -> String {
    let text = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    match text.parse::<f64>() {
        Ok(number) if number.fract() == 0.0 => format!("{number:.0}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Surface;
    use super::super::exchange::{Exchange, Frame, What};
    use super::*;

    fn wire(frames: Vec<What>) -> Wire {
        let frames = frames.into_iter().map(|what| Frame { ms: None, what }).collect();
        Surface::from_exchange("t", &Exchange { frames, ..Exchange::default() }).wire.unwrap()
    }

    fn sent(id: &Value, method: &str, params: &Value) -> What {
        What::Out(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string())
    }

    fn got(id: &Value, result: &Value) -> What {
        What::In(json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string().into_bytes())
    }

    #[test]
    fn strays_are_told_apart() {
        let (list, none) = (json!({ "tools": [] }), json!({}));
        let raw = |text: &str| What::In(text.as_bytes().to_vec());
        let wire = wire(vec![
            sent(&json!(1), "tools/list", &none),
            got(&json!(1), &list),
            got(&json!(1), &list),
            sent(&json!(2), "ping", &none),
            raw(r#"{"jsonrpc":"2.0","id":2.0,"result":{}}"#),
            raw(r#"{"jsonrpc":"2.0","id":"2","result":{}}"#),
            got(&json!(7), &none),
            raw(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}"#),
        ]);
        let strays: Vec<Stray<'_>> = wire.strays().into_iter().map(|(_, stray)| stray).collect();
        let two = json!(2);
        assert_eq!(strays, [Stray::Repeated, Stray::Reshaped(&two), Stray::Reshaped(&two), Stray::Unknown]);
    }

    #[test]
    fn a_handshake_makes_a_session_legacy() {
        let modern = json!({ "_meta": { META_VERSION: "2026-07-28" } });
        let discovered = json!({ "supportedVersions": ["2026-07-28"], "capabilities": { "tools": {} } });
        let greeted = json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": { "listChanged": true } } });
        let probe = || vec![sent(&json!(1), "server/discover", &modern), got(&json!(1), &discovered)];
        let both = [probe(), vec![sent(&json!(2), "initialize", &json!({})), got(&json!(2), &greeted)]].concat();
        let (modern, legacy) = (wire(probe()), wire(both));
        assert!(modern.modern_sessions().contains(&0) && legacy.modern_sessions().is_empty());
        assert_eq!((modern.declares_list_changed(0), legacy.declares_list_changed(0)), (Some(false), Some(true)));
        assert_eq!(wire(vec![What::Spawn]).declares_list_changed(0), None);
    }
}
