//! Hostile servers over HTTP as threads of the test, and how the program is run against one.
//!
//! Bytes written by hand, because no HTTP library lets one be this rude; what a test does not override is answered
//! as a polite legacy server would.

use std::io::{Read, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};

/// A request as it came in.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// Method and path: `POST /mcp`.
    pub(crate) line: String,
    /// Its headers as received, line by line.
    pub(crate) head: String,
    /// Its body.
    pub(crate) body: String,
    /// The message in its body; null without one.
    pub(crate) message: Value,
}

impl Call {
    /// The method of the message; empty without one.
    pub(crate) fn method(&self) -> &str {
        self.message["method"].as_str().unwrap_or_default()
    }

    /// The id of the message, as it stands in JSON.
    pub(crate) fn id(&self) -> String {
        self.message["id"].to_string()
    }

    /// The value of a header, its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// An answer with this result.
    pub(crate) fn result(&self, result: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, self.id())
    }

    /// An answer with one tool, `a`, and these further members.
    pub(crate) fn tools(&self, more: &str) -> String {
        self.result(&format!(r#"{{"tools":[{{"name":"a","inputSchema":{{"type":"object"}}}}]{more}}}"#))
    }
}

/// A running server.
pub(crate) struct Web {
    /// Where it listens.
    pub(crate) url: String,
    calls: Arc<Mutex<Vec<Call>>>,
}

impl Web {
    /// What it was asked.
    pub(crate) fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }

    /// The methods of the messages that it was sent, in order.
    pub(crate) fn methods(&self) -> Vec<String> {
        self.calls().iter().map(|call| call.method().to_owned()).filter(|method| !method.is_empty()).collect()
    }

    /// Its host and port.
    pub(crate) fn place(&self) -> &str {
        self.url.trim_start_matches("http://").split('/').next().unwrap()
    }
}

/// A server whose `answer` writes what it likes, or says that it did not answer: then [`polite`] does.
pub(crate) fn serve(answer: impl Fn(&Call, &mut TcpStream) -> bool + Send + Sync + 'static) -> Web {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let calls = Arc::new(Mutex::new(Vec::new()));
    let (seen, answer) = (Arc::clone(&calls), Arc::new(answer));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (seen, answer) = (Arc::clone(&seen), Arc::clone(&answer));
            thread::spawn(move || {
                let mut stream = stream.unwrap();
                let Some(call) = read(&mut stream) else { return };
                seen.lock().unwrap().push(call.clone());
                if !answer(&call, &mut stream) {
                    polite(&call, &mut stream);
                }
            });
        }
    });
    Web { url, calls }
}

fn read(stream: &mut impl Read) -> Option<Call> {
    let mut bytes = Vec::new();
    let mut chunk = vec![0; 64 * 1024];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let (line, head) = head.split_once("\r\n").unwrap();
            let line = line.trim_end_matches(" HTTP/1.1").to_owned();
            let mut call = Call { line, head: head.to_owned(), body: String::new(), message: Value::Null };
            let length: usize = call.header("content-length").map_or(0, |length| length.parse().unwrap());
            if body.len() >= length {
                call.message = serde_json::from_str(body).unwrap_or_default();
                body.clone_into(&mut call.body);
                return Some(call);
            }
        }
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => return None,
            Ok(length) => bytes.extend(&chunk[..length]),
        }
    }
}

/// A polite server behind TLS, with a certificate of its own for `localhost`: its address, and the certificate as PEM.
pub(crate) fn serve_tls() -> (String, String) {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], signing_key.serialize_der().try_into().unwrap())
        .unwrap();
    let config = Arc::new(config);
    let plain = serve(|_, _| false);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://localhost:{}/mcp", listener.local_addr().unwrap().port());
    thread::spawn(move || {
        for near in listener.incoming() {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut near = StreamOwned::new(connection, near.unwrap());
            let Some(call) = read(&mut near) else { continue };
            let mut far = TcpStream::connect(plain.place()).unwrap();
            write!(far, "{} HTTP/1.1\r\n{}\r\n\r\n{}", call.line, call.head, call.body).unwrap();
            let _gone = std::io::copy(&mut far, &mut near);
            near.conn.send_close_notify();
            let _gone = near.flush();
        }
    });
    (url, cert.pem())
}

