//! Servers that do what no server should: each test states its bound in seconds, and in bytes where it matters.
//!
//! Every session is also checked for processes that it left behind (see `servers/hostile.rs`).

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests fail by panicking")]

#[path = "servers/hostile.rs"]
mod servers;

use std::time::{Duration, Instant};

use servers::{Session, impatient, patient, run};
use toolsurface::finding::Stage;
use toolsurface::input::live::{Call, EraChoice, Launch, Limits, Options, Server, converse};
use toolsurface::spec::revision::Era;
use toolsurface::surface::exchange::What;

/// Megabytes that this whole test process may ever hold, floods of 100 MB included.
const MEGABYTES: u64 = 200;

fn limited(change: impl FnOnce(&mut Limits)) -> Options {
    let mut options = patient();
    change(&mut options.limits);
    options
}

/// Without the probe, so that even on a busy machine there is time for a wrong answer.
fn impatient_legacy() -> Options {
    Options { era: EraChoice::Legacy, ..impatient() }
}

// --- Silence ---

#[test]
fn never_answers_5_seconds() {
    let session = run("exec sleep 1000", 5, &impatient());
    session.assert_incident(Stage::Open, &["`server/discover` or `initialize`", "within 2 s", "--start-timeout"]);
    assert_eq!(session.methods(), ["server/discover", "initialize"]);
}

#[test]
fn never_answers_the_list_10_seconds() {
    let session =
        run("list() { echo working >&2; }; serve", 10, &Options { request: Duration::from_secs(1), ..patient() });
    session.assert_incident(Stage::List, &["`tools/list`", "within 1 s", "--request-timeout", "stderr says: working"]);
    assert_eq!(session.methods().last().unwrap(), "notifications/cancelled");
}

#[test]
fn never_reads_stdin_10_seconds() {
    // 900 answers of ours are some 400 KB, and the pipe holds 64 KB.
    let script = r#"
      yes "{\"jsonrpc\":\"2.0\",\"id\":\"$(fill 400 7)\",\"method\":\"ping\"}" | head -n 900
      exec sleep 1000"#;
    let session = run(script, 10, &impatient());
    session.assert_incident(Stage::Open, &["did not answer"]);
    assert!(session.methods().len() > 900);
}

#[test]
fn asks_without_end_10_seconds() {
    let script = r#"yes '{"jsonrpc":"2.0","id":7,"method":"ping"}' | head -n 20000; serve"#;
    let session = run(script, 10, &patient());
    assert_eq!(session.surface.tools.len(), 1);
    session.assert_incident(Stage::Open, &["asked 1,000 times", "not answered any more"]);
    assert!(session.methods().len() < 1_010, "{}", session.methods().len());
}

#[test]
fn leaves_calls_unanswered_10_seconds() {
    let calls = vec![Call { tool: "a".to_owned(), ..Call::default() }; 1_000];
    let session = run("serve", 10, &Options { calls, request: Duration::from_millis(300), ..patient() });
    let causes: Vec<&str> = session.surface.incidents.iter().map(|incident| incident.cause.as_str()).collect();
    // The same cause is told once.
    assert_eq!(causes.len(), 2, "{causes:?}");
    assert!(causes[1].contains("3 calls in a row") && causes[1].contains("997 more not made"), "{causes:?}");
}

#[test]
fn ignores_the_end_10_seconds() {
    let session = run("trap '' TERM; (serve); while :; do sleep 1; done", 10, &patient());
    session.assert_tools(&["a"]);
    assert_eq!(session.count(|what| matches!(what, What::Exit(_))), 0, "it was killed");
}

// --- Death ---

#[test]
fn dies_at_the_start_10_seconds() {
    let session = run("echo 'API_KEY is not set' >&2; exit 3", 10, &patient());
    session.assert_incident(
        Stage::Open,
        &["exited with code 3 before it answered `initialize`", "stderr says: API_KEY is not set"],
    );
    assert_eq!(session.count(|what| *what == What::Exit(Some(3))), 2, "it may have died on the probe");
    let without = run("exit 3", 10, &Options { era: EraChoice::Legacy, ..patient() });
    without.assert_incident(Stage::Open, &["code 3", "no word on stderr"]);
    assert_eq!(without.count(|what| matches!(what, What::Spawn)), 1);
}

