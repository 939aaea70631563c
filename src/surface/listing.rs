//! The walks through the list side by side: which of them belong together, and what differs between two.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::dialogue::LIST_CHANGED;
use super::wire::{Kind, Message, Session, Side, Wire};
use super::{Surface, Tool};

/// One walk through the list that was followed to its end.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'s> {
    /// Its number among all walks, from 1.
    pub number: usize,
    /// The position of its session.
    pub session: usize,
    /// The position of its first request.
    pub request: usize,
    /// Its tools, all pages merged.
    pub tools: &'s [Tool],
    /// Whether its request named a revision.
    pub is_modern: bool,
}

/// What differs between two walks beside the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Axis {
    /// Nothing: the same session was asked again.
    Repetition,
    /// The connection.
    Session,
    /// The process was started again.
    Restart,
    /// The era of the protocol.
    Era,
    /// The way in: standard streams, or one of the shapes of HTTP.
    Transport,
    /// The credentials.
    Authorization,
}

impl Axis {
    /// The word in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Repetition => "repetition",
            Self::Session => "session",
            Self::Restart => "restart",
            Self::Era => "era",
            Self::Transport => "transport",
            Self::Authorization => "authorization",
        }
    }
}

impl<'s> Listing<'s> {
    /// The names of its tools.
    pub fn names(&self) -> BTreeSet<&'s str> {
        self.tools.iter().filter_map(Tool::name).collect()
    }

    /// The tools whose name no other one has, by name.
    pub fn unique(&self) -> BTreeMap<&'s str, &'s Tool> {
        let mut found: BTreeMap<&str, Option<&Tool>> = BTreeMap::new();
        for tool in self.tools {
            let Some(name) = tool.name() else { continue };
            found.entry(name).and_modify(|known| *known = None).or_insert(Some(tool));
        }
        found.into_iter().filter_map(|(name, tool)| Some((name, tool?))).collect()
    }

    /// The first tool, by name, that this walk and another define differently.
    pub fn redefined(&self, other: &Listing<'_>) -> Option<&'s str> {
        let theirs = other.unique();
        let differs = |(name, ours): &(&'s str, &'s Tool)| {
            theirs.get(name).is_some_and(|theirs| ours.text != theirs.text && !alike(&ours.value, &theirs.value))
        };
        self.unique().into_iter().find(differs).map(|(name, _)| name)
    }
}

impl Surface {
    /// The walks that were followed to their end, in order; none for a saved list.
    pub fn listings(&self) -> Vec<Listing<'_>> {
        let Some(wire) = &self.wire else { return Vec::new() };
        let whole = self.pages.last().is_some_and(|page| page.next_cursor().is_none());
        let first = self.request.filter(|_| whole).map(|request| (request, self.tools.as_slice()));
        let later = self.later.iter().map(|walk| walk.whole.then_some((walk.request, walk.tools.as_slice())));
        let mut listings = Vec::new();
        for (n, walk) in std::iter::once(first).chain(later).enumerate() {
            let Some((request, tools)) = walk else { continue };
            let Some(asked) = wire.messages.get(request) else { continue };
            let (session, is_modern) = (asked.session, asked.names_revision());
            listings.push(Listing { number: n + 1, session, request, tools, is_modern });
        }
        listings
    }
}

impl Wire {
    /// What differs between two walks beside the list.
    pub fn axis(&self, one: &Listing<'_>, other: &Listing<'_>) -> Axis {
        let pair = (self.sessions.get(one.session), self.sessions.get(other.session));
        let (Some(ours), Some(theirs)) = pair else { return Axis::Repetition };
        let (identity, way) = (|s: &Session| s.connect.as_ref().and_then(|c| c.identity.clone()), way_in);
        if identity(ours) != identity(theirs) {
            Axis::Authorization
        } else if way(ours) != way(theirs) {
            Axis::Transport
        } else if one.is_modern != other.is_modern {
            Axis::Era
        } else if one.session == other.session {
            Axis::Repetition
        } else if ours.connect.is_none() {
            Axis::Restart
        } else {
            Axis::Session
        }
    }

    /// What a walk is called beside another one.
    pub fn label(&self, listing: &Listing<'_>, axis: Axis) -> String {
        let connect = self.sessions.get(listing.session).and_then(|session| session.connect.as_ref());
        let own = connect.and_then(|connect| connect.label.clone());
        match axis {
            Axis::Repetition | Axis::Restart | Axis::Era => listing.number.to_string(),
            Axis::Transport => own.unwrap_or_else(|| {
                let way = connect.map_or("stdio", |connect| if connect.sse { "sse" } else { "http" });
                way.to_owned()
            }),
            Axis::Session | Axis::Authorization => own.unwrap_or_else(|| format!("session {}", listing.session + 1)),
        }
    }

    /// Whether the server told of a change after one walk began, in its session or in that of the other.
    pub fn announced(&self, one: &Listing<'_>, other: &Listing<'_>) -> bool {
        self.said().any(|(position, message)| {
            position > one.request
                && [one.session, other.session].contains(&message.session)
                && message.is_from_server(Kind::Notification, LIST_CHANGED)
        })
    }

    /// How long a walk may be kept by its first page, and how long after it another one began, in milliseconds; none
    /// where the tape does not show both.
    pub fn freshness(&self, one: &Listing<'_>, other: &Listing<'_>) -> Option<(u64, u64)> {
        let answer = self.answer_to(self.messages.get(one.request)?)?;
        let fresh = answer.member("ttlMs").filter(|_| answer.kind == Kind::Result).and_then(Value::as_u64)?;
        let asked = self.messages.get(other.request)?.ms?;
        Some((fresh, asked.saturating_sub(answer.ms?)))
    }