/// The answer of a legacy server with one tool, `a`.
fn polite(call: &Call, stream: &mut TcpStream) -> bool {
    match call.method() {
        "server/discover" => {
            let error = r#""error":{"code":-32000,"message":"not initialized"}"#;
            reply(stream, "400 Bad Request", JSON, format!(r#"{{"jsonrpc":"2.0","id":{},{error}}}"#, call.id()))
        }
        "initialize" => {
            let about = r#""capabilities":{"tools":{}},"serverInfo":{"name":"polite","version":"1"}"#;
            let result = call.result(&format!(r#"{{"protocolVersion":"2025-11-25",{about}}}"#));
            reply(stream, "200 OK\r\nMcp-Session-Id: s-1", JSON, &result)
        }
        "tools/list" => reply(stream, "200 OK", JSON, call.tools("")),
        "" if call.line.starts_with("DELETE") => reply(stream, "200 OK", JSON, ""),
        "" if call.message.is_null() => reply(stream, "405 Method Not Allowed", "text/plain", "no"),
        _ => reply(stream, "202 Accepted", JSON, ""),
    }
}

pub(crate) const JSON: &str = "application/json";

/// Writes a whole response. `status` may carry headers of its own.
pub(crate) fn reply(stream: &mut TcpStream, status: &str, kind: &str, body: impl AsRef<[u8]>) -> bool {
    let body = body.as_ref();
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n", body.len());
    let _gone = say(stream, head) && say(stream, body);
    true
}

/// Begins a stream of events.
pub(crate) fn stream(stream: &mut TcpStream) {
    say(stream, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
}

/// Writes; says whether the client still listens.
pub(crate) fn say(stream: &mut TcpStream, bytes: impl AsRef<[u8]>) -> bool {
    stream.write_all(bytes.as_ref()).is_ok()
}

/// Keeps the connection open until the client closes it, or for longer than any test.
pub(crate) fn hold(stream: &mut TcpStream) -> bool {
    let _bound = stream.set_read_timeout(Some(Duration::from_mins(2)));
    let _closed = stream.read(&mut [0; 1]);
    true
}

/// What one run of the program brought.
pub(crate) struct Run {
    /// The exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
    /// The most memory that it held, in megabytes; 0 where the system does not say.
    pub(crate) megabytes: u64,
    /// The command lines of it and its children, as all others on the machine see them.
    pub(crate) seen: String,
}

/// Time-outs that no polite server misses, on the busiest machine.
pub(crate) const PATIENT: [&str; 3] = ["--start-timeout=30", "--probe-timeout=10", "--request-timeout=30"];
/// The shortest time-outs, for servers that are meant to miss them.
pub(crate) const IMPATIENT: [&str; 3] = ["--start-timeout=2", "--probe-timeout=0.5", "--request-timeout=1"];

/// Runs the program in a folder with nothing of our environment but this. Fails when it takes longer than `seconds`.
pub(crate) fn run(folder: &Path, args: &[&str], env: &[(&str, &str)], seconds: u64) -> Run {
    let began = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_toolsurface"))
        .args(args)
        .env_clear()
        .env("HOME", folder)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .envs(env.iter().copied())
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let reads = [drain(Box::new(child.stdout.take().unwrap())), drain(Box::new(child.stderr.take().unwrap()))];
    let (mut megabytes, mut seen) = (0, String::new());
    let status = loop {
        megabytes = megabytes.max(peak(child.id()));
        if seen.is_empty() {
            seen = command_lines(child.id());
        }
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if began.elapsed() > Duration::from_secs(seconds) {
            child.kill().unwrap();
            let [out, err] = reads.map(|read| read.join().unwrap());
            panic!("took longer than {seconds} s: {args:?}\n--- stdout\n{out}--- stderr\n{err}");
        }
        thread::sleep(Duration::from_millis(5));
    };
    let [out, err] = reads.map(|read| read.join().unwrap());
    Run { code: status.code().unwrap_or(-1), out, err, megabytes, seen }
}

fn drain(mut pipe: Box<dyn Read + Send>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn peak(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn command_lines(process: u32) -> String {
    let children = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    let all = children.split_whitespace().map(str::to_owned).chain([process.to_string()]);
    let lines = all.map(|process| std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default());
    lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " ")).collect()
}

/// An audit as JSON.
pub(crate) struct Audit {
    /// The run.
    pub(crate) run: Run,
    /// The one target of its report.
    pub(crate) target: Value,
}

/// Audits an address.
pub(crate) fn audit(url: &str, args: &[&str], env: &[(&str, &str)], seconds: u64) -> Audit {
    let folder = tempfile::tempdir().unwrap();
    let words = [&["audit", url, "--no-config", "--format=json", "--fail-on=never"], args].concat();
    let run = run(folder.path(), &words, env, seconds);
    let report: Value = serde_json::from_str(&run.out)
        .unwrap_or_else(|error| panic!("{error}\n--- stdout\n{}--- stderr\n{}", run.out, run.err));
    assert!(!run.err.contains("panicked"), "{}", run.err);
    Audit { target: report["targets"][0].clone(), run }
}

impl Audit {
    /// The names of the tools.
    pub(crate) fn tools(&self) -> Value {
        let names = |measure: &Value| measure["id"] == "tools.count";
        let measures = self.target["measures"].as_array().cloned().unwrap_or_default();
        measures.iter().find(|measure| names(measure)).map_or(json!(null), |measure| measure["value"].clone())
    }

    /// Fails unless all was audited: this many tools, no incident, exit code 0.
    #[track_caller]
    pub(crate) fn whole(self, tools: u64) -> Self {
        assert_eq!(self.target["incidents"], json!([]), "{}", self.run.err);
        assert_eq!(self.tools(), json!(tools));
        assert_eq!(self.run.code, 0, "{}", self.run.err);
        self
    }

    /// Fails unless the run ended with code 3 and exactly one incident, whose cause holds all of these parts.
    #[track_caller]
    pub(crate) fn fails(self, parts: &[&str]) -> Self {
        let incidents = self.target["incidents"].as_array().cloned().unwrap_or_default();
        let causes: Vec<&str> = incidents.iter().map(|incident| incident["cause"].as_str().unwrap()).collect();
        assert_eq!(causes.len(), 1, "{causes:#?}");
        for part in parts {
            assert!(causes[0].contains(part), "`{part}` is not in: {}", causes[0]);
        }
        assert_eq!(self.run.code, 3, "{causes:#?}");
        self
    }

    /// Fails unless a finding of this rule is there.
    #[track_caller]
    pub(crate) fn finds(self, rule: &str) -> Self {
        let findings = self.target["findings"].as_array().cloned().unwrap_or_default();
        assert!(findings.iter().any(|finding| finding["rule"] == rule), "{rule}: {findings:#?}");
        self
    }
}
