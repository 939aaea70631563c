//! What the rules of calls, probes and HTTP say of single exchanges: near the border on both sides.

#![allow(clippy::needless_pass_by_value, reason = "a tape is read more easily without borrows")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, and clippy knows test functions only, not what they call"
)]

use serde_json::{Map, Value, json};
use toolsurface::finding::Finding;
use toolsurface::rule::{Example, RuleSet};

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CLIENT: &str = "io.modelcontextprotocol/clientInfo";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const ENDPOINT: &str = "http://127.0.0.1:3000/mcp";

/// A tape over HTTP that is being made.
#[derive(Default)]
struct Tape {
    lines: Vec<String>,
    n: u64,
}

impl Tape {
    /// A modern server that names these versions and lists one tool.
    fn modern(versions: &[&str]) -> Self {
        let discovered = json!({ "resultType": "complete", "supportedVersions": versions,
            "capabilities": { "tools": {} }, "ttlMs": 1, "cacheScope": "public" });
        let listed = json!({ "resultType": "complete", "tools": [tool()], "ttlMs": 1, "cacheScope": "public" });
        Self::default().ask("server/discover", meta(), &[], 200, result(discovered)).ask(
            "tools/list",
            meta(),
            &[],
            200,
            result(listed),
        )
    }

    fn legacy(revision: &str) -> Self {
        let opened = json!({ "protocolVersion": revision, "capabilities": { "tools": {} },
            "serverInfo": { "name": "s", "version": "1" } });
        let hello = json!({ "protocolVersion": revision, "capabilities": {} });
        let tape = Self::default().ask("initialize", hello, &[], 200, result(opened));
        tape.ask("tools/list", json!({}), &[], 200, result(json!({ "tools": [tool()] })))
    }

    /// A request with the headers that its body calls for, but for these, and its answer.
    fn ask(self, method: &str, params: Value, headers: &[(&str, Option<&str>)], status: u16, answer: Value) -> Self {
        let mut sent = vec![];
        if let Some(version) = params["_meta"][VERSION].as_str() {
            sent.push(("MCP-Protocol-Version", Some(version.to_owned())));
            sent.push(("Mcp-Method", Some(method.to_owned())));
            sent.extend(params["name"].as_str().map(|name| ("Mcp-Name", Some(name.to_owned()))));
        }
        for (name, value) in headers {
            sent.retain(|(known, _)| known != name);
            sent.push((name, value.map(str::to_owned)));
        }
        let id = self.n + 1;
        let mut message = json!({ "jsonrpc": "2.0", "id": id });
        let body = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        message.as_object_mut().unwrap().extend(answer.as_object().cloned().unwrap_or_default());
        let text = if answer.is_null() { String::new() } else { message.to_string() };
        self.http("POST", &sent, Some(&body), status, "application/json", &text)
    }

    fn http(
        mut self,
        method: &str,
        headers: &[(&str, Option<String>)],
        body: Option<&Value>,
        status: u16,
        kind: &str,
        text: &str,
    ) -> Self {
        self.n += 1;
        let sent: Vec<(&str, &String)> =
            headers.iter().filter_map(|(name, value)| Some((*name, value.as_ref()?))).collect();
        let mut ask = json!({ "ask": self.n, "method": method, "url": ENDPOINT, "headers": sent });
        if let Some(body) = body {
            ask["body"] = body.to_string().into();
        }
        self.lines.push(ask.to_string());
        self.lines.push(json!({ "head": self.n, "status": status, "headers": [["content-type", kind]] }).to_string());
        if !text.is_empty() {
            self.lines.push(json!({ "part": self.n, "text": text }).to_string());
        }
        self.lines.push(json!({ "end": self.n }).to_string());
        self
    }

    fn get(self, status: u16) -> Self {
        self.http("GET", &[], None, status, "text/event-stream", "")
    }

    /// The findings of one rule: severity and facts.
    fn said(self, rule: &str) -> Vec<(&'static str, Map<String, Value>)> {
        let own = findings(self.lines.join("\n")).into_iter().filter(|finding| finding.rule == rule);
        own.map(|finding| (finding.severity.as_str(), finding.facts)).collect()
    }

    /// What one rule found, by the fact of this name.
    fn found(self, rule: &str, fact: &str) -> Vec<String> {
        self.said(rule).into_iter().map(|(_, facts)| facts[fact].as_str().unwrap().to_owned()).collect()
    }
}

fn findings(text: String) -> Vec<Finding> {
    let rules = RuleSet::shipped().unwrap_or_else(|trouble| panic!("{trouble}"));
    let example = Example { bad: true, language: "jsonl".to_owned(), text, config: None };
    let outcome = toolsurface::example(&example, &rules).unwrap_or_else(|trouble| panic!("{trouble}"));
    outcome.counted().cloned().collect()
}

