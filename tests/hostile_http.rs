//! Servers over HTTP that do what no server should: each test states its bound in seconds, and in bytes where it
//! matters. The program itself is run, as a user would run it.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests fail by panicking")]

#[path = "hostile/secrets.rs"]
mod secrets;
#[path = "servers/http.rs"]
mod servers;

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use servers::{Audit, Call, IMPATIENT, JSON, PATIENT, Web, audit, hold, reply, say, serve, serve_tls, stream};

/// Megabytes that the program may ever hold, floods of 300 MB included.
const MEGABYTES: u64 = 200;

fn patiently(web: &Web, seconds: u64) -> Audit {
    audit(&web.url, &PATIENT, &[], seconds)
}

fn impatiently(web: &Web, seconds: u64) -> Audit {
    audit(&web.url, &IMPATIENT, &[], seconds)
}

/// A server that answers `tools/list` with these bytes, head and all.
fn listing(bytes: impl AsRef<[u8]>) -> Web {
    let bytes = bytes.as_ref().to_vec();
    serve(move |call, stream| {
        call.method() == "tools/list" && {
            say(stream, &bytes);
            true
        }
    })
}

/// A server that answers everything with these bytes, head and all.
fn saying(bytes: impl AsRef<[u8]>) -> Web {
    let bytes = bytes.as_ref().to_vec();
    serve(move |_, stream| {
        say(stream, &bytes);
        true
    })
}

#[test]
fn a_polite_server_is_audited_20_seconds() {
    let web = serve(|_, _| false);
    patiently(&web, 20).whole(1);
    let methods = ["server/discover", "initialize", "notifications/initialized", "tools/list"];
    assert_eq!(web.methods(), methods);
    let calls = web.calls();
    assert_eq!(calls.last().unwrap().line, "DELETE /mcp");
    for call in &calls[2..] {
        assert_eq!(call.header("mcp-session-id"), Some("s-1"), "{call:?}");
        assert_eq!(call.header("mcp-protocol-version"), Some("2025-11-25"), "{call:?}");
    }
}

// --- Silence ---

#[test]
fn never_answers_10_seconds() {
    impatiently(&serve(|_, stream| hold(stream)), 10).fails(&["did not answer", "within 2 s"]);
}

#[test]
fn never_answers_the_list_10_seconds() {
    let web = serve(|call, stream| call.method() == "tools/list" && hold(stream));
    impatiently(&web, 10).fails(&["`tools/list`", "within 1 s", "--request-timeout"]);
}

