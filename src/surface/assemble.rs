//! From raw JSON to a [`Surface`]. Never fails: what cannot be read is left behind as an incident.
//!
//! The wire around it is read in `reading.rs`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::wire::Page;
use super::{ServerInfo, Surface, Tool};
use crate::finding::{Incident, Stage};
use crate::spec::meta::META_SERVER;
use crate::spec::revision::{Era, Revision};
use crate::text::{
    json::{self, Oddity, OddityKind, Parsed, text_of},
    pointer::Pointer,
};

/// The members of a list's result that say what kind of result it is and how long it may be kept.
pub const HINTS: [&str; 3] = ["resultType", "ttlMs", "cacheScope"];

/// Where a `tools/list` result stands inside a parsed document.
pub struct ListPage {
    /// Where the array of tools stands in the document.
    pub tools: Pointer,
    /// Its `nextCursor`, whatever that is.
    pub next: Option<Value>,
    /// Those of [`HINTS`] that it holds.
    pub hints: Map<String, Value>,
    /// The cursor it was asked with.
    pub cursor: Option<String>,
    /// Bytes of the message as received, if there was a message.
    pub message_bytes: Option<usize>,
}

impl ListPage {
    /// The page whose result stands at `at`.
    pub fn of_result(document: &Parsed, at: &Pointer) -> Self {
        let member = |name: &str| at.find(&document.value).and_then(|result| result.get(name)).cloned();
        let hints = HINTS.into_iter().filter_map(|name| Some((name.to_owned(), member(name)?)));
        let hints = hints.collect();
        Self { tools: at.key("tools"), next: member("nextCursor"), hints, cursor: None, message_bytes: None }
    }
}

impl Surface {
    /// A surface with nothing in it yet.
    pub fn named(target: &str) -> Self {
        Self { target: target.to_owned(), ..Self::default() }
    }

    /// Takes in an `initialize` result.
    pub fn read_initialize(&mut self, result: &Value) {
        self.era = Some(Era::Legacy);
        self.negotiated = text_of(result, "protocolVersion");
        self.server = server_info(result.get("serverInfo"));
        self.instructions = text_of(result, "instructions");
        self.capabilities = result.get("capabilities").cloned();
    }

    /// Takes in a `server/discover` result.
    pub fn read_discover(&mut self, result: &Value) {
        self.era = Some(Era::Modern);
        self.server = server_info(result.get("_meta").and_then(|meta| meta.get(META_SERVER)));
        self.instructions = text_of(result, "instructions");
        self.capabilities = result.get("capabilities").cloned();
    }

    /// Appends one page of the list. The tools are taken out of the document: a list can be large.
    pub fn read_page(&mut self, document: &mut Parsed, page: &ListPage) {
        let items = match document.value.pointer_mut(page.tools.as_str()) {
            Some(Value::Array(items)) => std::mem::take(items),
            other => {
                let found = other.map_or("missing", |other| kind_of(other));
                self.incident(Stage::Read, format!("`tools` of the list is {found}, not an array; none was audited"));
                return;
            }
        };
        if document.oddities.iter().any(|odd| odd.at == page.tools && odd.kind == OddityKind::DuplicateKey) {
            self.incident(Stage::Read, "`tools` stands twice in one result; only the last was audited".to_owned());
        }
        if page.next.as_ref().is_some_and(|next| !next.is_string() && !next.is_null()) {
            let found = page.next.as_ref().map_or("nothing", kind_of);
            let told = format!("`nextCursor` is {found}, not a string; what may follow this page was not audited");
            self.incident(Stage::Read, told);
        }
        let number = self.pages.len();
        let entries = items.len();
        let fresh = self.read_tools(document, &page.tools, items, number);
        self.remember();
        let known = |tool: &Tool| self.known.holds(tool.label(), &tool.text);
        let nothing_new = number > 0 && !fresh.is_empty() && fresh.iter().all(known);
        let seen_before: BTreeSet<String> =
            fresh.iter().filter_map(Tool::name).filter(|name| self.known.has_label(name)).map(str::to_owned).collect();
        let (start, count) = (self.tools.len(), fresh.len());
        if !nothing_new {
            self.tools.extend(fresh);
        }
        self.pages.push(Page {
            cursor: page.cursor.clone(),
            next: page.next.clone(),
            hints: page.hints.clone(),
            strangers: entries - count,
            tools: start..self.tools.len(),
            seen_before: seen_before.into_iter().collect(),
            nothing_new,
        });
        if let Some(bytes) = page.message_bytes {
            *self.message_bytes.get_or_insert(0) += bytes;
        }
    }

