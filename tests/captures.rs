//! A capture is a tape: played to the real session, over the transport that it was made with, it gives the same wire.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests fail by panicking")]

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::thread;
use std::time::Duration;

use toolsurface::input::live::{EraChoice, Launch, Options, Server, converse};
use toolsurface::input::remote::Remote;
use toolsurface::surface::exchange::{Exchange, What};
use toolsurface::surface::{Surface, Tool};

/// Patient, so that a busy machine changes nothing of what passes.
fn options(era: EraChoice) -> Options {
    let long = Duration::from_mins(1);
    Options { era, start: Some(long), probe_time: long, request: long, repeat: 2, ..Options::default() }
}

/// All that the server sent, in order.
fn received(exchange: &Exchange) -> Vec<Vec<u8>> {
    let bytes = exchange.frames.iter().filter_map(|frame| match &frame.what {
        What::In(bytes) => Some(bytes.clone()),
        What::Part(part) => Some(part.bytes.clone()),
        _ => None,
    });
    bytes.collect()
}

/// All that we sent, in order.
fn sent(exchange: &Exchange) -> Vec<String> {
    let texts = exchange.frames.iter().filter_map(|frame| match &frame.what {
        What::Out(text) => Some(text.clone()),
        What::Ask(ask) => Some(format!("{} {} {:?}", ask.method, ask.body.clone().unwrap_or_default(), ask.headers)),
        _ => None,
    });
    texts.collect()
}

/// What both exchanges must agree on.
fn agree(tape: &Exchange, played: &Exchange) {
    assert_eq!(sent(tape), sent(played));
    assert_eq!(received(tape), received(played));
    let (tape, played) = (Surface::from_exchange("a", tape), Surface::from_exchange("a", played));
    assert_eq!(tape.payload(), played.payload());
    assert!(!tape.tools.is_empty());
    assert_eq!(tape.later.len(), played.later.len());
    assert_eq!((tape.negotiated, tape.era, tape.incidents), (played.negotiated, played.era, played.incidents));
}

/// A shell script that reads a line where the tape sends one, and says what the tape says.
fn script(tape: &Exchange, file: &Path) -> Launch {
    let mut script = String::new();
    for frame in &tape.frames {
        match &frame.what {
            What::Out(_) => script.push_str("IFS= read -r line || exit 0\n"),
            What::In(bytes) => {
                let line = String::from_utf8(bytes.clone()).unwrap();
                script.push_str(&format!("printf '%s\\n' '{}'\n", line.replace('\'', r"'\''")));
            }
            _ => {}
        }
    }
    script.push_str("cat >/dev/null\n");
    // In a file, because it is longer than an argument may be.
    std::fs::write(file, script).unwrap();
    Launch { command: vec!["sh".to_owned(), file.display().to_string()], ..Launch::default() }
}

#[test]
fn over_stdio_in_both_eras() {
    let folder = tempfile::tempdir().unwrap();
    for era in [EraChoice::Auto, EraChoice::Legacy] {
        let command = vec![env!("CARGO_BIN_EXE_toolsurface").to_owned(), "demo".to_owned()];
        let live = converse(Server::Local(&Launch { command, ..Launch::default() }), &options(era), &|_| {});
        let tape = Exchange::from_jsonl(&live.to_jsonl()).unwrap();
        assert_eq!(tape, live);
        let played = converse(Server::Local(&script(&tape, &folder.path().join("tape.sh"))), &options(era), &|_| {});
        agree(&tape, &played);
    }
}

/// A server over HTTP that answers each request as the tape answers the one with its number.
fn serve(tape: &Exchange) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let frames = tape.frames.clone();
    thread::spawn(move || {
        for (n, stream) in (1..).zip(listener.incoming()) {
            let mut stream = stream.unwrap();
            let mut request = Vec::new();
            let mut chunk = [0; 4096];
            // Each request is small, and its body says where it ends.
            while !is_whole(&request) {
                let length = stream.read(&mut chunk).unwrap();
                assert!(length > 0, "the request ended early");
                request.extend_from_slice(&chunk[..length]);
            }
            for frame in &frames {
                let bytes = match &frame.what {
                    What::Head(head) if head.n == n => {
                        let mut text = format!("HTTP/1.1 {} Status\r\nConnection: close\r\n", head.status);
                        for (name, value) in &head.headers {
                            text.push_str(&format!("{name}: {value}\r\n"));
                        }
                        format!("{text}\r\n").into_bytes()
                    }
                    What::Part(part) if part.n == n => part.bytes.clone(),
                    _ => continue,
                };
                stream.write_all(&bytes).unwrap();
            }
        }
    });
    url
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    body.len() >= length.unwrap_or(0)
}

