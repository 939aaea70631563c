//! What is too much to be held against its schema is told, and never passes as checked.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests fail by panicking")]

mod common;

use common::Place;
use serde_json::{Value, json};

/// A capture of one call of a tool with this output schema, and of its result.
fn call(schema: &Value, content: &Value) -> String {
    let tool = json!({ "name": "peek", "inputSchema": { "type": "object" }, "outputSchema": schema });
    let info = json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": {} },
        "serverInfo": { "name": "s", "version": "1" } });
    let result = json!({ "content": [{ "type": "text", "text": "{}" }], "structuredContent": content });
    let steps = [
        ("initialize", json!({ "protocolVersion": "2025-11-25" }), info),
        ("tools/list", json!({}), json!({ "tools": [tool] })),
        ("tools/call", json!({ "name": "peek", "arguments": {} }), result),
    ];
    let mut lines = Vec::new();
    for (id, (method, params, result)) in steps.into_iter().enumerate() {
        let asked = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result });
        lines.push(json!({ "out": asked.to_string() }).to_string());
        lines.push(json!({ "in": answer.to_string() }).to_string());
    }
    lines.join("\n")
}

/// Places of the findings of the rule, and what its incidents say, with these settings.
fn told(schema: &Value, content: &Value, settings: &str) -> (Vec<String>, Vec<String>) {
    let place = Place::with(&[("call.jsonl", &call(schema, content)), ("toolsurface.toml", settings)]);
    let ran = place.run(&["audit", "call.jsonl", "--format", "json"]);
    let findings = ran.findings().into_iter().filter(|finding| finding["rule"] == "structured-content-mismatch");
    let places = findings.map(|finding| finding["at"].as_str().unwrap_or("?").to_owned()).collect();
    let target = ran.target();
    let causes = target["incidents"].as_array().into_iter().flatten();
    let causes: Vec<String> = causes.map(|incident| incident["cause"].as_str().unwrap_or("?").to_owned()).collect();
    assert_eq!(ran.code == 3, !causes.is_empty(), "{}", ran.out);
    (places, causes)
}

/// The findings and incidents of a result that is too large for one of the bounds.
fn too_large(schema: &Value, content: &Value) -> (Vec<String>, Vec<String>) {
    told(schema, content, "")
}

const TOO_LONG: &str =
    "`structured-content-mismatch` did not see all of `peek`: to hold a value against its schema takes too long";
const TOO_MANY: &str = "`structured-content-mismatch` did not see all of `peek`: a result may break its output schema in more places than can be listed";

#[test]
fn a_large_result_is_told_all_the_same() {
    let rows = json!({ "type": "object", "properties": { "rows": { "items": { "type": "string" } } } });
    let wrong = json!({ "rows": vec![1; 20_000] });
    assert_eq!(too_large(&rows, &wrong), (vec!["/structuredContent/rows/0".to_owned()], Vec::new()));
    let larger = json!({ "rows": vec![1; 600_000] });
    assert_eq!(too_large(&rows, &larger), (vec!["/structuredContent/rows/0".to_owned()], vec![TOO_MANY.to_owned()]));
    let right = json!({ "rows": vec!["a"; 600_000] });
    assert_eq!(too_large(&rows, &right), (Vec::new(), Vec::new()));
}

#[test]
fn branches_that_would_copy_a_result_tell_that_it_is_wrong() {
    let branch = |n: usize| json!({ "properties": { "kind": { "const": n } }, "unevaluatedProperties": false });
    let schema = json!({ "type": "object", "oneOf": (0..2_000).map(branch).collect::<Vec<_>>() });
    let content = json!({ "kind": "x", "rows": (0..3_000).collect::<Vec<_>>() });
    let (places, causes) = too_large(&schema, &content);
    assert_eq!(places, ["/structuredContent"]);
    assert_eq!(causes, [TOO_MANY]);
}

#[test]
fn what_takes_too_long_is_an_incident_unless_its_rule_is_off() {
    let values: Vec<Value> = (0..30_000).map(|n| json!([n])).collect();
    let schema = json!({ "type": "object", "properties": { "rows": { "items": { "enum": values } } } });
    let content = json!({ "rows": (0..30_000).map(|n| json!([-n])).collect::<Vec<_>>() });
    assert_eq!(too_large(&schema, &content), (Vec::new(), vec![TOO_LONG.to_owned()]));
    let off = "[severity]\nstructured-content-mismatch = \"off\"\n";
    assert_eq!(told(&schema, &content, off), (Vec::new(), Vec::new()));
}

#[test]
fn a_pattern_that_is_too_large_is_told() {
    let schema = json!({ "type": "object", "properties": {
        "a": { "type": "string", "pattern": "((a{1000}){1000}){1000}" }, "b": { "type": "string" } } });
    let (places, causes) = too_large(&schema, &json!({ "a": "x", "b": 1 }));
    assert_eq!(places, ["/structuredContent/b"]);
    assert_eq!(
        causes,
        ["`structured-content-mismatch` did not see all of `peek`: a pattern is too large to be compiled"]
    );
}