#[test]
fn dies_in_the_middle_of_a_line_10_seconds() {
    let session = run(r#"list() { printf '{"jsonrpc":"2.0","id":%s,"res' "$id"; kill -9 $$; }; serve"#, 10, &patient());
    session
        .assert_incident(Stage::List, &["signal 9", "before it answered `tools/list`", "in the middle of a message"]);
    assert_eq!(session.count(|what| *what == What::Exit(None)), 1);
}

#[test]
fn closes_stdout_and_runs_on_10_seconds() {
    let session = run("list() { exec >&-; exec sleep 1000; }; serve", 10, &patient());
    session.assert_incident(Stage::List, &["closed its stdout before it answered `tools/list`"]);
}

#[test]
fn dies_on_the_probe_and_works_after_a_restart_10_seconds() {
    for end in ["exit 1", "exec >&-; exec sleep 1000"] {
        let session = run(&format!("discover() {{ {end}; }}; serve"), 10, &patient());
        session.assert_tools(&["a"]);
        assert_eq!(session.surface.era, Some(Era::Legacy));
        assert_eq!(session.methods(), ["server/discover", "initialize", "notifications/initialized", "tools/list"]);
        let ids: Vec<u64> = session.sent().iter().filter_map(|message| message.get("id")?.as_u64()).collect();
        assert_eq!(ids, [1, 2, 3], "ids go on rising");
    }
}

#[test]
fn cannot_be_started_1_second() {
    let began = Instant::now();
    let launch = Launch { command: vec!["no-such-program-anywhere".to_owned()], ..Launch::default() };
    let exchange = converse(Server::Local(&launch), &patient(), &|_| ());
    assert!(began.elapsed() < Duration::from_secs(1));
    let [frame] = exchange.frames.as_slice() else { panic!("{exchange:?}") };
    let What::Incident(incident) = &frame.what else { panic!("{exchange:?}") };
    assert_eq!(incident.stage, Stage::Start);
    assert!(incident.cause.contains("No such file or directory; is it installed and on PATH?"), "{}", incident.cause);
}

#[test]
fn leaves_a_grandchild_10_seconds() {
    for grandchild in ["sleep 1000 &", "sleep 1000 >/dev/null 2>&1 </dev/null &", "(trap '' TERM HUP; sleep 1000; :) &"]
    {
        run(&format!("{grandchild} serve"), 10, &patient()).assert_tools(&["a"]);
        let session = run(&format!("list() {{ {grandchild} exit 5; }}; serve"), 10, &patient());
        session.assert_incident(Stage::List, &["exited with code 5"]);
    }
}

// --- Wrong answers ---

#[test]
fn answers_twice_10_seconds() {
    let session = run("list() { tools; tools; }; serve", 10, &patient());
    session.assert_tools(&["a"]);
    let twice = "list() { tools ',\"nextCursor\":\"2\"'; tools ',\"nextCursor\":\"3\"'; list() { tools; }; }; serve";
    let session = run(twice, 10, &patient());
    assert_eq!(session.surface.pages.len(), 2, "the second answer to one request is no page\n{}", session.told());
}

#[test]
fn answers_with_a_wrong_id_5_seconds() {
    std::thread::scope(|scope| {
        for id in ["99", "\"1\"", "null", "0"] {
            scope.spawn(move || {
                let session = run(&format!("initialize() {{ id='{id}'; tools; }}; serve"), 5, &impatient_legacy());
                session.assert_incident(Stage::Open, &["did not answer `initialize`", &format!("the id `{id}`")]);
            });
        }
    });
}

#[test]
fn answers_without_a_line_feed_5_seconds() {
    let session =
        run(r#"initialize() { printf '{"jsonrpc":"2.0","id":%s,"result":{}}' "$id"; }; serve"#, 5, &impatient_legacy());
    session.assert_incident(Stage::Open, &["the last 36 bytes of its stdout have no line feed behind them"]);
}

#[test]
fn refuses_to_list_10_seconds() {
    let session = run(r#"list() { error '{"code":-32000,"message":"log in first"}'; }; serve"#, 10, &patient());
    session.assert_incident(Stage::List, &["error -32000: log in first"]);
}

#[test]
fn speaks_before_its_first_answer_10_seconds() {
    let session = run("echo 'Welcome!'; echo; serve", 10, &patient());
    session.assert_tools(&["a"]);
    assert_eq!(session.surface.wire.unwrap().noise.len(), 2);
    let session = run("initialize() { echo hm; }; serve", 5, &impatient_legacy());
    session.assert_incident(Stage::Open, &["a line that is no message: hm"]);
}

#[test]
fn invalid_utf8_is_read_10_seconds() {
    let session = run(
        r#"list() { result "$(printf '{"tools":[{"name":"a","description":"\377\376"}]}')"; }; serve"#,
        10,
        &patient(),
    );
    session.assert_tools(&["a"]);
    assert_eq!(session.surface.tools[0].value["description"], "\u{fffd}\u{fffd}");
    assert_eq!(session.surface.wire.unwrap().invalid_utf8.len(), 1);
}

#[test]
fn a_lone_surrogate_is_read_10_seconds() {
    let session =
        run(r#"list() { result '{"tools":[{"name":"a","description":"x\ud83dy"}]}'; }; serve"#, 10, &patient());
    session.assert_tools(&["a"]);
    assert_eq!(session.surface.tools[0].value["description"], "x\u{fffd}y");
}

#[test]
fn ten_thousand_levels_of_json_10_seconds() {
    let script = r#"list() { result '{"tools":[{"name":"a","x":'"$(fill 10000 '[')$(fill 10000 ']')"'}]}'; }; serve"#;
    let session = run(script, 10, &Options { probe_time: Duration::from_secs(1), ..patient() });
    session.assert_incident(
        Stage::List,
        &["the answer to `tools/list` cannot be read", "not JSON", "deeper than 127 levels"],
    );
    assert!(session.took < Duration::from_secs(10), "no whole request time-out for an answer that came");
}

// --- Size ---

#[test]
fn a_line_of_5_megabytes_is_read_20_seconds() {
    let session = run(BIG_LIST, 20, &patient());
    session.assert_tools(&["a"]);
    assert_eq!(session.surface.tools[0].value["description"].as_str().unwrap().len(), 5_000_000);
    assert!(peak_is_bounded());
}

const BIG_LIST: &str = r#"
  list() {
    printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"a","description":"' "$id"
    fill 5000000 x
    printf '"}]}}\n'
  }
  serve"#;

#[test]
fn a_line_above_the_bound_10_seconds_1_megabyte() {
    let options = Options { probe_time: Duration::from_secs(1), ..limited(|limits| limits.line = 1_000_000) };
    let session = run(BIG_LIST, 10, &options);
    session.assert_incident(Stage::List, &["a message of 5,000,075 bytes", "more than 1,000,000", "shorter pages"]);
    assert!(session.exchange.to_jsonl().len() < 100_000, "nothing of it is kept");
}

#[test]
fn a_line_without_end_10_seconds_50_megabytes() {
    let options = limited(|limits| (limits.line, limits.stdout) = (1_000_000, 50_000_000));
    let session = run("cat /dev/zero", 10, &options);
    session.assert_incident(Stage::Open, &["wrote 50,000,000 bytes to stdout"]);
    assert!(peak_is_bounded());
}

#[test]
fn a_line_with_too_many_values_10_seconds() {
    let script = r#"list() { result '{"tools":['"$(fill 200000 ,)"']}'; }; serve"#;
    let options = Options { probe_time: Duration::from_secs(1), ..limited(|limits| limits.values = 100_000) };
    let session = run(script, 10, &options);
    session.assert_incident(Stage::List, &["more than 100,000 JSON values"]);
}

#[test]
fn floods_stderr_30_seconds_100_megabytes() {
    let session = run(
        "yes 'this is one line of a log' | head -c 100000000 >&2; echo >&2; echo the end >&2; serve",
        30,
        &patient(),
    );
    session.assert_tools(&["a"]);
    let log: Vec<&What> = session
        .exchange
        .frames
        .iter()
        .map(|frame| &frame.what)
        .skip_while(|what| !matches!(what, What::Err(_)))
        .collect();
    assert_eq!(log.len(), 50);
    assert_eq!(log[49], &What::Err("the end".to_owned()));
    assert!(peak_is_bounded());
}

#[test]
fn a_long_line_of_stderr_is_clipped_10_seconds_2000_bytes() {
    let session = run("fill 1000000 e >&2; serve", 10, &patient());
    session.assert_tools(&["a"]);
    let is_clipped = |line: &str| line.strip_suffix('…').is_some_and(|line| line.len() == 2_000);
    assert_eq!(session.count(|what| matches!(what, What::Err(line) if is_clipped(line))), 1);
}

#[test]
fn floods_stdout_30_seconds_20_megabytes() {
    let session = run("exec yes noise", 30, &limited(|limits| limits.frames = 50_000));
    session.assert_incident(Stage::Open, &["more than 50,000 messages"]);
    let long = "while :; do fill 100000 n; echo; done";
    let session = run(long, 30, &limited(|limits| limits.stdout = 20_000_000));
    session.assert_incident(Stage::Open, &["wrote 20,000,000 bytes to stdout", "stderr"]);
    assert!(peak_is_bounded());
}

fn peak_is_bounded() -> bool {
    servers::peak_megabytes() < MEGABYTES
}

// --- Pages ---

const ENDLESS: &str = r#"
  page=0
  list() { page=$((page + 1)); result '{"tools":[{"name":"t'$page'"}],"nextCursor":"'$page'"}'; }
  serve"#;

#[test]
fn cursors_without_end_10_seconds_5_pages() {
    let session = run(ENDLESS, 10, &limited(|limits| limits.pages = 5));
    session.assert_incident(Stage::List, &["goes on after 5 pages", "cursors without end"]);
    assert_eq!(session.surface.tools.len(), 5, "what came is kept");
    let session = run(ENDLESS, 10, &limited(|limits| limits.tools = 3));
    session.assert_incident(Stage::List, &["goes on after 3 tools"]);
    let slow = ENDLESS.replace("page=$((page + 1));", "sleep 0.1; page=$((page + 1));");
    let session = run(&slow, 10, &limited(|limits| limits.listing = Duration::from_millis(300)));
    session.assert_incident(Stage::List, &["not at its end after 300 ms"]);
}

#[test]
fn a_repeated_cursor_is_the_end_10_seconds() {
    let session = run(
        r#"n=0; list() { n=$((n + 1)); result '{"tools":[{"name":"t'$n'"}],"nextCursor":"x"}'; }; serve"#,
        10,
        &patient(),
    );
    session.assert_tools(&["t1", "t2"]);
    assert_eq!(session.surface.pages.len(), 2);
}

#[test]
fn a_page_of_old_tools_is_the_end_10_seconds() {
    let session = run(r#"n=0; list() { n=$((n + 1)); tools ',"nextCursor":"'$n'"'; }; serve"#, 10, &patient());
    session.assert_tools(&["a"]);
    assert_eq!(session.surface.pages.len(), 2);
}

#[test]
fn an_empty_cursor_goes_on_and_null_ends_10_seconds() {
    let script = r#"
      list() {
        case $line in
        *'"cursor":""'*) result '{"tools":[{"name":"b"}],"nextCursor":null}' ;;
        *) tools ',"nextCursor":""' ;;
        esac
      }
      serve"#;
    run(script, 10, &patient()).assert_tools(&["a", "b"]);
}

// --- Requests of the server ---

#[test]
fn asks_and_waits_for_the_answers_10_seconds() {
    let script = r#"
      initialize() {
        asked=$id
        echo '{"jsonrpc":"2.0","id":"p","method":"ping"}'; next
        case $line in *'"id":"p","result":{}'*) ;; *) exit 7 ;; esac
        echo '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}'; next
        case $line in *'"id":1,"error":{"code":-32601,'*) ;; *) exit 8 ;; esac
        id=$asked
        result '{"protocolVersion":"2024-11-05"}'
      }
      serve"#;
    let session = run(script, 10, &patient());
    session.assert_tools(&["a"]);
    assert_eq!(session.surface.negotiated.as_deref(), Some("2024-11-05"));
}

