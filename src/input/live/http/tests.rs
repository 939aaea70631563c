//! The client against servers that behave, and against servers that do not.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

mod proxy;
mod tls;

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
const STREAM: &str = "HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream; charset=utf-8\r\n\r\n";

/// Longer than any of these exchanges may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server that gives each connection, its request read, to `answer`; its address.
fn serve(answer: impl Fn(TcpStream, &str) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let answer = Arc::new(answer);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let answer = Arc::clone(&answer);
            thread::spawn(move || {
                let mut stream = stream.unwrap();
                let request = read_request(&mut stream);
                answer(stream, &request);
            });
        }
    });
    format!("http://{address}/mcp")
}

fn read_request(stream: &mut TcpStream) -> String {
    let mut request = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&request).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .to_lowercase()
                .split("content-length: ")
                .nth(1)
                .map_or(0, |rest| rest.lines().next().unwrap().parse().unwrap());
            if body.len() >= length {
                return text;
            }
        }
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => return text,
            Ok(length) => request.extend(&chunk[..length]),
        }
    }
}

/// A server that always says this.
fn saying(bytes: impl AsRef<[u8]>) -> String {
    let bytes = bytes.as_ref().to_vec();
    serve(move |mut stream, _| {
        let _gone = stream.write_all(&bytes);
    })
}

fn client(limits: &Limits) -> Client {
    Client::through(None, limits)
}

fn post(n: u64, url: &str) -> Request {
    let headers = vec![("Accept".to_owned(), "application/json".to_owned())];
    Request { n, method: Method::Post, url: url.to_owned(), headers, body: Some("{}".to_owned()) }
}

fn get(n: u64, url: &str) -> Request {
    Request { method: Method::Get, body: None, ..post(n, url) }
}

/// What one exchange brought.
#[derive(Debug, Default)]
struct Told {
    status: u16,
    headers: Vec<(String, String)>,
    parts: Vec<String>,
    overlong: Vec<u64>,
    kind: Option<CauseKind>,
    cause: String,
}

impl Told {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

fn told(client: &Client) -> Told {
    let mut told = Told::default();
    let until = Instant::now() + PATIENCE;
    loop {
        match client.next(until).expect("an end") {
            Net::Head { status, headers, .. } => (told.status, told.headers) = (status, headers),
            Net::Part { bytes, .. } => told.parts.push(String::from_utf8_lossy(&bytes).into_owned()),
            Net::Overlong { bytes, .. } => told.overlong.push(bytes),
            Net::End { cause, .. } => {
                if let Some(Cause { kind, text }) = cause {
                    (told.kind, told.cause) = (Some(kind), text);
                }
                return told;
            }
        }
    }
}

fn exchange_within(request: Request, limits: &Limits, time: Duration) -> Told {
    let client = client(limits);
    client.send(request, time);
    told(&client)
}

fn exchange(url: &str) -> Told {
    exchange_within(post(1, url), &Limits::default(), PATIENCE)
}

/// That `url` fails in this way, with these words.
fn fails(url: &str, kind: CauseKind, words: &[&str]) -> Told {
    let told = exchange(url);
    assert_eq!(told.kind, Some(kind), "{url}: {}", told.cause);
    for part in words {
        assert!(told.cause.contains(part), "{url}: {} lacks {part}", told.cause);
    }
    told
}

#[test]
fn an_answer_comes_whole() {
    let (tell, heard) = mpsc::channel();
    let url = serve(move |mut stream, request| {
        tell.send(request.to_owned()).unwrap();
        write!(stream, "{OK}Mcp-Session-Id: s1\r\nContent-Length: 8\r\n\r\n{{\"a\": 1}}").unwrap();
    });
    let told = exchange(&url);
    assert_eq!((told.status, told.parts, told.kind), (200, vec!["{\"a\": 1}".to_owned()], None));
    assert_eq!(told.headers[1], ("mcp-session-id".to_owned(), "s1".to_owned()));
    let request = heard.recv().unwrap();
    assert!(request.starts_with("POST /mcp HTTP/1.1\r\n"), "{request}");
    assert!(request.ends_with("\r\n\r\n{}"), "{request}");
    assert!(request.contains(concat!("user-agent: toolsurface/", env!("CARGO_PKG_VERSION"))), "{request}");
    assert!(request.contains("accept: application/json\r\n"), "{request}");
}

#[test]
fn bodies_may_be_missing_chunked_or_errors() {
    let accepted = exchange(&saying("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"));
    assert_eq!((accepted.status, accepted.parts.len(), accepted.kind), (202, 0, None));
    let missing = exchange(&saying("HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<html>"));
    assert_eq!((missing.status, missing.parts, missing.kind), (404, vec!["<html>".to_owned()], None));
    let chunked = exchange(&saying(format!("{OK}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")));
    assert_eq!((chunked.parts, chunked.kind), (vec!["abcde".to_owned()], None));
}

#[test]
fn a_stream_comes_event_by_event_however_it_is_cut() {
    let url = serve(|mut stream, request| {
        assert!(request.starts_with("GET "), "{request}");
        stream.write_all(STREAM.as_bytes()).unwrap();
        for byte in b"\xef\xbb\xbfevent: endpoint\r\ndata: /m\r\n\r\n: alive\n\ndata: 1\n\n" {
            stream.write_all(&[*byte]).unwrap();
            stream.flush().unwrap();
            thread::sleep(Duration::from_millis(1));
        }
    });
    let told = exchange_within(get(1, &url), &Limits::default(), PATIENCE);
    let parts: Vec<&str> = told.parts.iter().map(|part| part.trim_matches('\u{feff}').trim_end()).collect();
    assert_eq!(parts, ["event: endpoint\r\ndata: /m", ": alive", "data: 1"]);
    assert_eq!((told.status, told.kind), (200, None));
}

#[test]
fn an_event_is_told_before_the_stream_ends() {
    let url = serve(|mut stream, _| {
        write!(stream, "{STREAM}data: 1\n\ndata: 2").unwrap();
        thread::sleep(PATIENCE);
    });
    let client = client(&Limits::default());
    client.send(get(1, &url), PATIENCE);
    let until = Instant::now() + Duration::from_secs(5);
    assert!(matches!(client.next(until), Some(Net::Head { n: 1, status: 200, .. })));
    assert_eq!(client.next(until), Some(Net::Part { n: 1, bytes: b"data: 1\n\n".to_vec() }));
    assert_eq!(client.next(Instant::now() + Duration::from_millis(50)), None);
}

#[test]
fn a_stream_that_ends_within_an_event_says_so() {
    let told =
        fails(&saying(format!("{STREAM}data: 1\n\ndata: 2\n")), CauseKind::Broken, &["8 bytes into it", "blank line"]);
    assert_eq!(told.parts, ["data: 1\n\n"]);
}

#[test]
fn no_connection_has_its_cause() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{free}/mcp");
    fails(&url, CauseKind::Connect, &["connection refused", &format!("listen on `{free}`?")]);
    fails("http://no-such-host.invalid/mcp", CauseKind::Connect, &["host of `no-such-host.invalid` is not known"]);
    for url in ["file:///etc/passwd", "http://", "http://a b/", "http:///x"] {
        fails(url, CauseKind::Request, &["no `http` or `https` address"]);
    }
}