    /// Takes in the names and texts of the pages before. Done only once another page comes: most lists have one.
    fn remember(&mut self) {
        for tool in self.tools.iter().skip(self.remembered) {
            self.known.add(tool.label(), &tool.text);
        }
        self.remembered = self.tools.len();
    }

    fn read_tools(&mut self, document: &Parsed, at: &Pointer, items: Vec<Value>, number: usize) -> Vec<Tool> {
        let mut oddities = by_item(at, &document.oddities, |odd| &odd.at);
        let mut exact = by_item(at, &document.exact, |number| &number.0);
        let mut tools = Vec::with_capacity(items.len());
        let mut strangers: Vec<usize> = Vec::new();
        for (i, item) in items.into_iter().enumerate() {
            if !item.is_object() {
                strangers.push(i + 1);
                continue;
            }
            let oddities = oddities.remove(&i).unwrap_or_default();
            let exact = exact.remove(&i).unwrap_or_default();
            let exact: Vec<(Pointer, String)> = exact.into_iter().map(|(at, (_, text))| (at, text)).collect();
            tools.push(Tool {
                text: json::compact(&item, &exact),
                value: item,
                oddities: oddities.into_iter().map(|(at, odd)| Oddity { at, kind: odd.kind }).collect(),
                exact,
                page: number,
            });
        }
        if let Some(first) = strangers.first() {
            // One for the page: a hostile list may hold a million of them.
            let (count, page) = (strangers.len(), number + 1);
            let told = format!(
                "{count} entries of page {page} are no objects (the first is entry {first}); no rule looked at them"
            );
            self.incident(Stage::Read, told);
        }
        tools
    }

    pub(super) fn incident(&mut self, stage: Stage, cause: String) {
        self.incidents.push(Incident { stage, cause });
    }
}

/// Things that stand inside the items of an array, by item, with their places below it.
fn by_item<T: Clone>(
    array: &Pointer,
    things: &[T],
    place: impl Fn(&T) -> &Pointer,
) -> BTreeMap<usize, Vec<(Pointer, T)>> {
    let mut sorted: BTreeMap<usize, Vec<(Pointer, T)>> = BTreeMap::new();
    for thing in things {
        let Some(below) = place(thing).below(array) else { continue };
        let Some(index) = below.steps().next().and_then(|step| step.parse::<usize>().ok()) else { continue };
        let Some(at) = below.below(&Pointer::root().index(index)) else { continue };
        sorted.entry(index).or_default().push((at, thing.clone()));
    }
    sorted
}

/// Whether a value is a JSON-RPC message, or a batch of them.
///
/// An answer that only lacks its `jsonrpc` member is still read: the fault is its own, not noise.
pub fn is_message(value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            let answers =
                members.contains_key("id") && (members.contains_key("result") || members.contains_key("error"));
            answers || (members.get("jsonrpc").is_some_and(|mark| mark == "2.0") && members.contains_key("method"))
        }
        Value::Array(items) => !items.is_empty() && items.iter().all(|item| item.is_object() && is_message(item)),
        _ => false,
    }
}

/// A JSON value's kind, with its article.
pub fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// The revision that a `--spec` option or a settings file puts in force.
pub fn force_revision(surface: &mut Surface, revision: Revision) {
    surface.judged_by = Some(revision);
}

fn server_info(value: Option<&Value>) -> ServerInfo {
    let member = |name: &str| value.and_then(|value| text_of(value, name));
    ServerInfo { name: member("name"), version: member("version") }
}
