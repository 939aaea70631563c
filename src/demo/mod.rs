//! The bundled demonstration server: a fictitious cold-chain operator with faults on purpose.
//!
//! It lets anybody see the tool at work on a fresh machine, without a network, and gives the tests
//! a peer that speaks both eras. It is apart from everything else because it stands on the other
//! side of the wire: were it built on the auditor's types, both could share one mistake. Nothing
//! it is asked to do is ever done. Batches, which only 2025-03-26 knew, are refused.
//!
//! # Faults on purpose
//!
//! README and tests refer to this list; whatever else is found was not planned.
//!
//! | fault | where |
//! |---|---|
//! | more tools than the band of 30 to 50 | 62 tools, 40 on the first page and 22 on the second |
//! | gateway beside the flat list | `run_report`: 16 names under `report`, none of them served; `parameters` takes any object |
//! | category missing from the enum of the discovery tool | `find_tool` does not know `claims` (key `example.tarnfell/category`) |
//! | no output schema | every tool |
//! | annotations on two thirds only | 41 of 62 tools |
//! | read-only and destructive at once | `simulate_route_plan` |
//! | says it deletes, yet marked read-only | `purge_temperature_log` |
//! | searches, yet marked destructive | `search_inventory` |
//! | misspelt hint (`readonlyHint`) | `get_invoice` |
//! | the same window of time inline nine times | `create_shipment`, `update_shipment`, `split_shipment`, `create_order`, `book_collection`, `reserve_bay`, `plan_route`, `schedule_maintenance`, `request_inspection` |
//! | deprecated but still listed | `find_shipment` (names `search_shipments` instead), `get_last_reading`, `optimise_route` |
//! | no title | `find_shipment`, `get_last_reading`, `precool_trailer`, `list_carriers` |
//! | `limit` and `page_token` without description | `list_shipment_events`, `list_orders`, `list_expiring_lots`, `list_excursions`, `list_chambers` |
//! | description repeats the name | `list_carriers` |
//! | required property that a closed schema does not define | `adjust_stock`: `reason_code` |
//! | array without items | `open_claim`: `affected_lots` |
//! | enum above 50 values | `check_import_rules`: 56 under `destination` |
//! | pattern that ECMA-262 does not know | `relabel_pallet`: `new_label` opens with `(?i)` |
//! | draft-4 boolean bound | `set_chamber_setpoint`: `exclusiveMinimum` of `target_c` |
//! | dangling local reference | `amend_order_line`: `quantity` |

mod surface;

use std::io::{self, BufRead, Read as _, Write};

use serde_json::{Map, Value, json};

use surface::{LEGACY, MODERN, Surface, cacheable, discover, modern, supported};

/// Longest line that is read, without its newline. The rest of a longer one is thrown away unread.
const LINE_LIMIT: usize = 1 << 20;

/// Keys without which a modern request must be refused.
const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const UNSUPPORTED_VERSION: i64 = -32022;

/// Serves newline-delimited JSON-RPC until the input ends.
///
/// # Errors
///
/// Whatever reading or writing gives; a fault of the client is answered, not returned.
pub fn serve(mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut session = Session { surface: Surface::load()?, initialized: false };
    let mut line = Vec::new();
    loop {
        let answer = match read_line(&mut input, &mut line)? {
            Line::End => return Ok(()),
            Line::TooLong => {
                let fault = Fault::new(INVALID_REQUEST, "Line longer than 1 MiB");
                Some(fault.answer(&Value::Null))
            }
            Line::Whole => session.answer(&line),
        };
        if let Some(answer) = answer {
            let mut text = serde_json::to_vec(&answer)?;
            text.push(b'\n');
            output.write_all(&text)?;
            output.flush()?;
        }
    }
}

/// What the input gave next.
enum Line {
    Whole,
    TooLong,
    End,
}

/// Reads one line into `line`, or skips it when it is over the limit. The last line may lack its
/// newline.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Line> {
    line.clear();
    let limit = u64::try_from(LINE_LIMIT).unwrap_or(u64::MAX);
    // One byte more than a line may hold: room for its newline, or the proof that it is too long.
    let read = input.by_ref().take(limit.saturating_add(1)).read_until(b'\n', line)?;
    if read == 0 {
        return Ok(Line::End);
    }
    if line.last() != Some(&b'\n') && line.len() > LINE_LIMIT {
        input.skip_until(b'\n')?;
        return Ok(Line::TooLong);
    }
    Ok(Line::Whole)
}