#[test]
fn headers_that_cannot_be_sent_are_named_without_their_value() {
    let mut request = post(1, "http://127.0.0.1:9/");
    request.headers = vec![("X-Key".to_owned(), "s3cret\nX-Other: 1".to_owned())];
    let told = exchange_within(request.clone(), &Limits::default(), PATIENCE);
    assert_eq!(told.kind, Some(CauseKind::Request));
    assert!(told.cause.contains("`X-Key`") && !told.cause.contains("s3cret"), "{}", told.cause);
    request.headers = vec![("X Key".to_owned(), "s3cret".to_owned())];
    let told = exchange_within(request, &Limits::default(), PATIENCE);
    assert!(told.cause.contains("`X Key` is no name"), "{}", told.cause);
}

#[test]
fn what_breaks_off_says_where() {
    let told = fails(
        &saying(format!("{OK}Content-Length: 500\r\n\r\n{:120}", "")),
        CauseKind::Broken,
        &["broke off after 120 of 500 bytes"],
    );
    assert_eq!((told.status, told.parts.len()), (200, 0));
    let cut = format!("{OK}Transfer-Encoding: chunked\r\n\r\n5\r\nab");
    fails(&saying(cut), CauseKind::Broken, &["broke off after 2 bytes"]);
    fails(&saying(""), CauseKind::Broken, &["closed the connection before it answered"]);
    fails(&saying("HTTP/1.1 200 OK\r\nContent-"), CauseKind::Broken, &["closed the connection before it answered"]);
}

#[test]
fn what_is_no_http_says_so() {
    fails(&saying("SSH-2.0-OpenSSH_9.9\r\n"), CauseKind::Broken, &["no HTTP/1.1 answer", "`https://`"]);
    fails(&saying("HTTP/1.1 banana\r\n\r\n"), CauseKind::Broken, &["invalid response status"]);
    fails(&saying("HTTP/1.1 200 OK\r\nA: b\u{1}c\r\n\r\n"), CauseKind::Broken, &["invalid header value"]);
    let chunked = "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nbanana\r\n";
    fails(&saying(format!("{OK}{chunked}")), CauseKind::Broken, &["not framed", "chunk"]);
    fails(&saying(format!("{OK}Content-Encoding: gzip\r\n\r\nbanana")), CauseKind::Broken, &["not the gzip"]);
    fails(
        &saying(format!("{OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab")),
        CauseKind::Broken,
        &["content-length"],
    );
}

