//! What one server shows, as plain data: a view of the raw wire in which every node keeps its place.
//!
//! Built by [`assemble`], from a live exchange, a capture or a file alike, so that a finding on a saved list is the
//! finding on the live server.

use serde_json::Value;

use crate::finding::Incident;
use crate::spec::revision::{Era, Revision};
use crate::text::{
    json::{self, Oddity},
    pointer::Pointer,
};

pub mod asked;
pub mod assemble;
pub mod capture;
pub mod challenge;
pub mod contract;
pub mod dialogue;
pub mod exchange;
pub mod gateway;
pub mod launch;
pub mod listing;
mod reading;
pub mod refs;
pub mod schema;
pub mod scope;
pub mod wire;

/// What stands in for the name of a tool that has none.
pub const UNNAMED: &str = "(unnamed)";

/// What one server shows.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// The target's name, chosen by the user or taken from the input.
    pub target: String,
    /// The id that a config file or the settings give the server; none when nobody named it.
    pub id: Option<String>,
    /// The server that it is a launch profile of, as the settings say.
    pub profile_of: Option<String>,
    /// Name, version and title of the server, as it says.
    pub server: ServerInfo,
    /// The version that the manifest says it has, which started it.
    pub manifest_version: Option<String>,
    /// The revision that the server named, as text.
    pub negotiated: Option<String>,
    /// The revision that the user wants it judged by.
    pub judged_by: Option<Revision>,
    /// How the session opened; unknown for a bare list.
    pub era: Option<Era>,
    /// The instructions that it gives to a model.
    pub instructions: Option<String>,
    /// The capabilities that it declared.
    pub capabilities: Option<Value>,
    /// The tools of all pages in the order received.
    pub tools: Vec<Tool>,
    /// The pages of the list.
    pub pages: Vec<wire::Page>,
    /// The position in [`wire::Wire::messages`] of the request that began the list.
    pub request: Option<usize>,
    /// Further walks through the list, in the same session or another one.
    pub later: Vec<wire::Walk>,
    /// The wire, where there was one.
    pub wire: Option<wire::Wire>,
    /// Bytes of the messages that carried the list, as received; none for a bare list.
    pub message_bytes: Option<usize>,
    /// For a saved list: the `jq` program that leads from its file to a `tools/list` result.
    pub view: Option<&'static str>,
    /// What could not be read.
    pub incidents: Vec<Incident>,
    /// The tools so far, to tell a page that brings nothing new.
    known: wire::Known,
    /// How many of the tools `known` holds.
    remembered: usize,
}

/// What a server calls itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerInfo {
    /// `serverInfo.name`.
    pub name: Option<String>,
    /// `serverInfo.version`.
    pub version: Option<String>,
}

/// One tool as received.
#[derive(Clone, Debug)]
pub struct Tool {
    /// The tool object.
    pub value: Value,
    /// Its compact JSON, numbers as written.
    pub text: String,
    /// What was bent to read it, pointers into the tool.
    pub oddities: Vec<Oddity>,
    /// Numbers whose text serde_json would change, pointers into the tool.
    pub exact: Vec<(Pointer, String)>,
    /// The page it stood on, from 0.
    pub page: usize,
}

impl Surface {
    /// The revision whose rules hold: the one that the user wants, else the negotiated one, else the newest
    /// of the era.
    pub fn revision(&self) -> Revision {
        let negotiated = || self.negotiated.as_deref().and_then(Revision::in_force);
        let newest = if self.era == Some(Era::Legacy) { Revision::NEWEST_LEGACY } else { Revision::NEWEST };
        self.judged_by.or_else(negotiated).unwrap_or(newest)
    }

    /// The starts of the process that led to an open session; none over HTTP.
    pub fn starts(&self) -> Vec<launch::Start> {
        self.wire.iter().flat_map(wire::Wire::starts).collect()
    }