#[test]
fn drips_10_seconds() {
    let web = serve(|call, stream| {
        call.method() == "tools/list" && {
            say(stream, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n");
            while say(stream, " ") {
                thread::sleep(Duration::from_millis(50));
            }
            true
        }
    });
    impatiently(&web, 10).fails(&["`tools/list`", "1 s"]);
}

#[test]
fn sends_notifications_and_no_answer_10_seconds() {
    for noise in [
        ": alive\n\n",
        "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\n",
        "data:\n\n",
    ] {
        let web = serve(move |call, events| {
            call.method() == "tools/list" && {
                stream(events);
                while say(events, noise) {
                    thread::sleep(Duration::from_millis(20));
                }
                true
            }
        });
        impatiently(&web, 10).fails(&["did not answer `tools/list`", "1 s"]);
    }
}

#[test]
fn never_takes_a_message_without_an_answer_10_seconds() {
    let web = serve(|call, stream| (call.message["id"].is_null() && !call.message.is_null()) && hold(stream));
    impatiently(&web, 10).whole(1);
    let web = serve(|call, stream| call.line.starts_with("DELETE") && hold(stream));
    impatiently(&web, 10).whole(1);
}

#[test]
fn asks_back_and_never_takes_the_answer_10_seconds() {
    let web = serve(|call, events| {
        if call.method() == "tools/list" {
            stream(events);
            for id in 0..100 {
                say(events, format!("data: {{\"jsonrpc\":\"2.0\",\"id\":\"p{id}\",\"method\":\"ping\"}}\n\n"));
            }
            return say(events, format!("data: {}\n\n", call.tools("")));
        }
        call.method().is_empty() && call.line.starts_with("POST") && hold(events)
    });
    impatiently(&web, 10).whole(1);
}

#[test]
fn wants_one_to_come_back_for_ever_10_seconds() {
    for retry in [0, 100, 99_999_999] {
        let web = serve(move |call, events| {
            (call.method() == "tools/list" || call.line.starts_with("GET")) && {
                stream(events);
                say(events, format!("id: 1\nretry: {retry}\ndata:\n\n"))
            }
        });
        impatiently(&web, 10).fails(&["`tools/list`"]);
        assert!(web.calls().len() < 20, "{}", web.calls().len());
    }
}

#[test]
fn brings_its_answer_when_one_comes_back_20_seconds() {
    let web = serve(|call, events| {
        if call.method() == "tools/list" {
            stream(events);
            return say(events, format!("id: {}\nretry: 10\ndata:\n\n", call.id()));
        }
        call.line.starts_with("GET") && {
            stream(events);
            let id = call.header("last-event-id").unwrap();
            let tool = r#"{"name":"a","inputSchema":{"type":"object"}}"#;
            let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":[{tool}]}}}}"#);
            say(events, format!("data: {answer}\n\n"))
        }
    });
    patiently(&web, 20).whole(1);
    assert_eq!(web.calls().iter().filter(|call| call.line.starts_with("GET")).count(), 1);
}

// --- Death ---

#[test]
fn dies_in_its_answer_20_seconds() {
    let web = listing("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"jsonrpc\":");
    patiently(&web, 20).fails(&["`tools/list`", "broke off after 11 of 500 bytes"]);
    let web = listing("");
    patiently(&web, 20).fails(&["`tools/list`", "closed the connection before it answered"]);
    let web = listing("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {\"jsonrpc\"");
    patiently(&web, 20).fails(&["`tools/list`", "in the middle of an event, 16 bytes"]);
}

#[test]
fn listens_nowhere_10_seconds() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    audit(&format!("http://{free}/mcp"), &PATIENT, &[], 10).fails(&["connection refused", &free.to_string()]);
    audit("http://no-such-host.invalid/mcp", &PATIENT, &[], 20).fails(&["`no-such-host.invalid` is not known"]);
}