#[test]
fn floods_of_headers_end() {
    let long = format!("{OK}X-A: {}\r\n\r\n", "a".repeat(100_000));
    fails(&saying(long), CauseKind::Excess, &["headers", "65,536"]);
    let many = (0..20_000).map(|i| format!("X-{i}: a\r\n")).collect::<String>();
    fails(&saying(format!("{OK}{many}\r\n")), CauseKind::Excess, &["headers"]);
    let endless = serve(|mut stream, _| {
        let _gone = stream.write_all(OK.as_bytes());
        while stream.write_all(b"X-Again: and again\r\n").is_ok() {}
    });
    fails(&endless, CauseKind::Excess, &["headers"]);
}

#[test]
fn silence_ends_after_1_second() {
    let second = Duration::from_secs(1);
    let silent = serve(|_stream, _| thread::sleep(PATIENCE));
    let half = serve(|mut stream, _| {
        write!(stream, "{OK}Content-Length: 500\r\n\r\n{:120}", "").unwrap();
        thread::sleep(PATIENCE);
    });
    for (url, words) in
        [(silent, "no answer within 1 s"), (half, "had not ended after 1 s; 120 of 500 bytes of it had come")]
    {
        let began = Instant::now();
        let told = exchange_within(post(1, &url), &Limits::default(), second);
        let took = began.elapsed();
        assert_eq!((told.kind, told.cause.contains(words)), (Some(CauseKind::Timeout), true), "{}", told.cause);
        assert!(took >= second && took < second * 2, "{took:?}");
    }
}

#[test]
fn dripping_ends_after_1_second() {
    let second = Duration::from_secs(1);
    for text in ["HTTP/1.1 200 OK\r\nX-A: ", STREAM, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n"] {
        let url = serve(move |mut stream, _| {
            let _gone = stream.write_all(text.as_bytes());
            while stream.write_all(b"a").is_ok() {
                thread::sleep(Duration::from_millis(20));
            }
        });
        let began = Instant::now();
        let told = exchange_within(post(1, &url), &Limits::default(), second);
        let took = began.elapsed();
        if !text.contains("chunked") {
            assert_eq!(told.kind, Some(CauseKind::Timeout), "{text}: {}", told.cause);
        }
        assert!(took < second * 2, "{text}: {took:?}");
    }
}

#[test]
fn long_bodies_are_counted_and_dropped() {
    let url = serve(|mut stream, _| {
        let _gone = write!(stream, "{OK}Content-Length: 52428800\r\n\r\n");
        let chunk = vec![b'a'; 1 << 20];
        for _ in 0..50 {
            let _gone = stream.write_all(&chunk);
        }
    });
    let told = exchange_within(post(1, &url), &Limits { line: 1_000_000, ..Limits::default() }, PATIENCE);
    assert_eq!((told.status, told.overlong, told.kind), (200, vec![52_428_800], None));
    assert!(told.parts.is_empty());
}

#[test]
fn a_gzip_bomb_is_met_by_the_bounds_on_what_it_unpacks_to() {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&vec![b' '; 20_000_000]).unwrap();
    let packed = packed.finish().unwrap();
    assert!(packed.len() < 30_000, "{}", packed.len());
    let head = format!("{OK}Content-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", packed.len());
    let url = saying([head.into_bytes(), packed].concat());
    let limits = |line, stdout| Limits { line, stdout, ..Limits::default() };
    let told = exchange_within(post(1, &url), &limits(1_000_000, 50_000_000), PATIENCE);
    assert_eq!((told.overlong, told.kind), (vec![20_000_000], None));
    let told = exchange_within(post(1, &url), &limits(1_000_000, 2_000_000), PATIENCE);
    assert_eq!(told.kind, Some(CauseKind::Excess), "{}", told.cause);
    assert!(told.overlong[0] < 2_100_000, "{:?}", told.overlong);
    let told = exchange_within(post(1, &url), &limits(30_000_000, 50_000_000), PATIENCE);
    assert_eq!((told.parts[0].len(), told.header("content-encoding")), (20_000_000, None));
}