fn tool() -> Value {
    json!({ "name": "list_ferries", "inputSchema": { "type": "object", "properties": { "pier": { "type": "string" } } } })
}

fn result(result: Value) -> Value {
    json!({ "result": result })
}

fn error(code: i64) -> Value {
    json!({ "error": { "code": code, "message": "no" } })
}

fn meta() -> Value {
    json!({ "_meta": { VERSION: "2026-07-28", CLIENT: { "name": "t", "version": "1" }, CAPABILITIES: {} } })
}

/// The metadata without some keys.
fn lacking(keys: &[&str]) -> Value {
    let mut params = meta();
    params["_meta"].as_object_mut().unwrap().retain(|key, _| !keys.contains(&key.as_str()));
    params
}

fn modern() -> Tape {
    Tape::modern(&["2026-07-28"])
}

/// One that has refused the handshake too.
fn only_modern() -> Tape {
    modern().ask("initialize", json!({ "protocolVersion": "2025-11-25" }), &[], 400, error(-32601))
}

const DISCOVER: &str = "server/discover";

#[test]
fn headers_against_bodies() {
    const RULE: &str = "header-mismatch-misanswered";
    const V: &str = "MCP-Protocol-Version";
    let told = |tape: Tape| tape.found(RULE, "found");
    let probe = |tape: Tape, header: &'static str, value, status, answer| {
        told(tape.ask(DISCOVER, meta(), &[(header, value)], status, answer))
    };
    let served = || result(json!({ "resultType": "complete" }));
    let nothing: [String; 0] = [];
    assert_eq!(probe(modern(), "Mcp-Method", Some("tools/list"), 200, served()), ["a result"]);
    assert_eq!(probe(modern(), "Mcp-Method", None, 200, error(-32020)), ["HTTP 200 and error -32020"]);
    assert_eq!(probe(modern(), "Mcp-Method", None, 400, Value::Null), ["HTTP 400 and no JSON-RPC message"]);
    assert_eq!(probe(modern(), "Mcp-Method", None, 400, error(-32020)), nothing);
    // Somebody else turned it away.
    assert_eq!(probe(modern(), "Mcp-Method", None, 503, Value::Null), nothing);
    // A version that is missing, or an older one, makes a legacy request for a server that speaks both.
    assert_eq!(probe(modern(), V, None, 200, served()), nothing);
    assert_eq!(probe(only_modern(), V, None, 200, served()), ["a result"]);
    assert_eq!(probe(modern(), V, Some("2025-11-25"), 400, error(-32600)), nothing);
    assert_eq!(probe(only_modern(), V, Some("2025-11-25"), 400, error(-32600)), ["HTTP 400 and error -32600"]);
    assert_eq!(probe(only_modern(), V, Some("2025-11-25"), 400, error(-32022)), nothing);
    assert_eq!(probe(modern(), V, Some("2025-11-25"), 200, served()), ["a result"]);
    // A name that is encoded is not compared, any other is.
    let mut call = meta();
    call["name"] = "list_ferries".into();
    let named = |name| told(modern().ask("tools/call", call.clone(), &[("Mcp-Name", Some(name))], 200, served()));
    assert_eq!(named("=?base64?bGlzdF9mZXJyaWVz?="), nothing);
    assert_eq!(named("LIST_FERRIES"), ["a result"]);
}

#[test]
fn versions_that_do_not_exist() {
    const RULE: &str = "unsupported-version-misanswered";
    const NONE: &str = "1999-01-01";
    let odd = |version: &str| {
        let mut params = meta();
        params["_meta"][VERSION] = version.into();
        params
    };
    let nothing: [String; 0] = [];
    let told =
        |version: &str, status, answer| modern().ask(DISCOVER, odd(version), &[], status, answer).found(RULE, "found");
    let refused = |data: Value| json!({ "error": { "code": -32022, "message": "no", "data": data } });
    let whole = json!({ "supported": ["2026-07-28"], "requested": NONE });
    assert_eq!(told(NONE, 400, refused(whole.clone())), nothing);
    assert_eq!(told(NONE, 200, refused(whole)), ["HTTP 200 and error -32022"]);
    assert_eq!(told(NONE, 400, refused(json!({ "supported": ["2026-07-28"] }))), ["error -32022 without requested"]);
    assert_eq!(told(NONE, 400, error(-32602)), ["HTTP 400 and error -32602"]);
    assert_eq!(told(NONE, 401, Value::Null), nothing);
    // One that may come out yet, or that the server names, is none of these.
    assert_eq!(told("2027-02-01", 200, result(json!({}))), nothing);
    let named = Tape::modern(&["2026-07-28", "DRAFT-2027"]);
    assert_eq!(named.ask(DISCOVER, odd("DRAFT-2027"), &[], 200, result(json!({}))).found(RULE, "found"), nothing);
    // The header of a legacy request, since 2025-06-18.
    let legacy = |revision| {
        let header = [("MCP-Protocol-Version", Some(NONE))];
        Tape::legacy(revision).ask("ping", json!({}), &header, 200, result(json!({}))).found(RULE, "expected")
    };
    assert_eq!(legacy("2025-11-25"), ["HTTP 400"]);
    assert_eq!(legacy("2025-03-26"), nothing);
    // The older transport has no such header.
    let header = [("MCP-Protocol-Version", Some(NONE))];
    let mut older = Tape::legacy("2025-11-25").ask("ping", json!({}), &header, 200, result(json!({})));
    older.lines.insert(0, json!({ "event": "connect", "sse": true }).to_string());
    assert_eq!(older.found(RULE, "found"), nothing);
}

