//! No secret of the user is in anything that the program writes, whatever the server does with it.

use std::net::TcpStream;
use std::path::Path;

use data_encoding::{BASE64, BASE64URL_NOPAD, HEXLOWER};

use super::servers::{Call, IMPATIENT, JSON, PATIENT, audit, reply, run, say, serve, stream};

/// With letters that JSON or an address could write otherwise.
const SECRET: &str = "Zx9/Qw8+Er7/Ty6-Ui5_Op4.As3/Df2+Gh1/Jk0";

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

/// How a library writes a text into another.
type Spelling = fn(&str) -> String;

/// Escapes: a piece of a text is written like the whole.
const ESCAPES: [(&str, Spelling); 7] = [
    ("as it is", str::to_owned),
    (".NET", |text| each(text, |letter| if letter == '+' { "\\u002B".to_owned() } else { letter.to_string() })),
    ("JSON, all", |text| each(text, |letter| format!("\\u{:04x}", u32::from(letter)))),
    ("JSON in JSON", |text| each(text, |letter| format!("\\\\u{:04x}", u32::from(letter)))),
    ("address", |text| each(text, escaped)),
    ("address, all in lower case", |text| each(text, |letter| format!("%{:02x}", u32::from(letter)))),
    ("HTML", |text| text.replace('/', "&#x2F;").replace('+', "&#43;")),
];

/// Codes: how a piece is written depends on what stands before it.
const CODES: [(&str, Spelling); 5] = [
    ("hex", |text| HEXLOWER.encode(text.as_bytes())),
    ("Base64", |text| BASE64.encode(text.as_bytes())),
    ("Base64 of user and password", |text| BASE64.encode(format!("me:{text}").as_bytes())),
    ("Base64 behind one letter", |text| BASE64.encode(format!("x{text}").as_bytes())),
    ("Base64 for addresses", |text| BASE64URL_NOPAD.encode(format!("xy{text}").as_bytes())),
];

fn each(text: &str, write: impl Fn(char) -> String) -> String {
    text.chars().map(write).collect()
}

fn escaped(letter: char) -> String {
    if letter.is_alphanumeric() { letter.to_string() } else { format!("%{:02X}", u32::from(letter)) }
}

/// What stands around the first piece of the secret in a text, in either case and any spelling.
fn told(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let pieces = |text: &str| -> Vec<String> {
        text.as_bytes().windows(PIECE).map(|piece| String::from_utf8_lossy(piece).into_owned()).collect()
    };
    let escapes = ESCAPES.iter().flat_map(|(_, write)| pieces(SECRET).into_iter().map(|piece| write(&piece)));
    let codes = CODES.iter().flat_map(|(_, write)| pieces(&write(SECRET)));
    let at = escapes.chain(codes).find_map(|piece| lower.find(&piece.to_lowercase()))?;
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

/// Where the program tells the secret when it is run so.
fn leaks_of(name: &str, words: &[&str], is_seen: bool, told: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let place = tempfile::tempdir().unwrap();
    let run = run(place.path(), words, &[("TOKEN", SECRET), ("RUST_BACKTRACE", "1")], 60);
    let seen = if is_seen { String::new() } else { run.seen };
    let mut texts = vec![("stdout", run.out), ("stderr", run.err), ("command line", seen)];
    texts.extend(files(place.path()).into_iter().map(|text| ("file", text)));
    let mut leaks = Vec::new();
    for (place, text) in texts {
        assert!(!text.contains("panicked") && !text.contains("unexpected argument"), "{name}: {text}");
        leaks.extend(told(&text).map(|around| format!("{name}, {words:?}, {place}: {around}")));
    }
    leaks
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
            let words = [&command[..1], &[&url, "--no-config"], &command[1..], way.args, &IMPATIENT].concat();
            leaks.extend(leaks_of(&format!("{echo}; {}", way.name), &words, way.is_seen, told));
        }
    }
    leaks
}

#[track_caller]
fn none(leaks: &[String]) {
    assert!(leaks.is_empty(), "{} times:\n{}", leaks.len(), leaks.join("\n\n"));
}

#[test]
fn no_secret_is_told_60_seconds() {
    let leaks: Vec<String> = std::thread::scope(|scope| {
        let all = ECHOES.map(|(echo, answer)| scope.spawn(move || leaks(echo, answer)));
        all.into_iter().flat_map(|one| one.join().unwrap()).collect()
    });
    none(&leaks);
}