#[test]
fn a_modern_server_is_never_answered_10_seconds() {
    let script = r#"
      discover() { discovered; }
      list() { echo '{"jsonrpc":"2.0","id":9,"method":"ping"}'; tools; }
      serve"#;
    let session = run(script, 10, &patient());
    session.assert_tools(&["a"]);
    assert_eq!(session.methods(), ["server/discover", "tools/list"]);
    let metadata = session.sent()[1]["params"]["_meta"].to_string();
    for name in ["protocolVersion\":\"2026-07-28", "clientInfo", "clientCapabilities\":{}"] {
        assert!(metadata.contains(name), "{metadata}");
    }
}

// --- The two eras ---

fn assert_legacy(session: &Session) {
    session.assert_tools(&["a"]);
    assert_eq!(session.surface.era, Some(Era::Legacy));
}

fn assert_modern(session: &Session) {
    session.assert_tools(&["a"]);
    assert_eq!(session.surface.era, Some(Era::Modern));
    assert_eq!(session.surface.negotiated.as_deref(), Some("2026-07-28"));
}

#[test]
fn silent_to_the_probe_10_seconds() {
    let session = run("discover() { :; }; serve", 10, &Options { probe_time: Duration::from_millis(300), ..patient() });
    assert_legacy(&session);
    assert_eq!(session.count(|what| matches!(what, What::Spawn)), 1);
}