#[test]
fn metadata_that_is_missing() {
    const RULE: &str = "meta-unchecked";
    let served = || result(json!({ "resultType": "complete" }));
    let told = |tape: Tape, keys: &[&str], status, answer| {
        tape.ask(DISCOVER, lacking(keys), &[], status, answer).found(RULE, "value")
    };
    let nothing: [String; 0] = [];
    assert_eq!(told(modern(), &[CAPABILITIES], 200, served()), ["clientCapabilities"]);
    assert_eq!(told(modern(), &[CAPABILITIES], 400, error(-32602)), nothing);
    assert_eq!(told(modern(), &[VERSION], 400, error(-32020)), nothing);
    assert_eq!(told(modern(), &[VERSION], 200, error(-32602)), ["protocolVersion"]);
    let all = [VERSION, CAPABILITIES, CLIENT];
    assert_eq!(told(modern(), &all, 200, served()), nothing);
    assert_eq!(told(only_modern(), &all, 200, served()), ["protocolVersion and clientCapabilities"]);
    // The name of the client may be left out.
    assert_eq!(told(modern(), &[CLIENT], 200, served()), nothing);
    let nameless =
        |answer| modern().ask(DISCOVER, lacking(&[CLIENT]), &[], 400, answer).said("client-info-required").len();
    assert_eq!((nameless(error(-32602)), nameless(served())), (1, 0));
}

#[test]
fn methods_that_do_not_exist() {
    const RULE: &str = "unknown-method-misanswered";
    const NOBODY: &str = "nobody_knows";
    let severities = |tape: Tape| tape.said(RULE).into_iter().map(|(severity, _)| severity).collect::<Vec<_>>();
    let new = |method: &str, status, answer| severities(modern().ask(method, meta(), &[], status, answer));
    assert_eq!(new(NOBODY, 404, error(-32601)), [""; 0]);
    assert_eq!(new(NOBODY, 200, error(-32601)), ["error"]);
    assert_eq!(new(NOBODY, 404, Value::Null), ["error"]);
    assert_eq!(new(NOBODY, 200, result(json!({}))), ["error"]);
    assert_eq!(new("ping", 200, error(-32601)), ["error"]);
    assert_eq!(new("ping", 200, result(json!({}))), ["info"]);
    assert_eq!(new("prompts/list", 200, result(json!({}))), [""; 0]);
    let old = |status, answer| severities(Tape::legacy("2025-11-25").ask(NOBODY, json!({}), &[], status, answer));
    assert_eq!(old(200, error(-32601)), [""; 0]);
    assert_eq!(old(200, error(-32600)), ["info"]);
    assert_eq!(old(200, result(json!({}))), ["error"]);
    assert_eq!(old(400, error(-32000)), [""; 0]);
    // A modern request says nothing of a server that only has a legacy session.
    let stray = Tape::legacy("2025-11-25").ask(NOBODY, meta(), &[], 200, error(-32000));
    assert_eq!(severities(stray), [""; 0]);
}

#[test]
fn leftovers_of_a_server_that_speaks_one_era() {
    const RULE: &str = "legacy-http-leftover";
    assert_eq!(only_modern().get(200).found(RULE, "value"), ["GET"]);
    assert_eq!(only_modern().get(405).found(RULE, "value"), [""; 0]);
    assert_eq!(only_modern().get(401).found(RULE, "value"), [""; 0]);
    // It may speak to older clients, even when it does not say so.
    assert_eq!(modern().get(200).found(RULE, "value"), [""; 0]);
    let opaque = |tape: Tape| tape.said("initialize-error-opaque").len();
    assert_eq!((opaque(only_modern()), opaque(modern())), (1, 0));
}