#[test]
fn no_spelling_of_a_secret_is_told_60_seconds() {
    let echoes = ["everywhere in a good answer", "in a challenge", "in a redirect", "in errors"];
    let mut leaks = Vec::new();
    for (name, write) in ESCAPES.into_iter().chain(CODES) {
        for (echo, answer) in ECHOES.iter().filter(|(echo, _)| echoes.contains(echo)) {
            let web = serve(move |call, stream| answer(call, stream, &write(SECRET)));
            for command in [COMMANDS[0], COMMANDS[1], COMMANDS[2]] {
                let way = ["--no-config", "--header-env=X-Key=TOKEN"];
                let words = [&command[..1], &[&web.url], &way, &command[1..], &IMPATIENT].concat();
                leaks.extend(leaks_of(&format!("{name}; {echo}"), &words, false, told));
            }
        }
    }
    none(&leaks);
}

/// The words behind a command that reach this address with the secret.
type Give = fn(&str) -> [String; 2];

/// Ways to give the secret inside of something.
const INSIDE: [(&str, Give); 7] = [
    ("Basic", |url| {
        let user = BASE64.encode(format!("me:{SECRET}").as_bytes());
        [url.to_owned(), format!("--header=Authorization: Basic {user}")]
    }),
    ("cookie", |url| [url.to_owned(), format!("--header=Cookie: a={SECRET}; b=x")]),
    ("quoted parameter", |url| [url.to_owned(), format!("--header=Authorization: Token token=\"{SECRET}\"")]),
    ("list of members", |url| [url.to_owned(), format!("--header=X-Auth: key={SECRET},id=7")]),
    ("query without a name", |url| [format!("{url}?{SECRET}"), "-v".to_owned()]),
    ("fragment", |url| [format!("{url}#access_token={SECRET}"), "-v".to_owned()]),
    ("user", |url| [url.replace("//", &format!("//{}@", each(SECRET, escaped))), "-v".to_owned()]),
];

#[test]
fn no_part_of_what_was_given_is_told_60_seconds() {
    let (echo, answer) = ECHOES[0];
    let web = serve(move |call, stream| answer(call, stream, SECRET));
    let mut leaks = Vec::new();
    for (name, give) in INSIDE {
        let [url, option] = give(&web.url);
        for command in [COMMANDS[0], COMMANDS[2], COMMANDS[6]] {
            // Only an audit can be told to say more.
            let option = if option == "-v" && command[0] != "audit" { "--no-config" } else { option.as_str() };
            let words = [&command[..1], &[&url, "--no-config", option], &command[1..], &IMPATIENT].concat();
            leaks.extend(leaks_of(&format!("{echo}; {name}"), &words, true, told));
        }
    }
    none(&leaks);
}

#[test]
fn no_part_of_a_variable_is_told_60_seconds() {
    let key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqh\nkiG9w0BAQEFAASC\n-----END KEY-----\n";
    let (trimmed, parts) = ("s3cret-Tok3n-ABCD\n", &["s3cret-T"][..]);
    let mut leaks = Vec::new();
    for (value, script, parts) in [
        (trimmed, r#"echo "Error: no $(printf %s "$API_TOKEN")." >&2; exit 1"#, parts),
        (trimmed, r#"echo "no $(printf %s "$API_TOKEN")."; exit 1"#, parts),
        // A line of stderr is clipped at 2,000 bytes.
        (trimmed, r#"printf '%01990d%s\n' 0 "$API_TOKEN" >&2; exit 1"#, parts),
        (key, r#"printf '%s\n' "$API_TOKEN" >&2; exit 1"#, &["MIIEvQIBADAN", "kiG9w0BAQEFA"][..]),
        (key, r#"printf '%s' "$API_TOKEN"; exit 1"#, &["MIIEvQIBADAN", "kiG9w0BAQEFA"][..]),
    ] {
        for command in [COMMANDS[0], COMMANDS[1], COMMANDS[2]] {
            let env = format!("--env=API_TOKEN={value}");
            let words = [&command[..1], &["--no-config", &env], &command[1..], &IMPATIENT, &["--", "sh", "-c", script]];
            leaks.extend(leaks_of(script, &words.concat(), true, |text| {
                parts.iter().any(|part| text.contains(part)).then(|| text.to_owned())
            }));
        }
    }
    none(&leaks);
}

#[test]
fn headers_that_a_server_says_too_spoil_nothing_20_seconds() {
    let web = serve(|_, _| false);
    let given = ["--header=Accept: application/json, text/event-stream", "--header=MCP-Protocol-Version: 2025-11-25"];
    audit(&web.url, &[&given[..], &PATIENT].concat(), &[], 20).whole(1);
}