#[test]
fn a_slow_modern_server_is_modern_10_seconds() {
    let options = Options { probe_time: Duration::from_millis(300), ..patient() };
    let refuses = "initialize() { error '{\"code\":-32601,\"message\":\"no\"}'; }";
    assert_modern(&run(&format!("sleep 1; discover() {{ discovered; }}; {refuses}; serve"), 10, &options));
    assert_modern(&run("sleep 1; discover() { discovered; }; serve", 10, &options));
    // Both questions wait; the refusal comes first.
    let turned =
        "sleep 1; next; first=$id; next; error '{\"code\":-32601,\"message\":\"no\"}'; id=$first; discovered; serve";
    assert_modern(&run(turned, 10, &options));
}

#[test]
fn any_error_to_the_probe_is_legacy_10_seconds() {
    for code in [-32601, -32602, -32603, -32000, 0, 404] {
        assert_legacy(&run(&format!("discover() {{ error '{{\"code\":{code}}}'; }}; serve"), 10, &patient()));
    }
    assert_legacy(&run("discover() { result '{}'; }; serve", 10, &patient()));
}

#[test]
fn an_unsupported_revision_is_asked_for_again_10_seconds() {
    let unsupported = |supported: &str| {
        format!(
            "discover() {{ discover() {{ discovered; }}; error '{{\"code\":-32022,\"data\":{{\"supported\":{supported}}}}}'; }}; serve"
        )
    };
    let session = run(&unsupported(r#"["2026-07-28","2027-01-01"]"#), 10, &patient());
    assert_modern(&session);
    assert_eq!(session.methods(), ["server/discover", "server/discover", "tools/list"]);
    let session = run(&unsupported(r#"["2025-06-18","2024-11-05"]"#), 10, &patient());
    assert_legacy(&session);
    assert_eq!(session.sent()[1]["params"]["protocolVersion"], "2025-06-18");
    let session = run(&unsupported(r#"["2031-01-01"]"#), 10, &patient());
    session.assert_incident(Stage::Open, &["`2031-01-01`", "`2026-07-28`"]);
    assert_modern(&run("discover() { error '{\"code\":-32021,\"data\":{}}'; }; serve", 10, &patient()));
}

#[test]
fn the_era_can_be_chosen_10_seconds() {
    let both = "discover() { discovered; }; serve";
    assert_legacy(&run(both, 10, &Options { era: EraChoice::Legacy, ..patient() }));
    assert_modern(&run(both, 10, &Options { era: EraChoice::Modern, ..patient() }));
    let session = run("serve", 10, &Options { era: EraChoice::Modern, ..patient() });
    session.assert_incident(Stage::Open, &["`server/discover`", "without `--era modern`"]);
}

// --- Eras ---

#[test]
fn answers_both_questions_late_and_keeps_to_the_second_15_seconds() {
    // As the TypeScript SDK does, it serves a process in the era in which a session was opened.
    let script = r#"
      discover() { discovered; }
      initialize() { legacy=1; result '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"slow","version":"1"}}'; }
      list() {
        case $legacy in
        1) tools ;;
        *) result '{"resultType":"complete","tools":[{"name":"a","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public"}' ;;
        esac
      }
      sleep 1; serve"#;
    let session = run(script, 15, &Options { probe_time: Duration::from_millis(300), ..patient() });
    session.assert_tools(&["a"]);
    assert_eq!(session.surface.era, Some(Era::Modern));
    assert_eq!(session.methods(), ["server/discover", "initialize", "server/discover", "tools/list"]);
    assert_eq!(session.count(|what| *what == What::Spawn), 2);
    let lists = session.surface.pages.iter().map(|page| page.hints.contains_key("ttlMs")).collect::<Vec<_>>();
    assert_eq!(lists, [true]);
}

#[test]
fn sends_back_what_it_is_sent_5_seconds() {
    let session = run("exec cat", 5, &impatient());
    session.assert_incident(Stage::Open, &["sends back what it is sent"]);
}

#[test]
fn has_one_era_where_two_are_to_be_compared_10_seconds() {
    let session = run("serve", 10, &Options { era: EraChoice::Both, ..patient() });
    assert_eq!(session.surface.tools.len(), 1);
    session.assert_incident(Stage::Open, &["in the legacy era only", "try without `--era both`"]);
}

#[test]
fn dies_on_the_question_of_the_other_era_10_seconds() {
    let session = run("discover() { exit 1; }; serve", 10, &Options { era: EraChoice::Both, ..patient() });
    assert_eq!(session.surface.tools.len(), 1);
    assert_eq!(session.surface.incidents.len(), 2, "{}", session.told());
    assert!(session.surface.incidents[1].cause.contains("in the legacy era only"), "{}", session.told());
}

#[test]
fn sends_more_values_in_all_than_are_read_10_seconds() {
    // None of the lines is too much by itself, and each differs in length from the one before.
    let script = r#"
      n=; while [ ${#n} -lt 2000 ]; do
        n=${n}1; printf '{"jsonrpc":"2.0","method":"notifications/message","params":[1,2,3,4,5,6,7,8,9,%s]}\n' "$n"
      done; serve"#;
    let session =
        run(script, 10, &Options { probe_time: Duration::from_secs(1), ..limited(|limits| limits.values = 1_000) });
    session.assert_incident(Stage::Open, &["more than 1,000 JSON values in all", "the rest was not read"]);
}

// --- What is asked beyond the list ---

#[test]
fn changes_its_list_in_a_call_and_is_asked_again_10_seconds() {
    let script = r#"
      list() {
        case $called in
        1) result '{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"}}]}' ;;
        *) tools ;;
        esac
      }
      other() { case $line in *tools/call*) called=1; result '{"content":[]}' ;; esac; }
      serve"#;
    let call = |tool: &str| Call { tool: tool.to_owned(), ..Call::default() };
    let options = Options { calls: vec![call("a")], starts: 2, ..patient() };
    let session = run(script, 10, &options);
    session.assert_tools(&["a"]);
    // Both sessions list before anything is called, and the list is looked at once more afterwards.
    let methods = session.methods();
    let from = methods.iter().rposition(|method| method == "initialize").unwrap();
    assert!(!methods[..from].contains(&"tools/call".to_owned()), "{methods:?}");
    assert_eq!(methods[from + 2..], ["tools/list", "tools/call", "tools/list"]);
    assert_eq!(session.surface.later.last().map(|walk| walk.tools.len()), Some(2));

    let session = run(script, 10, &Options { calls: vec![call("aa")], ..patient() });
    session.assert_incident(Stage::Call, &["no tool `aa` to call", "did you mean `a`?"]);
}

#[test]
fn dies_on_a_probe_10_seconds() {
    let script = r#"other() { case $line in *tools/call*) echo "no such tool" >&2; exit 5 ;; esac; }; serve"#;
    let session = run(script, 10, &Options { probe: true, ..patient() });
    assert_eq!(session.surface.tools.len(), 1);
    session.assert_incident(Stage::Probe, &["exited with code 5", "the probe `tools/call`", "no such tool"]);
}

#[test]
fn never_answers_a_probe_15_seconds() {
    let session = run("serve", 15, &Options { probe: true, request: Duration::from_secs(1), ..patient() });
    assert_eq!(session.surface.tools.len(), 1);
    session.assert_incident(Stage::Probe, &["did not answer the probe `tools/call` within 1 s", "--request-timeout"]);
}

#[test]
fn says_that_its_list_changed_without_end_10_seconds() {
    let script = r#"
      list() { tools; printf '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'; }
      serve"#;
    let session = run(script, 10, &Options { watch: Some(Duration::from_secs(1)), ..patient() });
    session.assert_tools(&["a"]);
    let again = session.surface.later.len();
    assert!((1..30).contains(&again), "{again} further lists");
}

#[test]
fn refuses_to_be_listened_to_10_seconds() {
    let script = r#"
      discover() { discovered; }
      list() { result '{"resultType":"complete","tools":[{"name":"a","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public"}'; }
      other() { case $line in *listen*) error '{"code":-32601,"message":"no"}' ;; esac; }
      serve"#;
    let session = run(script, 10, &Options { watch: Some(Duration::from_secs(1)), ..patient() });
    // Its list may change all the same.
    session.assert_tools(&["a"]);
    assert_eq!(session.surface.later.len(), 1);
    assert_eq!(session.surface.incidents, []);
}

// --- Signals to us ---

/// Not a test by itself: the process that the next test ends.
#[test]
fn is_ended_by_a_signal() {
    if let Ok(mark) = std::env::var("TOOLSURFACE_TEST_ENDED") {
        let launch = servers::launch("trap '' HUP; sleep 1000 & exec sleep 1000", &mark);
        converse(Server::Local(&launch), &patient(), &|_| ());
    }
}

#[test]
fn a_signal_to_us_ends_the_servers_10_seconds() {
    if !std::path::Path::new("/proc/self/environ").exists() {
        // Nothing here says which processes are left.
        return;
    }
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let mark = format!("{}-{signal}", std::process::id());
        let mut ours = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "is_ended_by_a_signal"])
            .env("TOOLSURFACE_TEST_ENDED", &mark)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let began = Instant::now();
        while servers::alive(&mark).len() < 2 {
            assert!(began.elapsed() < Duration::from_secs(5), "the server did not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        let kill = format!("kill -{signal} {}", ours.id());
        assert!(std::process::Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        assert_eq!(ours.wait().unwrap().code(), Some(code));
        assert!(began.elapsed() < Duration::from_secs(10));
        assert_eq!(servers::left(&mark), Vec::<String>::new());
    }
}