#[test]
fn a_legacy_server_has_a_stream_or_none() {
    let told = |tape: Tape| tape.found("http-get-misanswered", "found");
    let legacy = || Tape::legacy("2025-11-25");
    assert_eq!(told(legacy().get(404)), ["HTTP 404"]);
    assert_eq!(told(legacy().http("GET", &[], None, 200, "text/html", "<p>")), ["HTTP 200 and text/html"]);
    for status in [200, 401, 405, 503] {
        assert_eq!(told(legacy().get(status)), [""; 0], "{status}");
    }
    // A server with sessions may want the id first, and a session may be over.
    let mut with_sessions = legacy();
    with_sessions.lines[1] = with_sessions.lines[1].replace("[[", r#"[["mcp-session-id","7"],["#);
    assert_eq!(told(with_sessions.get(400)), [""; 0]);
    assert_eq!(told(modern().get(404)), [""; 0]);
}

#[test]
fn codes_of_a_legacy_session_are_its_own() {
    let told = |tape: Tape| tape.said("reserved-error-code").len();
    let read = |tape: Tape, params| told(tape.ask("resources/read", params, &[], 200, error(-32002)));
    assert_eq!(read(modern(), meta()), 1);
    assert_eq!(read(Tape::legacy("2025-11-25"), json!({})), 0);
    assert_eq!(read(modern(), json!({})), 0);
    // A guard before the server has codes of its own.
    assert_eq!(told(modern().ask(DISCOVER, meta(), &[("Origin", Some("https://a.example"))], 403, error(-32000))), 0);
    assert_eq!(told(modern().ask(DISCOVER, meta(), &[], 400, error(-32000))), 1);
}

#[test]
fn calls_of_tools_that_nobody_serves() {
    const RULE: &str = "unknown-tool-misanswered";
    let call = |name: &str, answer| {
        let params = json!({ "name": name, "arguments": {} });
        Tape::legacy("2025-11-25").ask("tools/call", params, &[], 200, answer).said(RULE)
    };
    let severities =
        |said: Vec<(&'static str, Map<String, Value>)>| said.into_iter().map(|(s, _)| s).collect::<Vec<_>>();
    let failed = json!({ "content": [], "isError": true });
    assert_eq!(severities(call("nobody", result(json!({ "content": [] })))), ["warn"]);
    assert_eq!(severities(call("nobody", result(failed))), ["info"]);
    assert_eq!(severities(call("nobody", error(-32601))), ["info"]);
    assert_eq!(severities(call("nobody", error(-32602))), [""; 0]);
    assert_eq!(severities(call("list_ferries", result(json!({ "content": [] })))), [""; 0]);
    // A list that goes on may serve it on its next page.
    let opened = json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": {} } });
    let page = json!({ "tools": [tool()], "nextCursor": "2" });
    let cut = Tape::default()
        .ask("initialize", json!({ "protocolVersion": "2025-11-25" }), &[], 200, result(opened))
        .ask("tools/list", json!({}), &[], 200, result(page))
        .ask("tools/call", json!({ "name": "nobody" }), &[], 200, result(json!({ "content": [] })));
    assert_eq!(severities(cut.said(RULE)), [""; 0]);
}

#[test]
fn no_value_of_a_result_is_told() {
    let secret = "s3cret-value";
    let schema =
        json!({ "type": "object", "properties": { "key": { "type": "integer" } }, "additionalProperties": false });
    let mut tool = tool();
    tool["outputSchema"] = schema;
    let opened = json!({ "protocolVersion": "2025-11-25", "capabilities": { "tools": {} } });
    let answer = json!({ "content": [{ "type": "text", "text": [secret] }, { "type": "image", "data": format!("%{secret}"),
        "mimeType": "a/b" }], "structuredContent": { "key": secret } });
    let tape = Tape::default()
        .ask("initialize", json!({ "protocolVersion": "2025-11-25" }), &[], 200, result(opened))
        .ask("tools/list", json!({}), &[], 200, result(json!({ "tools": [tool] })))
        .ask(
            "tools/call",
            json!({ "name": "list_ferries", "arguments": { "pier": secret } }),
            &[],
            200,
            result(answer),
        );
    let findings = findings(tape.lines.join("\n"));
    let found: Vec<&str> = findings.iter().map(|finding| finding.rule.as_str()).collect();
    assert!(found.contains(&"structured-content-mismatch") && found.contains(&"call-result-invalid"), "{found:?}");
    assert!(!format!("{findings:?}").contains(secret));
}
