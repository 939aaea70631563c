//! No secret of the user is in anything that the program writes, whatever the server does with it.

use std::net::TcpStream;
use std::path::Path;

use super::servers::{Call, IMPATIENT, JSON, reply, run, say, serve, stream};

/// With letters that JSON or an address could write otherwise.
const SECRET: &str = "Zx9/Qw8+Er7/Ty6-Ui5_Op4.As3/Df2+Gh1/Jk0";

/// User and password as HTTP sends them.
const BASIC: &str = "bWU6Wng5L1F3OCtFcjcvVHk2LVVpNV9PcDQuQXMzL0RmMitHaDEvSmsw";

/// No piece of the secret as long as this may stand anywhere: what is clipped in the middle is told in part.
const PIECE: usize = 10;

/// How a server gives back what it was given.
type Echo = fn(&Call, &mut TcpStream, &str) -> bool;

const ECHOES: [(&str, Echo); 13] = [
    ("everywhere in a good answer", |call, stream, secret| match call.method() {
        "initialize" => {
            let about = r#""capabilities":{"tools":{}},"serverInfo":{"name":"SECRET","version":"SECRET"}"#;
            let result = format!(r#"{{"protocolVersion":"2025-11-25",{about},"instructions":"use SECRET"}}"#);
            let status = format!("200 OK\r\nMcp-Session-Id: {secret}\r\nX-Echo: {secret}\r\nSet-Cookie: a={secret}");
            reply(stream, &status, JSON, call.result(&result).replace("SECRET", secret))
        }
        "tools/list" => {
            let text = format!("{} SECRET", "x".repeat(30));
            let schema =
                r#"{"type":"object","properties":{"SECRET":{"type":"strin","default":"SECRET","enum":["SECRET"]}}}"#;
            let tool = format!(
                r#"{{"name":"SECRET","title":"SECRET","description":"{text}","inputSchema":{schema},"SECRET":1}}"#
            );
            events(stream, call, secret);
            let list = format!(r#"{{"tools":[{tool},{tool}],"nextCursor":"SECRET","SECRET":1}}"#);
            say(stream, format!("id: {secret}\ndata: {}\n\n", call.result(&list).replace("SECRET", secret)))
        }
        _ => false,
    }),
    ("as PHP escapes it", |call, stream, secret| {
        let list = r#"{"tools":[{"name":"a","description":"SECRET","inputSchema":{"type":"strin"}}]}"#;
        let list = list.replace("SECRET", &secret.replace('/', "\\/"));
        call.method() == "tools/list" && reply(stream, "200 OK", JSON, call.result(&list))
    }),
    ("in a challenge", |_, stream, secret| {
        let challenge = format!(
            "Bearer realm=\"{secret}\", error=\"invalid_token\", error_description=\"{}{secret}\"",
            "x".repeat(50)
        );
        reply(stream, &format!("401 Unauthorized\r\nWWW-Authenticate: {challenge}"), "text/plain", secret)
    }),
    ("as it was sent", |call, stream, _| {
        let sent = serde_json::to_string(&format!("{}\n{}", call.line, call.head)).unwrap();
        let list = format!(r#"{{"tools":[{{"name":"a","description":{sent}}}]}}"#);
        call.method() == "tools/list" && reply(stream, "200 OK", JSON, call.result(&list))
    }),
    ("in a page", |_, stream, secret| {
        reply(stream, "500 Internal Server Error", "text/html", format!("<html>{}{secret}</html>", "x".repeat(60)))
    }),
    ("in a media type", |_, stream, secret| reply(stream, "200 OK", &format!("text/{}{secret}", "x".repeat(50)), "hm")),
    ("in a redirect", |_, stream, secret| {
        let to = format!("http://elsewhere.test/{secret}?a={secret}");
        reply(stream, &format!("307 Temporary Redirect\r\nLocation: {to}"), "text/plain", "")
    }),
    ("in a redirect that loses the message", |_, stream, secret| {
        reply(stream, &format!("302 Found\r\nLocation: /{secret}/{secret}"), "text/plain", "")
    }),
    ("in errors", |call, stream, secret| {
        let error = format!(r#""error":{{"code":-32001,"message":"{}{secret}","data":"{secret}"}}"#, "x".repeat(100));
        reply(stream, "200 OK", JSON, format!(r#"{{"jsonrpc":"2.0","id":{},{error}}}"#, call.id()))
    }),
    ("in what is no message", |call, stream, secret| {
        let broken = format!("{{\"jsonrpc\":\"2.0\",\"x\":\"{}{secret}", "x".repeat(50));
        call.method() == "tools/list" && reply(stream, "200 OK", JSON, broken)
    }),
    ("in place of an id, a revision, a method", |call, stream, secret| {
        events(stream, call, secret);
        let text = match call.method() {
            "server/discover" => call.result(&format!(r#"{{"supportedVersions":["{}{secret}"]}}"#, "x".repeat(50))),
            _ => format!(r#"{{"jsonrpc":"2.0","id":"{}{secret}","result":{{}}}}"#, "x".repeat(50)),
        };
        say(stream, format!("data: {text}\n\n"))
    }),
    ("in a stream that brings no answer", |call, stream, secret| {
        call.method() == "tools/list" && {
            events(stream, call, secret);
            say(stream, format!("data: {}{secret}\n\nevent: {secret}\ndata: {secret}\n\n", "x".repeat(60)))
        }
    }),
    ("in an endpoint", |call, events, secret| {
        if call.line.starts_with("GET") {
            stream(events);
            return say(events, format!("event: endpoint\ndata: http://{}.test/{secret}\n\n", "x".repeat(40)));
        }
        reply(events, "405 Method Not Allowed", "text/plain", secret)
    }),
];

/// Begins a stream with a comment and a log message.
fn events(to: &mut TcpStream, _: &Call, secret: &str) {
    stream(to);
    let log = format!(r#"{{"jsonrpc":"2.0","method":"{secret}","params":{{"data":"{secret}"}}}}"#);
    say(to, format!(": {secret}\n\nevent: message\nid: {secret}\ndata: {log}\n\n"));
}

/// A way to give the secret: what is added to the command line, what to the environment, and the address.
struct Way {
    name: &'static str,
    args: &'static [&'static str],
    url: fn(&str) -> String,
    /// Whether the user wrote it on the command line, where others can see it.
    is_seen: bool,
}

const WAYS: [Way; 5] = [
    Way { name: "bearer", args: &["--bearer-env=TOKEN"], url: str::to_owned, is_seen: false },
    Way { name: "header", args: &["--header-env=X-Key=TOKEN"], url: str::to_owned, is_seen: false },
    Way {
        name: "word",
        args: &["--header=X-Key: Zx9/Qw8+Er7/Ty6-Ui5_Op4.As3/Df2+Gh1/Jk0"],
        url: str::to_owned,
        is_seen: true,
    },
    Way { name: "query", args: &[], url: |url| format!("{url}?key={SECRET}"), is_seen: true },
    Way {
        name: "user",
        args: &[],
        url: |url| url.replace("//", &format!("//me:{}@", SECRET.replace('/', "%2F"))),
        is_seen: true,
    },
];

const COMMANDS: &[&[&str]] = &[
    &["capture", "--output=wire.jsonl"],
    &["audit", "-v"],
    &["audit", "--format=json"],
    &["audit", "--format=markdown"],
    &["measure"],
    &["measure", "--format=json"],
    &["evidence", "--output=record.md"],
];

/// What stands around the first piece of the secret in a text, in either case.
fn told(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let all = SECRET.as_bytes().windows(PIECE).chain(BASIC.as_bytes().windows(PIECE));
    let mut pieces = all.map(|piece| std::str::from_utf8(piece).unwrap().to_lowercase());
    let at = pieces.find_map(|piece| lower.find(&piece))?;
    let before = lower[..at].chars().count();
    Some(lower.chars().skip(before.saturating_sub(80)).take(200).collect())
}

/// The texts of all files below a folder.
fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                return files(&path);
            }
            vec![String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned()]
        })
        .collect()
}

/// Where the program tells the secret when a server gives it back in this way.
fn leaks(echo: &str, answer: Echo) -> Vec<String> {
    let web = serve(move |call, stream| answer(call, stream, SECRET));
    let mut leaks = Vec::new();
    for way in &WAYS {
        let url = (way.url)(&web.url);
        // What can tell is the same for all ways; what is told differs by them.
        let commands = if way.name == "query" { COMMANDS } else { &COMMANDS[..2] };
        for command in commands {
            let place = tempfile::tempdir().unwrap();
            let words = [&command[..1], &[&url, "--no-config"], &command[1..], way.args, &IMPATIENT].concat();
            let run = run(place.path(), &words, &[("TOKEN", SECRET), ("RUST_BACKTRACE", "1")], 60);
            let name = format!("{echo}; {}; {command:?}", way.name);
            let seen = if way.is_seen { String::new() } else { run.seen };
            let mut texts = vec![("stdout", run.out), ("stderr", run.err), ("command line", seen)];
            texts.extend(files(place.path()).into_iter().map(|text| ("file", text)));
            for (place, text) in texts {
                assert!(!text.contains("panicked") && !text.contains("unexpected argument"), "{name}: {text}");
                leaks.extend(told(&text).map(|around| format!("{name}, {place}: {around}")));
            }
        }
    }
    leaks
}

#[test]
fn no_secret_is_told_60_seconds() {
    let leaks: Vec<String> = std::thread::scope(|scope| {
        let all = ECHOES.map(|(echo, answer)| scope.spawn(move || leaks(echo, answer)));
        all.into_iter().flat_map(|one| one.join().unwrap()).collect()
    });
    assert!(leaks.is_empty(), "{} times:\n{}", leaks.len(), leaks.join("\n\n"));
}