/// A legacy server with sessions: it primes its streams, comments on them, and speaks of other things in between.
const HTTP: &str = r#"
{"ask":1,"method":"POST","url":"http://case.test/mcp"}
{"head":1,"status":400,"headers":[["content-type","application/json"]]}
{"part":1,"text":"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32000,\"message\":\"Not initialized\"},\"id\":null}"}
{"ask":2,"method":"POST","url":"http://case.test/mcp"}
{"head":2,"status":200,"headers":[["content-type","text/event-stream; charset=utf-8"],["mcp-session-id","1b3f"]]}
{"part":2,"text":"id: 1\nretry: 10\ndata:\n\n"}
{"part":2,"text":": waking up\n\n"}
{"part":2,"text":"event: message\nid: 2\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"protocolVersion\":\"2025-11-25\",\ndata: \"capabilities\":{\"tools\":{\"listChanged\":true}},\"serverInfo\":{\"name\":\"ferry\",\"version\":\"3.1.0\"}}}\n\n"}
{"ask":3,"method":"POST","url":"http://case.test/mcp"}
{"head":3,"status":202,"headers":[["content-length","0"]]}
{"ask":4,"method":"POST","url":"http://case.test/mcp"}
{"head":4,"status":200,"headers":[["content-type","text/event-stream"]]}
{"part":4,"text":"data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"listing\"}}\n\n"}
{"part":4,"text":"event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tools\":[{\"name\":\"list_ferries\",\"inputSchema\":{\"type\":\"object\"}}],\"nextCursor\":\"\"}}\n\n"}
{"ask":5,"method":"POST","url":"http://case.test/mcp"}
{"head":5,"status":200,"headers":[["content-type","application/json"]]}
{"part":5,"text":"{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"tools\":[{\"name\":\"book_ferry\",\"inputSchema\":{\"type\":\"object\"}}]}}"}
{"ask":6,"method":"POST","url":"http://case.test/mcp"}
{"head":6,"status":200,"headers":[["content-type","application/json"]]}
{"part":6,"text":"{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"tools\":[{\"name\":\"list_ferries\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"book_ferry\",\"inputSchema\":{\"type\":\"object\"}}]}}"}
{"ask":7,"method":"DELETE","url":"http://case.test/mcp"}
{"head":7,"status":405,"headers":[["content-length","0"]]}
"#;

#[test]
fn over_http_with_streams_and_sessions() {
    let tape = Exchange::from_jsonl(HTTP.trim()).unwrap();
    let remote = Remote { url: serve(&tape), ..Remote::default() };
    let first = converse(Server::Remote(&remote), &options(EraChoice::Auto), &|_| {});
    assert_eq!(received(&tape), received(&first));
    let surface = Surface::from_exchange("a", &first);
    let names: Vec<&str> = surface.tools.iter().map(Tool::label).collect();
    assert_eq!(names, ["list_ferries", "book_ferry"]);
    assert_eq!((surface.server.version.as_deref(), surface.pages.len()), (Some("3.1.0"), 2));
    assert_eq!(surface.incidents, []);
    let asks: Vec<&toolsurface::surface::exchange::Ask> = first
        .frames
        .iter()
        .filter_map(|frame| match &frame.what {
            What::Ask(ask) => Some(ask),
            _ => None,
        })
        .collect();
    let sends = |n: usize, name: &str| asks[n].headers.iter().any(|(known, _)| known == name);
    assert!(sends(0, "Mcp-Method") && !sends(1, "Mcp-Session-Id"));
    assert!((2..7).all(|n| sends(n, "Mcp-Session-Id") && sends(n, "MCP-Protocol-Version") && !sends(n, "Mcp-Method")));
    assert!(!first.to_jsonl().contains("1b3f"), "the id of a session lets one in");

    // The capture of that, with its masked session, played once more.
    let taken = Exchange::from_jsonl(&first.to_jsonl()).unwrap();
    let remote = Remote { url: serve(&taken), ..Remote::default() };
    agree(&taken, &converse(Server::Remote(&remote), &options(EraChoice::Auto), &|_| {}));
}