/// An error answer without its id.
struct Fault {
    code: i64,
    message: String,
    data: Option<Value>,
}

impl Fault {
    fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    fn params(message: impl Into<String>) -> Self {
        Self::new(INVALID_PARAMS, message)
    }

    fn answer(self, id: &Value) -> Value {
        let mut error = Map::new();
        error.insert("code".to_owned(), self.code.into());
        error.insert("message".to_owned(), self.message.into());
        if let Some(data) = self.data {
            error.insert("data".to_owned(), data);
        }
        json!({ "jsonrpc": "2.0", "id": id, "error": error })
    }
}

/// How one request wants to be answered.
#[derive(Clone, Copy)]
enum Era {
    Legacy,
    Modern,
}

/// What is remembered between two lines.
struct Session {
    surface: Surface,
    /// Whether a handshake took place. It does not shut out modern requests, which carry all they
    /// need; it only allows requests without metadata.
    initialized: bool,
}

impl Session {
    /// The answer to one line; `None` where none is due.
    fn answer(&mut self, line: &[u8]) -> Option<Value> {
        let reject = |code, text| Some(Fault::new(code, text).answer(&Value::Null));
        // A blank line is no message: some clients end their input with one.
        if line.trim_ascii().is_empty() {
            return None;
        }
        let message = match serde_json::from_slice(line) {
            Ok(Value::Object(message)) => message,
            Ok(_) => return reject(INVALID_REQUEST, "Message is not an object"),
            Err(_) => return reject(PARSE_ERROR, "Line is not JSON"),
        };
        // The server asks nothing, so an answer can only be a stray one; replying would be wrong.
        if !message.contains_key("method") && (message.contains_key("result") || message.contains_key("error")) {
            return None;
        }
        let id = match message.get("id") {
            Some(id @ (Value::String(_) | Value::Number(_))) => id,
            Some(_) => return reject(INVALID_REQUEST, "Id is neither string nor number"),
            // A notification is never answered, not even a wrong one.
            None if message.get("method").is_some_and(Value::is_string) => return None,
            None => &Value::Null,
        };
        Some(match self.request(&message) {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(fault) => fault.answer(id),
        })
    }

