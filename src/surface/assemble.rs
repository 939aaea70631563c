//! From raw JSON to a [`Surface`]. Never fails: what cannot be read is left behind as an incident.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::exchange::{Exchange, What};
use super::wire::{Noise, Page, Wire};
use super::{ServerInfo, Surface, Tool};
use crate::finding::{Incident, Stage};
use crate::spec::revision::{Era, Revision};
use crate::text::{
    json::{self, Oddity, OddityKind, Parsed},
    pointer::Pointer,
    safe,
};

/// The request key that carries the revision in the modern era.
pub const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The result key that carries the server's name in the modern era.
pub const META_SERVER: &str = "io.modelcontextprotocol/serverInfo";

/// Where a `tools/list` result stands inside a parsed document.
pub struct ListPage {
    /// Where the array of tools stands in the document.
    pub tools: Pointer,
    /// Its `nextCursor`, whatever that is.
    pub next: Option<Value>,
    /// The cursor it was asked with.
    pub cursor: Option<String>,
    /// Bytes of the message as received, if there was a message.
    pub message_bytes: Option<usize>,
}

impl ListPage {
    /// The page whose result stands at `at`.
    pub fn of_result(document: &Parsed, at: &Pointer) -> Self {
        let next = at.find(&document.value).and_then(|result| result.get("nextCursor")).cloned();
        Self { tools: at.key("tools"), next, cursor: None, message_bytes: None }
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
        let fresh = self.read_tools(document, &page.tools, items, number);
        self.remember();
        let known = |tool: &Tool| self.known.holds(tool.label(), &tool.text);
        let nothing_new = number > 0 && !fresh.is_empty() && fresh.iter().all(known);
        let seen_before: BTreeSet<String> =
            fresh.iter().filter_map(Tool::name).filter(|name| self.known.has_label(name)).map(str::to_owned).collect();
        let start = self.tools.len();
        if !nothing_new {
            self.tools.extend(fresh);
        }
        self.pages.push(Page {
            cursor: page.cursor.clone(),
            next: page.next.clone(),
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

    /// Builds a surface from the wire.
    pub fn from_exchange(target: &str, exchange: &Exchange) -> Self {
        let mut reading = Reading { surface: Self::named(target), ..Reading::default() };
        for frame in &exchange.frames {
            match &frame.what {
                What::Out(text) => reading.sent(text),
                What::In(bytes) => reading.received(bytes, frame.ms),
                What::Incident(incident) => reading.surface.incidents.push(incident.clone()),
                What::Spawn => reading.spawned_ms = frame.ms,
                What::Exit(_) => reading.ended = true,
                What::Err(_) => {}
            }
        }
        reading.finish()
    }

    fn incident(&mut self, stage: Stage, cause: String) {
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

/// A request of ours that waits for its answer.
struct Asked {
    method: String,
    cursor: Option<String>,
    revision: Option<String>,
}

/// An answer that opened a session: the result, its revision in the modern era, and when it came.
struct Opening {
    result: Value,
    revision: Option<String>,
    start_ms: Option<u64>,
}

/// The state of reading an exchange.
#[derive(Default)]
struct Reading {
    surface: Surface,
    wire: Wire,
    asked: BTreeMap<String, Asked>,
    lines: usize,
    spawned_ms: Option<u64>,
    /// The answers to `initialize` and `server/discover`. A slow server may give both; the list says which counts.
    legacy: Option<Opening>,
    modern: Option<Opening>,
    /// The last line, when it may be a message that was cut off.
    cut: Option<Noise>,
    /// Whether the process ended by itself.
    ended: bool,
    /// Lines that may be messages but are beyond what is read, and why.
    unread: Vec<(usize, String)>,
    /// Whether a `tools/list` was answered with a list, and the revision that its request named; only a modern
    /// request names one.
    listed: bool,
    listed_by: Option<String>,
    list_answered: bool,
}

impl Reading {
    fn sent(&mut self, text: &str) {
        let Ok(parsed) = json::parse(text) else { return };
        let (Some(id), Some(method)) = (parsed.value.get("id"), text_of(&parsed.value, "method")) else {
            return;
        };
        let params = parsed.value.get("params");
        let member = |name: &str| params.and_then(|params| params.get(name));
        let asked = Asked {
            method,
            cursor: member("cursor").and_then(Value::as_str).map(str::to_owned),
            revision: member("_meta").and_then(|meta| text_of(meta, META_VERSION)),
        };
        self.asked.insert(id.to_string(), asked);
    }

    fn received(&mut self, bytes: &[u8], ms: Option<u64>) {
        self.lines += 1;
        self.wire.noise.extend(self.cut.take());
        let text = String::from_utf8_lossy(bytes);
        if matches!(text, std::borrow::Cow::Owned(_)) {
            self.wire.invalid_utf8.push(self.lines);
        }
        match json::parse(&text) {
            Ok(mut parsed) if is_message(&parsed.value) => self.message(&mut parsed, bytes.len(), ms),
            // It may be a message: what cannot be read is not called noise.
            Err(broken) if broken.bound => {
                self.unread.push((self.lines, broken.problem));
            }
            _ => {
                // The start of a message that nothing follows was cut off when the server ended; that is said elsewhere.
                let may_be_cut = text.starts_with(['{', '[']);
                let noise = Noise { text: text.into_owned(), line: self.lines };
                if may_be_cut {
                    self.cut = Some(noise);
                } else {
                    self.wire.noise.push(noise);
                }
            }
        }
    }

    fn message(&mut self, parsed: &mut Parsed, bytes: usize, ms: Option<u64>) {
        // Batches exist in 2025-03-26 only; reading them costs nothing and loses no answer.
        let batch = parsed.value.as_array().map_or(1, Vec::len);
        for i in 0..batch {
            let at = if parsed.value.is_array() { Pointer::root().index(i) } else { Pointer::root() };
            self.answer(parsed, &at, bytes, ms);
        }
    }

    fn answer(&mut self, parsed: &mut Parsed, at: &Pointer, bytes: usize, ms: Option<u64>) {
        let Some(Value::Object(message)) = at.find(&parsed.value) else { return };
        // Ids belong to each side: a request of the server may carry the id of one of ours.
        if message.contains_key("method") {
            return;
        }
        let Some(asked) = message.get("id").and_then(|id| self.asked.remove(&id.to_string())) else {
            return;
        };
        if let Some(error) = message.get("error") {
            self.refused(&asked, error);
            return;
        }
        let Some(result) = message.get("result") else { return };
        match asked.method.as_str() {
            "initialize" => self.legacy = Some(self.opening(result, None, ms)),
            "server/discover" if result.get("supportedVersions").is_some() => {
                self.modern = Some(self.opening(result, asked.revision, ms));
            }
            "tools/list" => {
                self.list_answered = true;
                self.listed = true;
                self.listed_by = asked.revision;
                let page = ListPage::of_result(parsed, &at.key("result"));
                let page = ListPage { cursor: asked.cursor, message_bytes: Some(bytes), ..page };
                self.surface.read_page(parsed, &page);
            }
            _ => {}
        }
    }

    fn opening(&self, result: &Value, revision: Option<String>, ms: Option<u64>) -> Opening {
        let start_ms = ms.map(|ms| ms.saturating_sub(self.spawned_ms.unwrap_or(0)));
        Opening { result: result.clone(), revision, start_ms }
    }

    fn refused(&mut self, asked: &Asked, error: &Value) {
        let code = error.get("code").map_or_else(|| "no code".to_owned(), Value::to_string);
        let words = error.get("message").and_then(Value::as_str).unwrap_or("no message");
        let words = safe::clip(words, 200).replace('`', "'");
        let stage = match asked.method.as_str() {
            "tools/list" => Stage::List,
            "initialize" => Stage::Open,
            _ => return,
        };
        self.list_answered |= stage == Stage::List;
        let place =
            asked.cursor.as_ref().map_or_else(String::new, |cursor| format!(" (cursor {})", safe::quoted(cursor)));
        self.surface.incident(stage, format!("`{}`{place} was answered with error {code}: {words}", asked.method));
    }

    fn finish(mut self) -> Surface {
        self.wire.noise.extend(self.cut.take().filter(|_| !self.ended));
        let is_modern = if self.listed { self.listed_by.is_some() } else { self.modern.is_some() };
        let opening = if is_modern { self.modern.take() } else { self.legacy.take() };
        if let Some(opening) = opening {
            if is_modern {
                self.surface.read_discover(&opening.result);
            } else {
                self.surface.read_initialize(&opening.result);
            }
            self.wire.start_ms = opening.start_ms;
            self.surface.negotiated = opening.revision.or(self.surface.negotiated.take());
        }
        if let Some(revision) = self.listed_by.take() {
            self.surface.era = Some(Era::Modern);
            self.surface.negotiated = Some(revision);
        }
        for (line, problem) in std::mem::take(&mut self.unread) {
            // A live session has said so already, and what it was waiting for.
            if !self.surface.incidents.iter().any(|incident| incident.cause.contains(&problem)) {
                self.surface.incident(Stage::Read, format!("line {line} of stdout was not read: {problem}"));
            }
        }
        if !self.list_answered && self.surface.incidents.is_empty() {
            self.surface.incident(Stage::List, "the exchange holds no answer to `tools/list`".to_owned());
        }
        // A modern server may answer `initialize` with an error; once it has listed, that error stopped nothing.
        if self.list_answered && !self.surface.pages.is_empty() {
            self.surface.incidents.retain(|incident| {
                !(incident.stage == Stage::Open && incident.cause.starts_with("`initialize` was answered"))
            });
        }
        self.surface.wire = Some(self.wire);
        self.surface
    }
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

fn text_of(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).map(str::to_owned)
}

fn server_info(value: Option<&Value>) -> ServerInfo {
    let member = |name: &str| value.and_then(|value| text_of(value, name));
    ServerInfo { name: member("name"), version: member("version") }
}