#[test]
fn an_endless_stream_ends_at_the_bound_of_all_answers() {
    let url = serve(|mut stream, _| {
        let _gone = stream.write_all(STREAM.as_bytes());
        while stream.write_all(b"data: {}\n\n").is_ok() {}
    });
    let client = client(&Limits { stdout: 100_000, ..Limits::default() });
    client.send(post(1, &url), PATIENCE);
    let first = told(&client);
    assert_eq!(first.kind, Some(CauseKind::Excess));
    assert!(first.cause.contains("100,000 bytes in all"), "{}", first.cause);
    assert!(first.parts.len() >= 10_000 && first.parts.len() < 20_000, "{}", first.parts.len());
    client.send(post(2, &url), PATIENCE);
    assert_eq!(told(&client).kind, Some(CauseKind::Excess));
    let endless = serve(|mut stream, _| {
        let _gone = stream.write_all(format!("{STREAM}data: ").as_bytes());
        while stream.write_all(&[b'a'; 10_000]).is_ok() {}
    });
    let told =
        exchange_within(post(1, &endless), &Limits { line: 50_000, stdout: 5_000_000, ..Limits::default() }, PATIENCE);
    assert_eq!((told.kind, told.parts.len()), (Some(CauseKind::Excess), 0));
}

#[test]
fn redirects_stay_within_the_origin() {
    let url = serve(|mut stream, request| {
        let (status, to) = match request.split(' ').nth(1).unwrap() {
            "/mcp" => (307, "/mcp/"),
            "/mcp/" => {
                let length = request.len();
                write!(stream, "{OK}X-Length: {length}\r\nContent-Length: 2\r\n\r\n[]").unwrap();
                return;
            }
            "/loop" => (308, "/loop"),
            "/away" => (307, "http://elsewhere.invalid:81/mcp?key=1"),
            "/tls" => (301, "https://127.0.0.1/mcp"),
            "/found" => (302, "/mcp/"),
            "/file" => (307, "file:///etc/passwd"),
            "/silent" => (307, ""),
            "/nowhere" => (307, "http://[banana"),
            _ => (303, "/mcp"),
        };
        let location = if to.is_empty() { String::new() } else { format!("Location: {to}\r\n") };
        write!(stream, "HTTP/1.1 {status} Go\r\n{location}Content-Length: 0\r\n\r\n").unwrap();
    });
    let told = exchange(&url.replace("//", "//user:s3cret@"));
    assert_eq!((told.status, told.parts, told.kind), (200, vec!["[]".to_owned()], None));
    let base = url.trim_end_matches("/mcp");
    let to = |path: &str| format!("{base}{path}");
    fails(&to("/loop"), CauseKind::Redirect, &["more than 3 times"]);
    let told = fails(&to("/away"), CauseKind::Redirect, &["another origin, `http://elsewhere.invalid:81`"]);
    assert!(!told.cause.contains("key"), "{}", told.cause);
    fails(&to("/tls"), CauseKind::Redirect, &["another origin, `https://127.0.0.1`"]);
    fails(&to("/found"), CauseKind::Redirect, &["302", "to `/mcp/`", "lost"]);
    fails(&to("/nowhere"), CauseKind::Redirect, &["no address"]);
    fails(&to("/file"), CauseKind::Redirect, &["`file:///etc/passwd`", "no `http`"]);
    assert_eq!(exchange(&to("/silent")).status, 307);
    // A GET loses nothing on a 303.
    let told = exchange_within(get(1, &to("/see")), &Limits::default(), PATIENCE);
    assert_eq!((told.status, told.kind), (200, None));
}

#[test]
fn what_is_abandoned_is_closed_and_told_no_more() {
    let (tell, heard) = mpsc::channel();
    let url = serve(move |mut stream, _| {
        let _gone = stream.write_all(STREAM.as_bytes());
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let closed = stream.read(&mut [0; 9]);
        let _done = tell.send(matches!(closed, Ok(0)) || closed.is_err_and(|cause| cause.raw_os_error() == Some(104)));
    });
    let client = client(&Limits::default());
    client.send(get(1, &url), PATIENCE);
    let until = Instant::now() + Duration::from_secs(5);
    assert!(matches!(client.next(until), Some(Net::Head { n: 1, .. })));
    client.abandon(1);
    assert!(heard.recv_timeout(Duration::from_secs(5)).unwrap());
    assert_eq!(client.next(Instant::now() + Duration::from_millis(100)), None);
    // The same when nobody is left to listen.
    client.send(get(2, &url), PATIENCE);
    assert!(matches!(client.next(Instant::now() + Duration::from_secs(5)), Some(Net::Head { n: 2, .. })));
    drop(client);
    assert!(heard.recv_timeout(Duration::from_secs(5)).unwrap());
}

#[test]
fn only_8_requests_are_on_their_way() {
    let (tell, heard) = mpsc::channel();
    let url = serve(move |_stream, _| {
        tell.send(()).unwrap();
        thread::sleep(PATIENCE);
    });
    let client = client(&Limits::default());
    for n in 1..=20 {
        client.send(post(n, &url), PATIENCE);
    }
    let came = |within: u64| std::iter::from_fn(|| heard.recv_timeout(Duration::from_millis(within)).ok()).count();
    assert_eq!(came(500), MOST_FLYING);
    client.abandon(20);
    client.abandon(1);
    client.abandon(2);
    assert_eq!(came(500), 2);
}