    /// The result of one request.
    fn request(&mut self, message: &Map<String, Value>) -> Result<Value, Fault> {
        if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return Err(Fault::new(INVALID_REQUEST, "Member jsonrpc is not \"2.0\""));
        }
        let Some(method) = message.get("method").and_then(Value::as_str) else {
            return Err(Fault::new(INVALID_REQUEST, "Method is not a string"));
        };
        let none = Map::new();
        let params = match message.get("params") {
            None => &none,
            Some(Value::Object(params)) => params,
            Some(_) => return Err(Fault::params("Params is not an object")),
        };
        if method == "initialize" {
            return self.initialize(params);
        }
        // Before the metadata, so that an unknown method is called one whatever it carries.
        if !matches!(method, "ping" | "server/discover" | "tools/list" | "tools/call") {
            return Err(unknown_method());
        }
        let era = self.era(method, params)?;
        match (era, method) {
            (Era::Legacy, "ping") => Ok(json!({})),
            (Era::Modern, "server/discover") => Ok(discover()),
            (_, "tools/list") => self.list(era, params),
            (_, "tools/call") => self.call(era, params),
            _ => Err(unknown_method()),
        }
    }

    /// Opens a legacy session. An unknown revision is answered with our newest, as the lifecycle
    /// page asks, and not with an error.
    fn initialize(&mut self, params: &Map<String, Value>) -> Result<Value, Fault> {
        let Some(requested) = params.get("protocolVersion").and_then(Value::as_str) else {
            return Err(Fault::params("Member protocolVersion is missing"));
        };
        let [newest, ..] = LEGACY;
        let version = LEGACY.into_iter().find(|known| *known == requested).unwrap_or(newest);
        self.initialized = true;
        Ok(json!({
            "protocolVersion": version,
            "capabilities": surface::capabilities(),
            "serverInfo": surface::server_info(),
            "instructions": surface::INSTRUCTIONS,
        }))
    }

    /// Decides by the request alone where it can, and by the handshake where it cannot.
    fn era(&self, method: &str, params: &Map<String, Value>) -> Result<Era, Fault> {
        let meta = params.get("_meta").and_then(Value::as_object);
        let version = meta.and_then(|meta| meta.get(META_VERSION));
        let capabilities = meta.and_then(|meta| meta.get(META_CAPABILITIES));
        if version.is_none() && capabilities.is_none() {
            let legacy = match method {
                // Allowed even before the handshake.
                "ping" => true,
                "server/discover" => false,
                _ => self.initialized,
            };
            if legacy {
                return Ok(Era::Legacy);
            }
        }
        let (Some(Value::String(version)), Some(Value::Object(_))) = (version, capabilities) else {
            return Err(Fault::params(format!(
                "Missing or wrong _meta: {META_VERSION} and {META_CAPABILITIES} are required"
            )));
        };
        if version == MODERN {
            return Ok(Era::Modern);
        }
        Err(Fault {
            code: UNSUPPORTED_VERSION,
            message: "Unsupported protocol version".to_owned(),
            data: Some(json!({ "supported": supported(), "requested": version })),
        })
    }

    /// One page of tools.
    fn list(&self, era: Era, params: &Map<String, Value>) -> Result<Value, Fault> {
        let page = match params.get("cursor") {
            None => self.surface.page(None),
            Some(Value::String(cursor)) => self.surface.page(Some(cursor)),
            Some(_) => None,
        };
        let Some((tools, next)) = page else {
            return Err(Fault::params("Invalid cursor"));
        };
        let mut result = Map::new();
        result.insert("tools".to_owned(), tools.into());
        if let Some(next) = next {
            result.insert("nextCursor".to_owned(), next.into());
        }
        Ok(match era {
            Era::Legacy => Value::Object(result),
            Era::Modern => modern(cacheable(result)),
        })
    }

    /// Names the tool and does nothing.
    fn call(&self, era: Era, params: &Map<String, Value>) -> Result<Value, Fault> {
        let Some(name) = params.get("name").and_then(Value::as_str) else {
            return Err(Fault::params("Member name is missing"));
        };
        if params.get("arguments").is_some_and(|it| !it.is_object()) {
            return Err(Fault::params("Arguments is not an object"));
        }
        if !self.surface.has(name) {
            let shown: String = name.chars().take(64).collect();
            return Err(Fault::params(format!("Unknown tool: {shown}")));
        }
        let text = format!("This is a demonstration: {name} exists, but does nothing.");
        let mut result = Map::new();
        result.insert("content".to_owned(), json!([{ "type": "text", "text": text }]));
        Ok(match era {
            Era::Legacy => Value::Object(result),
            Era::Modern => modern(result),
        })
    }
}

