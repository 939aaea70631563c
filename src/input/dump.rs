//! A saved list: bare array, result, JSON-RPC response, several pages, or our own capture.
//!
//! Apart from the live session so that a file never looks like a server: what it does not show is unknown.

use serde_json::{Map, Value};

use super::Gathered;
use crate::error::Trouble;
use crate::finding::{Incident, Stage};
use crate::surface::{
    Surface,
    assemble::{self, ListPage, kind_of},
    exchange::Exchange,
};
use crate::text::{
    json::{self, Parsed},
    pointer::Pointer,
    safe,
};

/// What a file may be, for messages.
const EXPECTED: &str = "expected a `tools/list` result (`{\"tools\":[…]}`), its JSON-RPC response, a bare array of \
                        tools, an array of pages, or a capture made by `toolsurface capture`";

/// Reads a saved list or capture.
///
/// # Errors
///
/// [`Trouble::Input`] saying what the file is, with line and column where it stops being JSON.
pub fn read(target: &str, name: &str, bytes: &[u8]) -> Result<Gathered, Trouble> {
    let trouble = |problem: String| Trouble::Input { name: name.to_owned(), problem, help: EXPECTED.to_owned() };
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Err(trouble("the file is empty".to_owned()));
    }
    if Exchange::is_capture(text) {
        let exchange = Exchange::from_jsonl(text).map_err(|broken| trouble(format!("not a capture: {broken}")))?;
        let surface = Surface::from_exchange(target, &exchange);
        let settings = exchange.made.get("settings").cloned();
        return Ok(Gathered { surface, exchange: Some(exchange), settings });
    }
    let mut documents = documents(text).map_err(|broken| trouble(format!("not JSON: {broken}")))?;
    let mut surface = Surface::named(target);
    let mut settings = None;
    let count = documents.len();
    for document in &mut documents {
        if count > 1 && document.value.get("error").is_some() {
            let cause = describe_object(&document.value);
            surface.incidents.push(Incident { stage: Stage::List, cause });
            continue;
        }
        let (pages, view) = pages(document, text, count).map_err(&trouble)?;
        surface.view = view.filter(|_| count == 1);
        let root = &document.value;
        if let Some(result) = root.get("initialize") {
            surface.read_initialize(result);
        }
        settings = settings.or_else(|| root.get("settings").cloned());
        for page in &pages {
            surface.read_page(document, page);
        }
    }
    let open = surface.pages.last().and_then(|page| page.next_cursor()).map(safe::quoted);
    if let Some(cursor) = open {
        let cause = format!("the list goes on at cursor {cursor}, which the file does not hold");
        surface.incidents.push(Incident { stage: Stage::List, cause });
    }
    Ok(Gathered { surface, exchange: None, settings })
}

/// One JSON document, or JSON Lines of JSON-RPC messages.
fn documents(text: &str) -> Result<Vec<Parsed>, json::Broken> {
    let whole = match json::parse(text) {
        Ok(parsed) => return Ok(vec![parsed]),
        Err(broken) => broken,
    };
    let lines: Result<Vec<Parsed>, _> = text.lines().filter(|line| !line.trim().is_empty()).map(json::parse).collect();
    match lines {
        Ok(lines) if lines.iter().all(|line| assemble::is_message(&line.value)) => {
            Ok(lines.into_iter().filter(is_answer).collect())
        }
        _ => Err(whole),
    }
}

/// A list, or the refusal of one.
fn is_answer(line: &Parsed) -> bool {
    line.value.get("error").is_some() || line.value.pointer("/result/tools").is_some()
}

/// The pages that a document holds, and the `jq` program that leads to the list where one page is all.
type Pages = (Vec<ListPage>, Option<&'static str>);

fn pages(document: &Parsed, text: &str, documents: usize) -> Result<Pages, String> {
    let page = |at: Pointer| ListPage::of_result(document, &at);
    match &document.value {
        Value::Object(members) => {
            if members.contains_key("tools") {
                return Ok((vec![page(Pointer::root())], Some("")));
            }
            if members.get("result").is_some_and(|result| result.get("tools").is_some()) {
                let mut only = page(Pointer::root().key("result"));
                // A response has a size of its own only where the file holds nothing else.
                only.message_bytes = (documents == 1).then(|| text.trim().len());
                return Ok((vec![only], Some(".result|")));
            }
            Err(describe_object(&document.value))
        }
        Value::Array(items) => array_pages(document, items),
        other => Err(format!("the file holds {}, not a tool list", kind_of(other))),
    }
}

fn array_pages(document: &Parsed, items: &[Value]) -> Result<Pages, String> {
    let all = |holds: fn(&Value) -> bool| !items.is_empty() && items.iter().all(holds);
    let places = (0..items.len()).map(|i| Pointer::root().index(i));
    if all(|item| item.get("tools").is_some_and(Value::is_array)) {
        return Ok((places.map(|at| ListPage::of_result(document, &at)).collect(), None));
    }
    if all(|item| item.pointer("/result/tools").is_some()) {
        return Ok((places.map(|at| ListPage::of_result(document, &at.key("result"))).collect(), None));
    }
    let like_a_tool = |item: &Value| item.get("name").is_some() || item.get("inputSchema").is_some();
    if items.is_empty() || items.iter().any(like_a_tool) {
        let bare =
            ListPage { tools: Pointer::root(), next: None, hints: Map::new(), cursor: None, message_bytes: None };
        return Ok((vec![bare], Some("{tools:.}|")));
    }
    Err(format!("the file holds an array of {} items, none of which is a tool or a page", items.len()))
}

fn describe_object(root: &Value) -> String {
    if let Some(error) = root.get("error") {
        let words = error.get("message").and_then(Value::as_str).unwrap_or("no message");
        return format!("the file holds a JSON-RPC error, not a list: {}", safe::clip(words, 120));
    }
    if root.get("mcpServers").is_some() || root.get("servers").is_some() {
        return "this is a host's config; name it as a file, since its place tells the host".to_owned();
    }
    let names: Vec<&str> = root.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).take(6).collect();
    if names.is_empty() {
        return "the file holds an empty object".to_owned();
    }
    format!("the file holds an object with {}, but no `tools` array", safe::clip(&names.join(", "), 120))
}
