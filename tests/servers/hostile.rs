//! Hostile servers as shell scripts, and how a session with one is run and looked at.
//!
//! Scripts, because `sh` is everywhere and no language runtime is needed; a script overrides what it does otherwise
//! than the well-behaved server of [`POLITE`].

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use toolsurface::finding::Stage;
use toolsurface::input::live::{Launch, Options, Server, converse};
use toolsurface::surface::Surface;
use toolsurface::surface::exchange::{Exchange, What};

/// A legacy server with one tool, `a`. `$id` is the id of the request at hand, `$line` the request.
const POLITE: &str = r#"
result() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
error() { printf '{"jsonrpc":"2.0","id":%s,"error":%s}\n' "$id" "$1"; }
tools() { result '{"tools":[{"name":"a","inputSchema":{"type":"object"}}]'"$1}"; }
discovered() { result '{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public"}'; }
discover() { error '{"code":-32601,"message":"no such method"}'; }
initialize() { result '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"polite","version":"1"}}'; }
list() { tools; }
other() { :; }
next() { IFS= read -r line || exit 0; id=${line#*'"id":'}; id=${id%%,*}; }
fill() { head -c "$1" /dev/zero | tr '\0' "$2"; }
serve() {
  while next; do
    case $line in
    *'"server/discover"'*) discover ;;
    *'"initialize"'*) initialize ;;
    *'"tools/list"'*) list ;;
    *) other ;;
    esac
  done
}
"#;

/// The variable that marks every process of one session.
const MARK: &str = "TOOLSURFACE_TEST_MARK";

/// What a session with a server brought.
pub(crate) struct Session {
    /// The wire.
    pub(crate) exchange: Exchange,
    /// What was read from it.
    pub(crate) surface: Surface,
    /// How long it took, start and end included.
    pub(crate) took: Duration,
}

/// Options with time-outs in which a polite server answers even on a busy machine.
pub(crate) fn patient() -> Options {
    Options {
        start: Some(Duration::from_secs(30)),
        probe_time: Duration::from_secs(10),
        request: Duration::from_secs(30),
        ..Options::default()
    }
}

/// Options with the shortest time-outs, for servers that are meant to miss them.
pub(crate) fn impatient() -> Options {
    Options {
        start: Some(Duration::from_secs(2)),
        probe_time: Duration::from_millis(300),
        request: Duration::from_secs(1),
        ..Options::default()
    }
}

/// Runs a session with a script on top of [`POLITE`]. Fails when it takes longer than `seconds`, or when a process of
/// it is left.
pub(crate) fn run(script: &str, seconds: u64, options: &Options) -> Session {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mark = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let began = Instant::now();
    let exchange = converse(Server::Local(&launch(script, &mark)), options, &|_| ());
    let took = began.elapsed();
    let surface = Surface::from_exchange("test", &exchange);
    let session = Session { exchange, surface, took };
    assert!(took < Duration::from_secs(seconds), "took {took:?}\n{}", session.told());
    assert_eq!(left(&mark), Vec::<String>::new(), "processes were left");
    session
}

/// How to start a script whose processes all carry `mark`.
pub(crate) fn launch(script: &str, mark: &str) -> Launch {
    Launch {
        command: ["sh", "-c", &format!("{POLITE}\n{script}")].map(str::to_owned).to_vec(),
        env: [(MARK.to_owned(), mark.to_owned())].into(),
        ..Launch::default()
    }
}

/// The processes that carry `mark`, once those that were killed have had a second to vanish.
pub(crate) fn left(mark: &str) -> Vec<String> {
    let until = Instant::now() + Duration::from_secs(1);
    loop {
        let alive = alive(mark);
        if alive.is_empty() || Instant::now() >= until {
            return alive;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The processes that carry `mark`. A zombie has no environment, and is none of ours.
pub(crate) fn alive(mark: &str) -> Vec<String> {
    let wanted = format!("{MARK}={mark}\0");
    let Ok(all) = std::fs::read_dir("/proc") else { return Vec::new() };
    let processes = all.flatten().map(|entry| entry.path());
    let marked = processes.filter(|process| {
        let environment = std::fs::read(process.join("environ")).unwrap_or_default();
        environment.windows(wanted.len()).any(|part| part == wanted.as_bytes())
    });
    marked
        .map(|process| {
            let words = std::fs::read(process.join("cmdline")).unwrap_or_default();
            format!("{}: {}", process.display(), String::from_utf8_lossy(&words).chars().take(80).collect::<String>())
        })
        .collect()
}

/// The most memory that this test process ever held, in megabytes; nothing where the system does not say.
pub(crate) fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()).and_then(|number| number.parse::<u64>().ok()).unwrap_or(0)
        / 1024
}

impl Session {
    /// Fails unless there is exactly one incident, of this stage, and its cause holds all of these parts.
    pub(crate) fn assert_incident(&self, stage: Stage, parts: &[&str]) {
        let [incident] = self.surface.incidents.as_slice() else {
            panic!("not exactly one incident\n{}", self.told());
        };
        assert_eq!(incident.stage, stage, "{}", incident.cause);
        for part in parts {
            assert!(incident.cause.contains(part), "`{part}` is not in: {}", incident.cause);
        }
    }

    /// Fails unless the list was read whole: these tools and no incident.
    pub(crate) fn assert_tools(&self, names: &[&str]) {
        let found: Vec<&str> = self.surface.tools.iter().filter_map(|tool| tool.name()).collect();
        assert_eq!(found, names, "{}", self.told());
        assert_eq!(self.surface.incidents, [], "{}", self.told());
    }

    /// The messages that we sent.
    pub(crate) fn sent(&self) -> Vec<Value> {
        let sent = self.exchange.frames.iter().filter_map(|frame| match &frame.what {
            What::Out(text) => Some(serde_json::from_str(text).unwrap()),
            _ => None,
        });
        sent.collect()
    }

    /// The methods of the messages that we sent; answers have none.
    pub(crate) fn methods(&self) -> Vec<String> {
        let method = |message: Value| message.get("method").and_then(Value::as_str).unwrap_or("(answer)").to_owned();
        self.sent().into_iter().map(method).collect()
    }

    /// How many frames are of some kind.
    pub(crate) fn count(&self, kind: impl Fn(&What) -> bool) -> usize {
        self.exchange.frames.iter().filter(|frame| kind(&frame.what)).count()
    }

    /// The exchange as text, clipped, for failures.
    pub(crate) fn told(&self) -> String {
        let text = self.exchange.to_jsonl();
        let lines = text.lines().take(40).map(|line| line.chars().take(300).collect::<String>());
        lines.collect::<Vec<_>>().join("\n")
    }
}