fn unknown_method() -> Fault {
    Fault::new(METHOD_NOT_FOUND, "Method not found")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;

    fn talk(input: &str) -> Vec<Value> {
        let mut output = Vec::new();
        serve(input.as_bytes(), &mut output).expect("memory does not fail");
        String::from_utf8(output)
            .expect("the server writes UTF-8")
            .lines()
            .map(|line| serde_json::from_str(line).expect("the server writes JSON"))
            .collect()
    }

    fn request(method: &str, params: &Value) -> String {
        json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }).to_string()
    }

    fn modern_params(version: &str) -> Value {
        json!({ "_meta": { META_VERSION: version, META_CAPABILITIES: {} } })
    }

    fn modern_list(cursor: &str) -> String {
        let mut params = modern_params(MODERN);
        params["cursor"] = cursor.into();
        request("tools/list", &params)
    }

    fn code(answer: &Value) -> Option<i64> {
        answer.pointer("/error/code").and_then(Value::as_i64)
    }

    /// The two pages in one list, compact.
    fn merged(answers: &[Value]) -> String {
        let tools: Vec<&Value> =
            answers.iter().flat_map(|answer| answer["result"]["tools"].as_array().expect("a page")).collect();
        json!({ "tools": tools }).to_string()
    }

    #[test]
    fn both_eras_list_the_same_bytes_on_one_process() {
        let input = [
            HELLO.to_owned(),
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#.to_owned(),
            request("tools/list", &json!({ "cursor": surface::SECOND_PAGE })),
            request("server/discover", &modern_params(MODERN)),
            request("tools/list", &modern_params(MODERN)),
            modern_list(surface::SECOND_PAGE),
        ];
        let answers = talk(&input.join("\n"));
        let [hello, one, two, discover, three, four] = answers.as_slice() else {
            panic!("the notification alone has no answer: {answers:?}");
        };
        assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
        assert_eq!(discover["result"]["supportedVersions"][0], MODERN);
        let server = "io.modelcontextprotocol/serverInfo";
        for page in [discover, three, four] {
            assert_eq!(page["result"]["resultType"], "complete");
            assert_eq!(page["result"]["cacheScope"], "public");
            assert!(page["result"]["ttlMs"].is_u64());
            assert_eq!(page["result"]["_meta"][server], surface::server_info());
        }
        for (first, last) in [(one, two), (three, four)] {
            assert_eq!(first["result"]["nextCursor"], surface::SECOND_PAGE);
            assert_eq!(last["result"].get("nextCursor"), None);
        }
        let lines: Vec<&str> = include_str!("tools.jsonl").lines().collect();
        let expected = format!("{{\"tools\":[{}]}}", lines.join(","));
        assert_eq!(merged(&[one.clone(), two.clone()]), expected);
        assert_eq!(merged(&[three.clone(), four.clone()]), expected);
    }

    #[test]
    fn faults_of_the_client_are_answered() {
        let call = |name: &str| request("tools/call", &json!({ "name": name }));
        let cases = [
            (request("tools/list", &json!({ "cursor": "x" })), -32602),
            (request("tools/list", &json!({ "cursor": null })), -32602),
            (modern_list("x"), -32602),
            (call("no_such_tool"), -32602),
            (request("resources/list", &json!({})), -32601),
            (request("ping", &modern_params(MODERN)), -32601),
            (request("server/discover", &json!({})), -32602),
            (request("tools/list", &modern_params("1999-01-01")), -32022),
            (request("ping", &json!([])), -32602),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#.to_owned(), -32600),
            (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#.to_owned(), -32600),
            (r#"{"jsonrpc":"2.0","id":1}"#.to_owned(), -32600),
            ("[]".to_owned(), -32600),
            ("{".to_owned(), -32700),
        ];
        for (line, expected) in cases {
            let answers = talk(&format!("{HELLO}\n{line}\n"));
            assert_eq!(code(answers.last().unwrap()), Some(expected), "{line}");
        }
        let refused = talk(&request("tools/list", &json!({})));
        assert_eq!(code(&refused[0]), Some(-32602), "neither handshake nor metadata");
        let version = talk(&request("tools/list", &modern_params("1999-01-01")));
        assert_eq!(version[0]["error"]["data"]["requested"], "1999-01-01");
        assert_eq!(version[0]["error"]["data"]["supported"], json!(supported()));
    }

    #[test]
    fn ping_call_and_unknown_revision_have_results() {
        assert_eq!(talk(&request("ping", &json!({})))[0]["result"], json!({}));
        let newest = talk(&HELLO.replace("2025-06-18", "2099-01-01"));
        assert_eq!(newest[0]["result"]["protocolVersion"], "2025-11-25");
        let mut params = modern_params(MODERN);
        params["name"] = "move_pallet".into();
        let called = talk(&request("tools/call", &params));
        assert_eq!(called[0]["result"]["content"][0]["type"], "text");
    }

    #[test]
    fn a_long_line_is_skipped_and_a_full_one_is_not() {
        let ping = request("ping", &json!({}));
        let full = ping.clone() + &" ".repeat(LINE_LIMIT - ping.len());
        let long = full.clone() + " ";
        let answers = talk(&format!("{full}\n{long}\n{}\n\n{ping}", "x".repeat(3 << 20)));
        let codes: Vec<_> = answers.iter().map(code).collect();
        assert_eq!(codes, [None, Some(-32600), Some(-32600), None]);
        assert_eq!(answers[1]["id"], Value::Null);
    }
}