#[test]
fn is_trusted_only_when_the_system_trusts_it_20_seconds() {
    let (url, certificate) = serve_tls();
    audit(&url, &PATIENT, &[], 20).fails(&["certificate of `localhost:", "not trusted", "SSL_CERT_FILE"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("certificate.pem");
    std::fs::write(&file, certificate).unwrap();
    audit(&url, &PATIENT, &[("SSL_CERT_FILE", file.to_str().unwrap())], 20).whole(1);
    audit(&url.replace("https", "http"), &PATIENT, &[], 20).fails(&["its address begins with `https://`"]);
}

// --- Wrong answers ---

#[test]
fn answers_twice_20_seconds() {
    let web = serve(|call, events| {
        call.method() == "tools/list" && {
            stream(events);
            say(events, format!("data: {}\n\ndata: {}\n\n", call.tools(""), call.tools("")))
        }
    });
    patiently(&web, 20).whole(1);
}

#[test]
fn answers_with_a_wrong_id_20_seconds() {
    let web = serve(|call, stream| {
        let wrong = call.tools("").replace(&format!("\"id\":{}", call.id()), "\"id\":99");
        call.method() == "tools/list" && reply(stream, "200 OK", JSON, wrong)
    });
    patiently(&web, 20).fails(&["`tools/list`", "the id `99`"]);
}

#[test]
fn answers_with_something_else_20_seconds() {
    for (status, kind, body, parts) in [
        ("200 OK", "text/html", "<html>Welcome</html>", ["200", "`text/html`"]),
        ("500 Internal Server Error", "text/html", "<html>Oops</html>", ["500", "`text/html`"]),
        ("200 OK", JSON, "", ["200", "no JSON-RPC message"]),
        ("204 No Content", JSON, "", ["204", ""]),
        ("429 Too Many Requests\r\nRetry-After: 7", "text/plain", "slow down", ["429", ""]),
        ("503 Service Unavailable", "text/plain", "starting", ["503", ""]),
    ] {
        let web = serve(move |_, stream| reply(stream, status, kind, body));
        patiently(&web, 20).fails(&parts);
        // Behind an open session, what came instead says more than the status of success.
        let parts = if status.starts_with("20") { ["`tools/list`", "without an answer"] } else { parts };
        let web = serve(move |call, stream| call.method() == "tools/list" && reply(stream, status, kind, body));
        patiently(&web, 20).fails(&parts);
    }
}

#[test]
fn calls_its_answer_something_else_20_seconds() {
    let web = serve(|call, stream| call.method() == "tools/list" && reply(stream, "200 OK", "banana", call.tools("")));
    patiently(&web, 20).whole(1);
}

#[test]
fn lies_about_its_length_20_seconds() {
    let web = serve(|call, stream| {
        let body = call.tools("");
        let head =
            |length: usize| format!("HTTP/1.1 200 OK\r\nContent-Type: {JSON}\r\nContent-Length: {length}\r\n\r\n");
        call.method() == "tools/list" && say(stream, head(body.len() - 5) + &body)
    });
    patiently(&web, 20).fails(&["`tools/list`", "not JSON"]);
}

#[test]
fn breaks_http_20_seconds() {
    let chunked = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nbanana\r\n";
    patiently(&listing(chunked), 20).fails(&["`tools/list`", "not framed", "chunk"]);
    patiently(&saying("SSH-2.0-OpenSSH_9.9\r\n"), 20).fails(&["no HTTP/1.1 answer", "https://"]);
    let control = "HTTP/1.1 200 OK\r\nMcp-Session-Id: a\u{1}b\r\nContent-Length: 0\r\n\r\n";
    patiently(&saying(control), 20).fails(&["invalid header value"]);
}

#[test]
fn sends_invalid_utf8_20_seconds() {
    let web = serve(|call, stream| {
        let (before, after) =
            ("{\"jsonrpc\":\"2.0\",\"id\":", ",\"result\":{\"tools\":[{\"name\":\"a\",\"description\":\"");
        let body = [before.as_bytes(), call.id().as_bytes(), after.as_bytes(), b"\xff\xfe", b"\"}]}}"].concat();
        call.method() == "tools/list" && reply(stream, "200 OK", JSON, body)
    });
    patiently(&web, 20).whole(1).finds("message-invalid-utf8");
}

#[test]
fn sends_ten_thousand_levels_20_seconds() {
    let web = serve(|call, stream| {
        let deep = format!(",\"x\":{}{}", "[".repeat(10_000), "]".repeat(10_000));
        call.method() == "tools/list" && reply(stream, "200 OK", JSON, call.tools(&deep))
    });
    patiently(&web, 20).fails(&["the answer to `tools/list` cannot be read", "deeper than 127 levels"]);
}

#[test]
fn names_a_session_that_no_header_may_hold_20_seconds() {
    for id in ["a b", "ä", "a\tb", ""] {
        let web = serve(move |call, stream| {
            let about = r#""capabilities":{"tools":{}},"serverInfo":{"name":"odd","version":"1"}"#;
            let result = call.result(&format!(r#"{{"protocolVersion":"2025-11-25",{about}}}"#));
            call.method() == "initialize" && reply(stream, &format!("200 OK\r\nMcp-Session-Id: {id}"), JSON, result)
        });
        patiently(&web, 20).whole(1);
        assert!(web.calls().iter().all(|call| call.header("mcp-session-id").is_none()), "{id:?}");
    }
}

#[test]
fn forgets_its_session_20_seconds() {
    let lists = AtomicUsize::new(0);
    let web = serve(move |call, stream| {
        call.method() == "tools/list"
            && lists.fetch_add(1, Ordering::Relaxed) == 0
            && reply(stream, "404 Not Found", "text/plain", "no such session")
    });
    patiently(&web, 20).whole(1);
    let methods = web.methods();
    assert_eq!(methods.iter().filter(|method| *method == "initialize").count(), 2, "{methods:?}");
    // One that always forgets is not asked for ever.
    let web = serve(|call, stream| {
        call.method() == "tools/list" && reply(stream, "404 Not Found", "text/plain", "no such session")
    });
    patiently(&web, 20).fails(&["`tools/list`", "404"]);
    assert!(web.calls().len() < 20, "{:?}", web.methods());
}

// --- Authorization ---

#[test]
fn asks_for_authorization_20_seconds() {
    let good = "Bearer realm=\"mcp\", resource_metadata=\"https://a.test/.well-known/oauth-protected-resource\", scope=\"tools\"";
    for (status, challenge, parts) in [
        ("401 Unauthorized", good, ["401", "https://a.test/.well-known/oauth-protected-resource"]),
        ("401 Unauthorized", "", ["401", "--bearer-env"]),
        ("401 Unauthorized", "Bearer \u{9b}31m=\"", ["401", ""]),
        ("403 Forbidden", "Bearer error=\"insufficient_scope\", scope=\"tools:read\"", ["403", "tools:read"]),
        ("403 Forbidden", "", ["403", ""]),
    ] {
        let head = if challenge.is_empty() { String::new() } else { format!("\r\nWWW-Authenticate: {challenge}") };
        let web = serve(move |_, stream| reply(stream, &format!("{status}{head}"), "text/plain", "no"));
        let audit = patiently(&web, 20).fails(&parts);
        assert!(!audit.run.out.contains('\u{9b}') && !audit.run.err.contains('\u{9b}'), "{}", audit.run.out);
    }
}

#[test]
fn its_metadata_is_looked_at_without_credentials_20_seconds() {
    let web = serve(|call, stream| {
        if call.line == "GET /.well-known/oauth-protected-resource" {
            return reply(stream, "200 OK", JSON, r#"{"resource":"http://127.0.0.1/mcp","authorization_servers":[]}"#);
        }
        let status = if call.line.starts_with("GET") { "404 Not Found" } else { "401 Unauthorized" };
        reply(stream, &format!("{status}\r\nWWW-Authenticate: Bearer"), "text/plain", "no")
    });
    let arguments = [&PATIENT[..], &["--probe", "--header-env", "Authorization=AUTH"]].concat();
    audit(&web.url, &arguments, &[("AUTH", "Bearer s3cret-0f9a8b7c")], 20)
        .fails(&["401"])
        .finds("resource-metadata-invalid");
    let gets: Vec<_> = web.calls().into_iter().filter(|call| call.line.starts_with("GET")).collect();
    let lines: Vec<&str> = gets.iter().map(|call| call.line.as_str()).collect();
    let place = "GET /.well-known/oauth-protected-resource";
    assert_eq!(lines, [&format!("{place}/mcp"), place]);
    assert!(gets.iter().all(|call| call.header("authorization").is_none()));
}

#[test]
fn refuses_and_is_not_asked_a_second_time_10_seconds() {
    let web = serve(|_, stream| reply(stream, "410 Gone", "text/plain", "no"));
    audit(&web.url, &[&PATIENT[..], &["--era", "legacy", "--stability"]].concat(), &[], 10).fails(&["410"]);
    assert_eq!(web.calls().iter().filter(|call| call.method() == "initialize").count(), 1);
}

// --- Elsewhere ---

#[test]
fn redirects_elsewhere_20_seconds() {
    let other = serve(|_, _| false);
    let to = other.url.clone();
    let web =
        serve(move |_, stream| reply(stream, &format!("307 Temporary Redirect\r\nLocation: {to}"), "text/plain", ""));
    patiently(&web, 20).fails(&["another origin", other.place()]);
    assert!(other.calls().is_empty(), "{:?}", other.calls());
    let web = serve(|call, stream| {
        call.line == "POST /mcp" && reply(stream, "308 Permanent Redirect\r\nLocation: /mcp/", "text/plain", "")
    });
    patiently(&web, 20).whole(1);
}

#[test]
fn names_an_endpoint_elsewhere_20_seconds() {
    let other = serve(|_, _| false);
    let to = other.url.clone();
    let web = serve(move |call, events| {
        if call.line.starts_with("GET") {
            stream(events);
            return say(events, format!("event: endpoint\ndata: {to}\n\n")) && hold(events);
        }
        reply(events, "405 Method Not Allowed", "text/plain", "")
    });
    patiently(&web, 20).fails(&["endpoint", other.place(), "not of the same origin"]);
    assert!(other.calls().is_empty(), "{:?}", other.calls());
}

// --- Eras ---

#[test]
fn answers_everything_without_a_session_20_seconds() {
    // It takes `server/discover` for a method like any other, and lists its tools to anybody.
    let web =
        serve(|call, stream| call.method() == "server/discover" && reply(stream, "200 OK", JSON, call.result("{}")));
    let audit = patiently(&web, 20).whole(1);
    assert_eq!(audit.target["server"]["era"], "legacy");
}

#[test]
fn gives_ids_of_sessions_that_nobody_opened_20_seconds() {
    let web = serve(|call, stream| {
        call.method() == "tools/list"
            && reply(stream, "200 OK\r\nMcp-Session-Id: stray", JSON, call.tools(r#","nextCursor":"" "#))
    });
    audit(&web.url, &[&PATIENT[..], &["--stability"]].concat(), &[], 20);
    let given: Vec<_> =
        web.calls().iter().filter_map(|call| call.header("mcp-session-id").map(str::to_owned)).collect();
    assert!(given.len() > 6 && given.iter().all(|id| id == "s-1"), "{given:?}");
}

#[test]
fn is_let_in_by_the_command_line_and_not_by_the_file_10_seconds() {
    let web = serve(|_, _| false);
    let folder = tempfile::tempdir().unwrap();
    let entry = format!(r#"{{"type":"http","url":"{}","headers":{{"Authorization":"Bearer of-the-file"}}}}"#, web.url);
    std::fs::write(folder.path().join(".mcp.json"), format!(r#"{{"mcpServers":{{"a":{entry}}}}}"#)).unwrap();
    let words = ["audit", ".mcp.json", "--no-config", "--bearer-env", "NEW"];
    let ran = servers::run(folder.path(), &words, &[("NEW", "of-the-command-line")], 10);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    for call in web.calls() {
        let given: Vec<&str> =
            call.head.lines().filter(|line| line.to_lowercase().starts_with("authorization")).collect();
        assert_eq!(given.len(), 1, "{given:?}");
        assert!(given[0].ends_with("Bearer of-the-command-line"), "{given:?}");
    }
}

#[test]
fn leaves_its_stream_open_and_is_told_20_seconds() {
    for (is_open, found) in [(true, 1), (false, 0)] {
        let web = serve(move |call, events| {
            call.method() == "tools/list" && {
                stream(events);
                say(events, format!("data: {}\n\n", call.tools("")));
                !is_open || hold(events)
            }
        });
        let audit = audit(&web.url, &[&PATIENT[..], &["--probe"]].concat(), &[], 20);
        let findings = audit.target["findings"].as_array().unwrap();
        let left_open = findings.iter().filter(|finding| finding["rule"] == "sse-response-not-last");
        assert_eq!(left_open.count(), found, "{findings:#?}");
    }
}

/// A modern server whose one tool is made of this text, and that answers what else it knows by `answer`.
fn modern(tool: &'static str, answer: impl Fn(&Call, &mut TcpStream) -> bool + Send + Sync + 'static) -> Web {
    const HINTS: &str = r#""resultType":"complete","ttlMs":1000,"cacheScope":"public""#;
    serve(move |call, stream| {
        answer(call, stream)
            || match call.method() {
                "server/discover" => {
                    let about = r#""supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}"#;
                    reply(stream, "200 OK", JSON, call.result(&format!("{{{HINTS},{about}}}")))
                }
                "tools/list" => reply(stream, "200 OK", JSON, call.result(&format!(r#"{{{HINTS},"tools":[{tool}]}}"#))),
                method => {
                    let error = format!(r#""error":{{"code":-32601,"message":"no {method}"}}"#);
                    let body = format!(r#"{{"jsonrpc":"2.0","id":{},{error}}}"#, call.id());
                    reply(stream, "404 Not Found", JSON, body)
                }
            }
    })
}

#[test]
fn has_no_subscriptions_and_is_watched_all_the_same_20_seconds() {
    let web = modern(r#"{"name":"a","inputSchema":{"type":"object"}}"#, |_, _| false);
    let began = Instant::now();
    audit(&web.url, &[&PATIENT[..], &["--watch", "1"]].concat(), &[], 20).whole(1);
    assert!(began.elapsed() >= Duration::from_secs(1), "{:?}", began.elapsed());
    assert_eq!(web.methods(), ["server/discover", "tools/list", "subscriptions/listen", "tools/list"]);
}

#[test]
fn marks_arguments_as_headers_and_gets_them_20_seconds() {
    let tool = r#"{"name":"a","inputSchema":{"type":"object","properties":{
        "region":{"type":"string","x-mcp-header":"Region"},"secret":{"type":"string"}}}}"#;
    let web = modern(tool, |call, stream| {
        let result = r#"{"resultType":"complete","content":[]}"#;
        call.method() == "tools/call" && reply(stream, "200 OK", JSON, call.result(result))
    });
    let folder = tempfile::tempdir().unwrap();
    let calls = folder.path().join("calls.toml");
    let text = "[[calls]]\ntool = \"a\"\narguments = { region = \"köln\", secret = \"s\" }\n";
    std::fs::write(&calls, text).unwrap();
    audit(&web.url, &[&PATIENT[..], &["--calls", calls.to_str().unwrap()]].concat(), &[], 20).whole(1);
    let call = web.calls().into_iter().find(|call| call.method() == "tools/call").unwrap();
    assert_eq!(call.header("mcp-name"), Some("a"));
    assert_eq!(call.header("mcp-param-region"), Some("=?base64?a8O2bG4=?="));
    assert!(!call.head.to_lowercase().contains("mcp-param-secret"), "{}", call.head);
}

#[test]
fn asks_back_20_000_times_and_takes_no_answer_20_seconds() {
    // One batch, so that all of them are there at once.
    let web = serve(|call, events| {
        if call.method() == "tools/list" {
            stream(events);
            let pings: Vec<String> =
                (0..20_000).map(|id| format!(r#"{{"jsonrpc":"2.0","id":"p{id}","method":"ping"}}"#)).collect();
            say(events, format!("data: [{}]\n\n", pings.join(",")));
            return say(events, format!("data: {}\n\n", call.tools("")));
        }
        call.method().is_empty() && call.line.starts_with("POST") && hold(events)
    });
    let audit = impatiently(&web, 20).fails(&["asked 1,000 times"]);
    assert_eq!(audit.tools(), 1);
    assert!(audit.run.megabytes < MEGABYTES, "{} MB", audit.run.megabytes);
}

#[test]
fn sends_long_heads_without_end_30_seconds_300_megabytes() {
    let head = format!("HTTP/1.1 202 Accepted\r\nX-Long: {}\r\nContent-Length: 0\r\n\r\n", "h".repeat(60_000));
    let web = serve(move |call, events| {
        if call.method() == "tools/list" {
            stream(events);
            while say(events, "data: {\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\n\n") {}
            return true;
        }
        call.method().is_empty() && call.line.starts_with("POST") && say(events, &head)
    });
    let audit = audit(&web.url, &["--start-timeout=30", "--request-timeout=10"], &[], 30);
    assert_eq!(audit.run.code, 3);
    assert!(audit.run.megabytes < 2 * MEGABYTES, "{} MB", audit.run.megabytes);
}

#[test]
fn fails_in_a_call_20_seconds() {
    let folder = tempfile::tempdir().unwrap();
    let calls = folder.path().join("calls.toml");
    std::fs::write(&calls, "[[calls]]\ntool = \"a\"\n").unwrap();
    let arguments = [&PATIENT[..], &["--calls", calls.to_str().unwrap()]].concat();
    for (answer, parts) in [
        ("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", ["the call of `a`", "HTTP 500"]),
        ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", ["the call of `a`", "HTTP 404"]),
        (
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{",
            ["the call of `a`", "broke off"],
        ),
    ] {
        let web = serve(move |call, stream| call.method() == "tools/call" && say(stream, answer));
        audit(&web.url, &arguments, &[], 20).fails(&parts);
    }
}

// --- Size ---

#[test]
fn a_body_of_50_megabytes_30_seconds() {
    let web = serve(|call, stream| {
        let body = call.tools(&format!(",\"x\":\"{}\"", "x".repeat(50_000_000)));
        call.method() == "tools/list" && reply(stream, "200 OK", JSON, body)
    });
    let audit = patiently(&web, 30).fails(&["50,000,", "more than 33,554,432", "shorter pages"]);
    assert!(audit.run.megabytes < MEGABYTES, "{} MB", audit.run.megabytes);
}

#[test]
fn a_stream_without_end_30_seconds_300_megabytes() {
    for text in [
        b"data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\n".as_slice(),
        b":\n\n",
        b"a",
    ] {
        let web = serve(move |call, events| {
            call.method() == "tools/list" && {
                stream(events);
                let many = text.repeat(10_000);
                while say(events, &many) {}
                true
            }
        });
        let audit = audit(&web.url, &["--start-timeout=30", "--request-timeout=20"], &[], 30);
        assert_eq!(audit.run.code, 3);
        let causes = audit.target["incidents"].to_string();
        assert!(causes.contains("the rest was not read"), "{causes}");
        assert!(audit.run.megabytes < MEGABYTES, "{} MB", audit.run.megabytes);
    }
}

#[test]
fn a_gzip_bomb_30_seconds_300_megabytes() {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..300 {
        packed.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    let packed = packed.finish().unwrap();
    assert!(packed.len() < 3_000_000, "{}", packed.len());
    let web = serve(move |call, stream| {
        call.method() == "tools/list" && reply(stream, "200 OK\r\nContent-Encoding: gzip", JSON, &packed)
    });
    let audit = audit(&web.url, &["--start-timeout=30", "--request-timeout=20"], &[], 30);
    assert_eq!(audit.run.code, 3);
    let causes = audit.target["incidents"].to_string();
    assert!(causes.contains("134,217,728 bytes in all"), "{causes}");
    assert!(audit.run.megabytes < MEGABYTES, "{} MB", audit.run.megabytes);
}

#[test]
fn cursors_without_end_60_seconds() {
    let pages = AtomicUsize::new(0);
    let web = serve(move |call, stream| {
        let page = pages.fetch_add(1, Ordering::Relaxed);
        let tools =
            format!(r#"{{"tools":[{{"name":"a{page}","inputSchema":{{"type":"object"}}}}],"nextCursor":"{page}"}}"#);
        call.method() == "tools/list" && reply(stream, "200 OK", JSON, call.result(&tools))
    });
    patiently(&web, 60).fails(&["goes on after 1,000 pages"]);
}