    /// The method of the first request between two walks that does more than open, list or ask for a sign of life.
    pub fn between(&self, one: &Listing<'_>, other: &Listing<'_>) -> Option<&str> {
        const QUIET: [&str; 5] = ["initialize", "server/discover", "tools/list", "ping", super::dialogue::LISTEN];
        let mut methods = self.asked_between(one, other).filter_map(|message| message.method.as_deref());
        methods.find(|method| !QUIET.contains(method))
    }

    /// Whether a tool was called between two walks, and did what it does.
    pub fn called(&self, one: &Listing<'_>, other: &Listing<'_>) -> bool {
        self.asked_between(one, other).any(|call| {
            let result = |answer: &Message| answer.kind == Kind::Result;
            call.method.as_deref() == Some("tools/call") && self.answer_to(call).is_some_and(result)
        })
    }

    /// Our requests from one walk to another.
    fn asked_between(&self, one: &Listing<'_>, other: &Listing<'_>) -> impl Iterator<Item = &Message> {
        let messages = self.messages.iter().take(other.request).skip(one.request);
        messages.filter(|message| message.side == Side::Client && message.kind == Kind::Request)
    }
}

/// Standard streams, Streamable HTTP, or HTTP with a stream of events.
fn way_in(session: &Session) -> Option<bool> {
    session.connect.as_ref().map(|connect| connect.sse)
}

/// Keywords whose arrays mean the same in any order.
const SETS: [&str; 3] = ["required", "enum", "type"];

/// Whether two values mean the same: members in any order, numbers by value, and the keywords of JSON Schema that are
/// sets as sets.
pub fn alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Object(ours), Value::Object(theirs)) => {
            ours.len() == theirs.len() && ours.iter().all(|(name, value)| same_member(name, value, theirs))
        }
        (Value::Array(ours), Value::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(ours, theirs)| alike(ours, theirs))
        }
        (Value::Number(ours), Value::Number(theirs)) => ours == theirs || ours.as_f64() == theirs.as_f64(),
        _ => one == other,
    }
}

fn same_member(name: &str, value: &Value, others: &Map<String, Value>) -> bool {
    let Some(other) = others.get(name) else { return false };
    match (value, other) {
        (Value::Array(ours), Value::Array(theirs)) if SETS.contains(&name) => {
            let sorted = |items: &[Value]| {
                let mut texts: Vec<String> = items.iter().map(Value::to_string).collect();
                texts.sort();
                texts
            };
            sorted(ours) == sorted(theirs)
        }
        _ => alike(value, other),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::surface::exchange::{Connect, Exchange, Frame, What};

    #[test]
    fn meaning_is_compared_and_not_bytes() {
        let one = json!({ "a": 1, "required": ["x", "y"], "default": ["x", "y"] });
        for (other, same) in [
            (json!({ "default": ["x", "y"], "required": ["y", "x"], "a": 1.0 }), true),
            (json!({ "a": 1, "required": ["x", "y"], "default": ["y", "x"] }), false),
            (json!({ "a": 1, "required": ["x"], "default": ["x", "y"] }), false),
            (json!({ "a": 1, "required": ["x", "y"], "default": ["x", "y"], "b": null }), false),
        ] {
            assert_eq!(alike(&one, &other), same, "{other}");
        }
    }

    /// A tape that lists once after each of these beginnings.
    fn listed(beginnings: &[Option<What>]) -> Surface {
        let mut frames = Vec::new();
        for (n, beginning) in beginnings.iter().enumerate() {
            frames.extend(beginning.clone());
            let (ask, answer) = (json!({ "jsonrpc": "2.0", "id": n, "method": "tools/list" }), json!({ "tools": [] }));
            frames.push(What::Out(ask.to_string()));
            frames.push(What::In(json!({ "jsonrpc": "2.0", "id": n, "result": answer }).to_string().into_bytes()));
        }
        let frames = frames.into_iter().map(|what| Frame { ms: None, what }).collect();
        Surface::from_exchange("t", &Exchange { frames, ..Exchange::default() })
    }

    #[test]
    fn the_axis_is_what_the_frames_say() {
        let connect = |sse: bool, identity: Option<&str>| {
            let label = Some("a".to_owned());
            Some(What::Connect(Connect { sse, identity: identity.map(str::to_owned), label }))
        };
        for (one, other, axis, label) in [
            (Some(What::Spawn), None, Axis::Repetition, "2"),
            (Some(What::Spawn), Some(What::Spawn), Axis::Restart, "2"),
            (Some(What::Spawn), connect(false, None), Axis::Transport, "a"),
            (connect(true, None), connect(false, None), Axis::Transport, "a"),
            (connect(false, None), connect(false, None), Axis::Session, "a"),
            (connect(false, Some("x")), connect(false, Some("y")), Axis::Authorization, "a"),
        ] {
            let surface = listed(&[one, other]);
            let (wire, listings) = (surface.wire.as_ref().unwrap(), surface.listings());
            let [first, second] = listings.as_slice() else { panic!("{listings:?}") };
            assert_eq!(wire.axis(first, second), axis);
            assert_eq!(wire.label(second, axis), label);
        }
    }
}