    /// Whether the list was asked for as the modern era asks, so that its answer must hold all that this era wants.
    pub fn is_modern_list(&self) -> bool {
        let request = self.request.and_then(|request| self.wire.as_ref()?.messages.get(request));
        request.is_some_and(wire::Message::names_revision)
    }

    /// Every value of a hint, with the method whose result holds it: of the pages, and of `server/discover`.
    pub fn hints(&self, name: &str) -> impl Iterator<Item = (&str, &Value)> {
        let listed = self.pages.iter().filter_map(move |page| Some(("tools/list", page.hints.get(name)?)));
        let results = self.wire.iter().flat_map(wire::Wire::modern_results);
        let discovered = results.filter(|(request, _)| request.method.as_deref() == Some("server/discover"));
        let discovered = discovered.filter_map(move |(_, result)| Some(("server/discover", result.member(name)?)));
        listed.chain(discovered)
    }

    /// The text whose size is the payload: compact JSON of `{"tools":[…]}`, all pages merged, in the order received.
    pub fn payload(&self) -> String {
        wrapped(self.tools.iter().map(|tool| tool.text.as_str()))
    }
}

/// The compact JSON of `{"tools":[…]}` with these tools.
pub fn wrapped<'t>(tools: impl Iterator<Item = &'t str> + Clone) -> String {
    let size = tools.clone().map(|text| text.len() + 1).sum::<usize>() + OPEN.len() + CLOSE.len();
    let mut text = String::with_capacity(size);
    text.push_str(OPEN);
    for (n, tool) in tools.enumerate() {
        text.push_str(if n > 0 { "," } else { "" });
        text.push_str(tool);
    }
    text.push_str(CLOSE);
    text
}

/// The bare array inside a [`wrapped`] text.
pub fn bare(wrapped: &str) -> &str {
    wrapped.get(OPEN.len() - 1..wrapped.len() - CLOSE.len() + 1).unwrap_or_default()
}

/// What stands around the tools of a payload.
const OPEN: &str = "{\"tools\":[";
const CLOSE: &str = "]}";

impl Tool {
    /// The name, when it is a string.
    pub fn name(&self) -> Option<&str> {
        self.value.get("name").and_then(Value::as_str)
    }

    /// The name, or a stand-in for a tool without one.
    pub fn label(&self) -> &str {
        self.name().unwrap_or(UNNAMED)
    }

    /// The description, when it is a string.
    pub fn description(&self) -> Option<&str> {
        self.value.get("description").and_then(Value::as_str)
    }

    /// The title that hosts show: `title`, else `annotations.title`.
    pub fn title(&self) -> Option<&str> {
        let own = self.value.get("title").and_then(Value::as_str);
        own.or_else(|| self.value.pointer("/annotations/title").and_then(Value::as_str))
    }

    /// The input schema, whatever it is.
    pub fn input_schema(&self) -> Option<&Value> {
        self.value.get("inputSchema")
    }

    /// The output schema, whatever it is.
    pub fn output_schema(&self) -> Option<&Value> {
        self.value.get("outputSchema")
    }

    /// A hint's value under `annotations`, when it is a boolean.
    pub fn hint(&self, name: &str) -> Option<bool> {
        self.value.get("annotations")?.get(name)?.as_bool()
    }

    /// The compact JSON of one member's value, numbers as written; none when the member is absent.
    pub fn member_text(&self, name: &str) -> Option<String> {
        let value = self.value.get(name)?;
        let place = Pointer::root().key(name);
        let exact: Vec<(Pointer, String)> =
            self.exact.iter().filter_map(|(at, text)| Some((at.below(&place)?, text.clone()))).collect();
        Some(json::compact(value, &exact))
    }

    /// The compact JSON of what a model usually sees of a tool: name, description and input schema.
    pub fn visible_text(&self) -> String {
        let members: Vec<String> = ["name", "description", "inputSchema"]
            .into_iter()
            .filter_map(|name| Some(format!("\"{name}\":{}", self.member_text(name)?)))
            .collect();
        format!("{{{}}}", members.join(","))
    }
}
