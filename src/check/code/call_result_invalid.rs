//! Results of calls whose form breaks the schema: content, blocks of content, `isError`, structured content.

use serde_json::Value;

use super::super::{Context, Hit, fold, schema::Failure};
use crate::spec::revision::Revision;
use crate::surface::assemble::kind_of;
use crate::text::{pointer::Pointer, safe};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let revision = cx.surface.revision();
    let mut hits = Vec::new();
    for call in cx.surface.calls() {
        let Some(result) = call.done() else { continue };
        for (failure, occurrences) in fold::by_row(failures(result, revision)) {
            let found =
                failure.at.find(result).filter(|_| failure.keyword != "required").map(|value| found(value, &failure));
            let found = found.unwrap_or_else(|| "nothing".to_owned());
            let hit = Hit::tool(call.tool, failure.at).fact("found", found).fact("expected", failure.expected);
            hits.push(hit.fact("occurrences", occurrences));
        }
    }
    hits
}

/// What stands there, in a few words; never a text of the result.
fn found(value: &Value, failure: &Failure) -> String {
    match (failure.keyword.as_str(), value.as_str()) {
        ("enum", Some(kind)) => format!("type {}", safe::clip(kind, 40)),
        ("contentEncoding", _) => "another text".to_owned(),
        _ => kind_of(value).to_owned(),
    }
}

/// The faults of a result.
fn failures(result: &Value, revision: Revision) -> Vec<Failure> {
    let mut faults = Faults::default();
    let top = Pointer::root();
    if result.get("isError").is_some_and(|flag| !flag.is_boolean()) {
        faults.add(top.key("isError"), "type", "a boolean");
    }
    let is_restricted = (Revision::V2025_06_18..Revision::V2026_07_28).contains(&revision);
    if is_restricted && result.get("structuredContent").is_some_and(|content| !content.is_object()) {
        faults.add(top.key("structuredContent"), "type", "an object");
    }
    match result.get("content") {
        Some(Value::Array(blocks)) => {
            for (i, block) in blocks.iter().enumerate() {
                faults.block(block, &top.key("content").index(i), revision);
            }
        }
        Some(_) => faults.add(top.key("content"), "type", "an array"),
        None => faults.add(top.key("content"), "required", "an array"),
    }
    faults.0
}

#[derive(Default)]
struct Faults(Vec<Failure>);

impl Faults {
    fn add(&mut self, at: Pointer, keyword: &str, expected: impl Into<String>) {
        self.0.push(Failure { at, keyword: keyword.to_owned(), expected: expected.into() });
    }

    /// A block of content.
    fn block(&mut self, block: &Value, at: &Pointer, revision: Revision) {
        if !block.is_object() {
            return self.add(at.clone(), "type", "an object");
        }
        match block.get("type").and_then(Value::as_str) {
            Some("text") => self.texts(block, at, &["text"]),
            Some("image") => self.media(block, at),
            Some("audio") if revision >= Revision::V2025_03_26 => self.media(block, at),
            Some("resource_link") if revision >= Revision::V2025_06_18 => self.texts(block, at, &["uri", "name"]),
            Some("resource") => match block.get("resource") {
                Some(resource) if resource.is_object() => {
                    let at = at.key("resource");
                    self.texts(resource, &at, &["uri"]);
                    let member = if resource.get("blob").is_some() { "blob" } else { "text" };
                    self.texts(resource, &at, &[member]);
                }
                Some(_) => self.add(at.key("resource"), "type", "an object"),
                None => self.add(at.clone(), "required", "a member resource"),
            },
            Some(_) => self.add(at.key("type"), "enum", format!("a type of content of {revision}")),
            None => self.texts(block, at, &["type"]),
        }
    }

    fn media(&mut self, block: &Value, at: &Pointer) {
        self.texts(block, at, &["data", "mimeType"]);
        // Both alphabets are let pass: what matters is that it is data, not an address of it.
        let is_data = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_=\r\n".contains(&byte);
        if block.get("data").and_then(Value::as_str).is_some_and(|data| !data.bytes().all(is_data)) {
            self.add(at.key("data"), "contentEncoding", "base64");
        }
    }

    /// Members that are there and are strings.
    fn texts(&mut self, holder: &Value, at: &Pointer, names: &[&str]) {
        for name in names {
            match holder.get(name) {
                Some(Value::String(_)) => {}
                Some(_) => self.add(at.key(name), "type", "a string"),
                None => self.add(at.clone(), "required", format!("a member {name}")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Place and expectation of each fault.
    fn said(result: &Value, revision: Revision) -> Vec<String> {
        failures(result, revision).into_iter().map(|fault| format!("{}: {}", fault.at, fault.expected)).collect()
    }

    #[test]
    fn each_type_of_content() {
        for (block, fault) in [
            (json!("text"), ": an object"),
            (json!({ "text": "a" }), ": a member type"),
            (json!({ "type": "text" }), ": a member text"),
            (json!({ "type": "text", "text": { "a": 1 } }), "/text: a string"),
            (json!({ "type": "image", "data": "QUJD" }), ": a member mimeType"),
            (
                json!({ "type": "image", "data": "data:image/png;base64,QUJD", "mimeType": "image/png" }),
                "/data: base64",
            ),
            (json!({ "type": "resource", "uri": "file:///a" }), ": a member resource"),
            (json!({ "type": "resource", "resource": { "text": "a" } }), "/resource: a member uri"),
            (json!({ "type": "resource", "resource": { "uri": "a:b" } }), "/resource: a member text"),
            (json!({ "type": "resource_link", "uri": "a:b" }), ": a member name"),
            (json!({ "type": "json", "json": {} }), "/type: a type of content of 2025-11-25"),
        ] {
            let result = json!({ "content": [{ "type": "text", "text": "a" }, block] });
            assert_eq!(said(&result, Revision::V2025_11_25), [format!("/content/1{fault}")]);
        }
    }

    #[test]
    fn revisions_differ() {
        let newer = json!({ "content": [{ "type": "audio", "data": "QQ==", "mimeType": "audio/wav" },
            { "type": "resource_link", "uri": "a:b", "name": "b" }], "structuredContent": [1] });
        assert_eq!(said(&newer, Revision::V2024_11_05).len(), 2);
        assert_eq!(said(&newer, Revision::V2025_06_18), ["/structuredContent: an object"]);
        assert_eq!(said(&newer, Revision::V2026_07_28), Vec::<String>::new());
        let none = json!({ "structuredContent": {}, "isError": "false" });
        assert_eq!(said(&none, Revision::V2026_07_28), ["/isError: a boolean", "/content: an array"]);
    }
}
