//! What the demonstration server shows: its tools, its name, its instructions, and how it signs
//! and dates them for a modern client.
//!
//! Apart from the serving loop because it is content, not behaviour: whoever changes a tool here
//! changes what the README and the tests say about the demo, and nothing of how it is served.

use std::io;

use serde_json::{Map, Value, json};

/// The revision with per-request metadata.
pub(crate) const MODERN: &str = "2026-07-28";

/// Revisions with a handshake, newest first.
pub(crate) const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// What a client is told once, in either era.
pub(crate) const INSTRUCTIONS: &str = "Tarnfell Depot runs the cold stores and trucks of Tarnfell \
    Cold Chain. Amounts are in sales units, temperatures in degrees Celsius and times in RFC 3339. \
    Monthly figures are reports and not tools of their own: ask `find_tool` for their names and \
    parameters, then fetch the rows with `run_report`.";

/// Text that stands for the second page; clients must not look into it.
pub(crate) const SECOND_PAGE: &str = "dGFybmZlbGwvdG9vbHMvMg";

/// Where a modern result names its server.
const META_SERVER: &str = "io.modelcontextprotocol/serverInfo";

/// Milliseconds for which a modern client may keep a list: the embedded surface never changes.
const TTL_MS: u64 = 3_600_000;

/// A page holds so many tools; two pages hold them all.
const PAGE: usize = 40;

/// One tool per line, in the very text that goes out.
const TOOLS: &str = include_str!("tools.jsonl");

/// The tools of the fictitious service, as they are listed.
pub(crate) struct Surface {
    first: Vec<Value>,
    second: Vec<Value>,
}

impl Surface {
    /// Reads the embedded tools. A broken line is an error, so that none can go missing unseen.
    pub(crate) fn load() -> io::Result<Self> {
        let mut first = TOOLS.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>()?;
        let second = first.split_off(PAGE.min(first.len()));
        Ok(Self { first, second })
    }

    /// The tools on the page of `cursor` and the cursor of the next page; `None` for a cursor
    /// that this server never gave out.
    pub(crate) fn page(&self, cursor: Option<&str>) -> Option<(&[Value], Option<&'static str>)> {
        match cursor {
            None => Some((&self.first, Some(SECOND_PAGE))),
            Some(SECOND_PAGE) => Some((&self.second, None)),
            Some(_) => None,
        }
    }

    /// Whether a tool of this name is listed.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.first.iter().chain(&self.second).any(|tool| tool.get("name").and_then(Value::as_str) == Some(name))
    }
}

/// Every revision of both eras, newest first.
pub(crate) fn supported() -> Vec<&'static str> {
    std::iter::once(MODERN).chain(LEGACY).collect()
}

/// The server's own name and version. The version is that of the story, not of this crate, so
/// that a release does not change the figures measured on the demo.
pub(crate) fn server_info() -> Value {
    json!({ "name": "tarnfell-depot", "title": "Tarnfell Depot", "version": "4.2.0" })
}

/// Tools only, from a list that never changes.
pub(crate) fn capabilities() -> Value {
    json!({ "tools": {} })
}

/// The whole answer to `server/discover`.
pub(crate) fn discover() -> Value {
    let mut result = Map::new();
    result.insert("supportedVersions".to_owned(), supported().into());
    result.insert("capabilities".to_owned(), capabilities());
    result.insert("instructions".to_owned(), INSTRUCTIONS.into());
    modern(cacheable(result))
}

/// Adds what a modern client needs to keep the result.
pub(crate) fn cacheable(mut result: Map<String, Value>) -> Map<String, Value> {
    result.insert("ttlMs".to_owned(), TTL_MS.into());
    result.insert("cacheScope".to_owned(), "public".into());
    result
}

/// Adds what every modern result carries.
pub(crate) fn modern(body: Map<String, Value>) -> Value {
    let mut result = Map::new();
    result.insert("resultType".to_owned(), "complete".into());
    result.extend(body);
    result.insert("_meta".to_owned(), json!({ META_SERVER: server_info() }));
    Value::Object(result)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_counts_in_the_list_of_faults_hold() {
        let surface = Surface::load().unwrap();
        assert_eq!((surface.first.len(), surface.second.len()), (40, 22));
        let all: Vec<&Value> = surface.first.iter().chain(&surface.second).collect();
        let having = |key: &str| all.iter().filter(|tool| tool.get(key).is_some()).count();
        assert_eq!(having("annotations"), 41);
        assert_eq!(having("title"), 58);
        assert_eq!(having("outputSchema"), 0);
        let used: BTreeSet<&str> =
            all.iter().filter_map(|tool| tool.pointer("/_meta/example.tarnfell~1category")?.as_str()).collect();
        let known: BTreeSet<&str> = all
            .iter()
            .filter(|tool| tool["name"] == "find_tool")
            .filter_map(|tool| tool.pointer("/inputSchema/properties/category/enum")?.as_array())
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        assert!(used.symmetric_difference(&known).eq(&["claims"]));
    }
}
