//! The command line as a user meets it: exit codes, both streams, settings, targets.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests fail by panicking")]

mod common;

use std::io::{BufRead as _, BufReader, Read as _};

use common::{PROGRAM, Place, Ran, faults, healthy, list, server, tool, wait, with_target};
use serde_json::{Value, json};
use toolsurface::text::safe::is_unseen;

const FORMATS: [&str; 3] = ["human", "json", "markdown"];
const DEMO: [&str; 3] = ["--", "toolsurface", "demo"];

/// A place with a list in `list.json`.
fn place(tools: &[Value]) -> Place {
    Place::with(&[("list.json", &list(tools))])
}

/// A place with a list and settings.
fn settled(tools: &[Value], settings: &str) -> Place {
    Place::with(&[("list.json", &list(tools)), ("toolsurface.toml", settings)])
}

/// A place with one tool of each fault and one without.
fn faulty() -> Place {
    let mut tools = faults();
    tools.push(healthy("find_parcel"));
    place(&tools)
}

// --- Exit 0 and 1 ---

#[test]
fn exit_0_when_nothing_is_found() {
    let place = place(&[healthy("find_parcel"), healthy("trace_parcel")]);
    for format in FORMATS {
        let ran = place.run(&["audit", "list.json", "--fail-on", "info", "--format", format]).exits(0).quiet();
        assert!(!ran.out.is_empty());
    }
    assert_eq!(place.run(&["audit", "list.json", "--format", "json"]).findings(), Vec::<Value>::new());
    place.run(&["audit", "list.json"]).says(&["0 errors, 0 warnings, 0 info", "0 incidents"]);
}

#[test]
fn exit_1_when_a_finding_is_at_the_gate() {
    let place = faulty();
    let ran = place.run(&["audit", "list.json"]).exits(1).quiet();
    ran.says(&["error[schema-missing]", "tool `find_crate`", "warn[description-missing]", "tool `find_pallet`"]);
    let ran = place.run(&["audit", "list.json", "--format", "json"]).exits(1).quiet();
    assert_eq!(ran.rules("new"), ["description-missing", "schema-missing", "title-missing", "tools-mergeable"]);
    assert_eq!(ran.json()["summary"]["exit"], 1);
}

#[test]
fn the_gate_is_where_fail_on_puts_it() {
    for (fault, codes) in [(0, [1, 1, 1, 0]), (1, [0, 1, 1, 0]), (2, [0, 0, 1, 0])] {
        let place = place(&faults()[fault..=fault]);
        for (gate, code) in ["error", "warn", "info", "never"].into_iter().zip(codes) {
            place.run(&["audit", "list.json", "--fail-on", gate]).exits(code);
        }
    }
}

#[test]
fn the_gate_of_the_settings_yields_to_the_command_line() {
    let settings = "fail-on = \"info\"\n[targets.x]\nfile = \"list.json\"\nfail-on = \"warn\"\n";
    let place = settled(&faults()[2..], settings);
    place.run(&["audit", "list.json"]).exits(1);
    place.run(&["audit", "x"]).exits(0);
    place.run(&["audit", "x", "--fail-on", "info"]).exits(1);
    place.run(&["audit", "list.json", "--fail-on", "error"]).exits(0);
    place.run(&["audit", "list.json", "--no-config"]).exits(0);
}

#[test]
fn formats_never_change_the_code() {
    let place = faulty();
    place.write("empty.json", r#"{"tools":[]}"#);
    place.write("none.json", r#"{"a":1}"#);
    for (file, gate, code) in
        [("list.json", "never", 0), ("list.json", "warn", 1), ("empty.json", "never", 3), ("none.json", "never", 3)]
    {
        for format in FORMATS {
            place.run(&["audit", file, "--fail-on", gate, "--format", format]).exits(code);
        }
    }
}

// --- Exit 2 ---

#[test]
fn exit_2_for_wrong_words() {
    let place = faulty();
    for (args, parts) in [
        (&["audit"][..], &["no target", "toolsurface audit -- toolsurface demo"][..]),
        (&["audit", "--"], &["no target"]),
        (&["audit", "no-such-word"], &["there is no file `no-such-word`", "toolsurface.toml"]),
        (&["audit", "list.json", "more.json"], &["there is no file `more.json`"]),
        (&["measure", "list.json", "tools.count", "more.json"], &["unexpected value 'more.json'"]),
        (&["audit", "-", "list.json", "-"], &["`-` stands there twice"]),
        (&["audit", "list.json", "--", "sh"], &["both `list.json` and a command", "name files, addresses"]),
        (&["audit", "."], &["`.` is a folder"]),
        (&["audit", "ftp://example.test/mcp"], &["not an address of HTTP"]),
        (&["audit", "list.json", "--formt", "json"], &["unexpected argument '--formt'", "'--format'"]),
        (&["audit", "list.json", "--format", "jsn"], &["invalid value 'jsn'", "human, json, markdown"]),
        (&["audit", "list.json", "--fail-on", "bad"], &["write error, warn, info or never"]),
        (&["audit", "list.json", "--era", "old"], &["write auto, legacy, modern or both"]),
        (&["audit", "list.json", "--transport", "ws"], &["write auto, http or sse"]),
        (&["audit", "list.json", "--repeat", "21"], &["21 is not in 1..=20"]),
        (&["audit", "list.json", "--spec", "2025"], &["known revisions:", "2026-07-28", "2024-11-05"]),
        (&["audit", "list.json", "--start-timeout", "0"], &["a number of seconds above 0"]),
        (&["audit", "list.json", "--today", "soon"], &["`soon` is not a day"]),
        (&["audit", "list.json", "--config", "no.toml"], &["no.toml: No such file"]),
        (&["audit", "list.json", "--config", "a", "--no-config"], &["'--config <FILE>' cannot be used with"]),
        (&["audt"], &["unrecognized subcommand 'audt'", "'audit'"]),
        (&[], &["Usage: toolsurface [OPTIONS] <COMMAND>"]),
        (&["explain", "title-mising"], &["title-mising", "title-missing"]),
        (&["measure", "list.json", "payload.byte"], &["no measure `payload.byte`", "did you mean `payload.bytes`?"]),
        (&["measure", "payload.byte"], &["no measure `payload.byte`", "did you mean `payload.bytes`?"]),
        (&["capture", "list.json"], &["a saved list has no exchange"]),
    ] {
        let ran = place.run(args);
        assert_eq!(ran.code, 2, "{args:?}\n{}", ran.err);
        ran.reports_nothing().complains(parts);
    }
}

#[test]
fn exit_2_for_broken_settings_with_place_and_suggestion() {
    for (settings, parts) in [
        ("[severty]\n", &["toolsurface.toml:1:2]", "unknown key `severty`", "did you mean `severity`?", "here"][..]),
        (
            "\n[severity]\ntitle-mising = \"off\"\n",
            &["toolsurface.toml:3:1]", "no rule `title-mising`", "`title-missing`"],
        ),
        ("[severity]\ntitle-missing = \"loud\"\n", &["toolsurface.toml:2:17]", "write off, info, warn or error"]),
        ("[budgets]\ntotal-token = 3\n", &["toolsurface.toml:2:1]", "did you mean `total-tokens`?"]),
        ("[budgets]\ntotal-tokens = -1\n", &["toolsurface.toml:2:16]", "a number from 0"]),
        ("[budgets]\ntotal-tokens = \"3\"\n", &["toolsurface.toml:2:16]", "wrong type"]),
        ("[band]\nlow = 9\nhigh = 1\n", &["toolsurface.toml:1:1]", "`low` is above its `high`"]),
        ("[limits]\nstart-timout = 3\n", &["toolsurface.toml:2:1]", "did you mean `start-timeout`?"]),
        ("default = \"x\"\n", &["toolsurface.toml:1:11]", "no target of this name"]),
        ("[targets.x]\n", &["toolsurface.toml:1:1]", "one of `command`, `url`, `file` and `config`"]),
        ("[targets.x]\nfile = \"a\"\nera = \"old\"\n", &["toolsurface.toml:3:7]", "auto, legacy, modern or both"]),
        (
            "[[allow]]\nrule = \"title-missing\"\nsubject = \"*\"\n",
            &["toolsurface.toml:1:1]", "missing field `reason`"],
        ),
        (
            "[[allow]]\nrule = \"title-missing\"\nsubject = \"*\"\nreason = \"meh\"\n",
            &["toolsurface.toml:4:10]", "no reason to speak of", "ten characters"],
        ),
        (
            "[[allow]]\nrule = \"title-missing\"\nsubject = \"*\"\nreason = \"long enough\"\nuntil = \"soon\"\n",
            &["toolsurface.toml:5:9]", "not a day"],
        ),
        ("= 3\n", &["toolsurface.toml:1:1]"]),
    ] {
        let place = settled(&faults(), settings);
        let ran = place.run(&["audit", "list.json"]);
        assert_eq!(ran.code, 2, "{settings}\n{}", ran.err);
        ran.reports_nothing().complains(parts);
    }
}

// --- Exit 3 ---

#[test]
fn exit_3_for_a_file_that_is_no_list() {
    let expected = "expected a `tools/list` result";
    for (text, says) in [
        ("{\n  \"tools\": [,]\n}", "not JSON: line 2, column 13"),
        ("{\"tools\": [", "not JSON: line 1, column 12: the text ends"),
        ("{\"tools\": []} x", "something follows the end of the document"),
        ("", "the file is empty"),
        ("\u{feff} \n", "the file is empty"),
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}"#,
            "a JSON-RPC error, not a list: no such method",
        ),
        (r#"{"name":"x","inputSchema":{}}"#, "an object with name, inputSchema, but no `tools` array"),
        ("{}", "an empty object"),
        ("\"tools\"", "the file holds a string, not a tool list"),
        ("null", "the file holds null, not a tool list"),
        ("[1, 2, 3]", "an array of 3 items, none of which is a tool or a page"),
        ("{\"in\":\"{}\"}\n{\"into\":1}\n", "not a capture: line 2"),
        ("{\"capture\":\"toolsurface/9\"}\n", "only \"toolsurface/1\" is known"),
    ] {
        let place = Place::with(&[("list.json", text)]);
        for command in ["audit", "measure", "evidence"] {
            let ran = place.run(&[command, "list.json"]);
            assert_eq!(ran.code, 3, "{command} {text}\n{}{}", ran.out, ran.err);
            ran.reports_nothing().complains(&["list.json:", says, expected]);
        }
    }
}

#[test]
fn exit_3_for_an_empty_list_unless_it_is_meant() {
    let settings = "[targets.x]\nfile = \"list.json\"\nallow-empty = true\n[targets.y]\nfile = \"list.json\"\n";
    for text in [r#"{"tools":[]}"#, "[]", r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#] {
        let place = Place::with(&[("list.json", text), ("toolsurface.toml", settings)]);
        for word in ["list.json", "y"] {
            let ran = place.run(&["audit", word, "--fail-on", "never"]).exits(3);
            ran.says(&["not checked (list): no tools were seen", "`allow-empty = true`", "1 incident"]);
        }
        let ran = place.run(&["audit", "list.json", "--format", "json"]).exits(3);
        assert_eq!(ran.json()["summary"]["exit"], 3);
        assert_ne!(ran.target()["incidents"][0]["rules_unrun"], json!([]), "no rule had anything to look at");
        place.run(&["audit", "x"]).exits(0).quiet().says(&["0 incidents"]);
    }
}

#[test]
fn exit_3_for_the_figures_of_an_empty_list_too() {
    let place = place(&[]);
    for command in ["measure", "evidence"] {
        let ran = place.run(&[command, "list.json"]);
        assert_eq!(ran.code, 3, "{command}: no tools seen is never 0\n{}", ran.err);
    }
}

#[test]
fn exit_3_for_a_list_that_is_no_array() {
    let place = Place::with(&[("list.json", r#"{"tools":{"a":{}}}"#)]);
    place.run(&["audit", "list.json"]).exits(3).says(&["`tools` of the list is an object, not an array"]);
    place.run(&["measure", "list.json"]).exits(3).complains(&["not measured (read)"]);
    place
        .run(&["evidence", "list.json", "-o", "x.md"])
        .exits(3)
        .reports_nothing()
        .complains(&["no record was written"]);
    assert!(!place.work().join("x.md").exists());
    assert!(!place.work().join("x.payload.json").exists());
}

#[test]
fn exit_3_for_a_command_that_cannot_be_started() {
    let place = Place::new();
    let args = ["audit", "--fail-on", "never", "--", "no-such-program-anywhere", "--flag"];
    place.run(&args).exits(3).says(&["not checked (start)", "no-such-program-anywhere", "No such file or directory"]);
    let ran = place.run(&["audit", "--format", "json", "--", "no-such-program-anywhere"]).exits(3).quiet();
    assert_eq!(ran.target()["incidents"][0]["stage"], "start");
    place.run(&["measure", "--", "no-such-program-anywhere"]).exits(3).complains(&["not measured (start)"]);
}

#[test]
fn exit_3_for_a_server_that_dies_with_its_last_words_shown() {
    let place = Place::new();
    let dying = ["--era", "legacy", "--", "sh", "-c", "echo 'API_KEY is not set' >&2; echo bye >&2; exit 7"];
    let args = |format| [&["audit", "--format", format][..], &dying].concat();
    place.run(&args("human")).exits(3).says(&[
        "not checked (open)",
        "code 7",
        "the server's stderr, the last 2 lines:",
        "| API_KEY is not set",
        "| bye",
    ]);
    place.run(&args("markdown")).exits(3).says(&["**Not checked** (open):", "code 7", "bye"]);
    let ran = place.run(&args("json")).exits(3).quiet();
    let cause = ran.target()["incidents"][0]["cause"].as_str().unwrap().to_owned();
    assert!(cause.contains("code 7") && cause.contains("bye"), "{cause}");
}

#[test]
fn exit_3_outranks_1_and_both_are_shown() {
    let place = Place::new();
    let page = json!({ "tools": faults(), "nextCursor": "2" }).to_string();
    let target = server(&page, "echo out of memory >&2; exit 9");
    let ran = place.run(&with_target(&["audit", "--format", "json"], &target)).exits(3).quiet();
    assert!(ran.rules("new").contains(&"schema-missing".to_owned()));
    let summary = ran.json()["summary"].clone();
    assert_eq!(
        (&summary["error"], &summary["incidents"], &summary["exit"]),
        (&json!(1), &json!(1), &json!(3)),
        "{summary}"
    );
    for format in ["human", "markdown"] {
        let ran = place.run(&with_target(&["audit", "--format", format], &target)).exits(3).quiet();
        ran.says(&["schema-missing", "find_crate", "code 9", "1 error,", "1 incident"]);
    }
}

#[test]
fn what_was_seen_before_an_incident_makes_no_allow_stale() {
    let settings =
        "[[allow]]\nrule = \"title-missing\"\nsubject = \"later\"\nreason = \"it stands on the next page\"\n";
    let place = settled(&faults(), settings);
    let target = server(&json!({ "tools": faults(), "nextCursor": "2" }).to_string(), "exit 9");
    let ran = place.run(&with_target(&["audit", "--format", "json"], &target)).exits(3);
    assert_eq!(ran.json()["stale"], json!([]));
    let ran = place.run(&["audit", "list.json", "--format", "json"]).exits(1);
    assert_eq!(ran.json()["stale"].as_array().unwrap().len(), 1);
}

// --- Streams ---

#[test]
fn a_report_goes_to_a_file_byte_for_byte() {
    let place = faulty();
    for format in FORMATS {
        let shown = place.run(&["audit", "list.json", "--format", format]).exits(1);
        let ran = place.run(&["audit", "list.json", "--format", format, "-o", "report"]).exits(1);
        ran.reports_nothing().quiet();
        assert_eq!(place.read("report"), shown.out);
    }
    let ran = place.run(&["audit", "list.json", "-o", "no/such/folder/report"]);
    assert!(ran.code > 1, "{}", ran.code);
    ran.reports_nothing().complains(&["no/such/folder/report", "No such file or directory", "`-o`"]);
}

#[test]
fn a_dash_is_standard_input() {
    let place = faulty();
    let text = place.read("list.json");
    let ran = place.run_with(&["audit", "-", "--format", "json"], &text).exits(1).quiet();
    assert_eq!(ran.rules("new"), ["description-missing", "schema-missing", "title-missing", "tools-mergeable"]);
    assert_eq!(ran.target()["name"], "stdin");
    assert_eq!(place.run_with(&["measure", "-", "tools.count"], &text).exits(0).out, "4\n");
    place.run_with(&["evidence", "-"], &text).exits(0).says(&["| tools | **4** |"]);
    place.run_with(&["audit", "-"], "").exits(3).complains(&["-: the file is empty"]);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let tools: Vec<Value> = (0..1_000).map(|n| tool(&format!("find_crate_{n}"), json!({ "title": null }))).collect();
    let place = place(&tools);
    for args in [
        &["audit", "list.json", "--format", "json", "--fail-on", "info"][..],
        &["measure", "list.json", "--format", "json"],
        &["rules", "--format", "json"],
    ] {
        let whole = place.run(args);
        assert!(whole.out.len() > 66_000, "{args:?}: the pipe holds all of it: {}", whole.out.len());
        let mut command = place.command(PROGRAM);
        let mut child = command.args(args).spawn().unwrap();
        let mut line = String::new();
        BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(wait(&mut child, &args.join(" ")), whole.code, "{args:?}");
        let mut told = String::new();
        child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        assert_eq!(told, "", "{args:?}");
    }
}

#[test]
fn colours_are_for_terminals_and_those_who_ask() {
    let place = faulty();
    let coloured = |ran: &Ran| ran.out.contains('\u{1b}');
    assert!(!coloured(&place.run(&["audit", "list.json"])));
    assert!(!coloured(&place.run(&["audit", "list.json", "--color", "never"])));
    assert!(coloured(&place.run(&["audit", "list.json", "--color", "always"])));
    assert!(!coloured(&place.run(&["audit", "list.json", "--color", "always", "--format", "json"])));
    assert!(!coloured(&place.run(&["audit", "list.json", "--color", "always", "--format", "markdown"])));
}

// --- Input ---

#[test]
fn every_form_of_a_list_has_the_same_payload() {
    let tools = [healthy("find_parcel"), tool("find_crate", json!({ "title": "Grüße 😀" })), healthy("find_truck")];
    let whole = list(&tools);
    let bytes = format!("{}\n", whole.len());
    let result = |from: usize, to: usize| json!({ "tools": tools[from..to] });
    let answer = |id: u32, result: Value| json!({ "jsonrpc": "2.0", "id": id, "result": result });
    let place = Place::with(&[
        ("array.json", &json!(tools).to_string()),
        ("result.json", &serde_json::to_string_pretty(&json!({ "tools": tools, "nextCursor": null })).unwrap()),
        ("response.json", &answer(1, result(0, 3)).to_string()),
        ("pages.json", &json!([result(0, 2), result(2, 3)]).to_string()),
        ("responses.json", &json!([answer(1, result(0, 1)), answer(2, result(1, 3))]).to_string()),
        (
            "messages.jsonl",
            &[answer(0, json!({ "protocolVersion": "2025-06-18" })), answer(1, result(0, 2)), answer(2, result(2, 3))]
                .map(|message| message.to_string())
                .join("\n"),
        ),
        ("bom.json", &format!("\u{feff}{whole}\r\n")),
    ]);
    let target = server(&whole, "exit 1");
    place.run(&with_target(&["capture", "--era", "legacy", "-o", "capture.jsonl"], &target)).exits(0);
    for file in [
        "array.json",
        "result.json",
        "response.json",
        "pages.json",
        "responses.json",
        "messages.jsonl",
        "capture.jsonl",
        "bom.json",
    ] {
        let ran = place.run(&["measure", file, "payload.bytes"]).exits(0).quiet();
        assert_eq!(ran.out, bytes, "{file}");
        assert_eq!(place.run(&["measure", file, "tools.count"]).exits(0).out, "3\n", "{file}");
    }
}

#[test]
fn one_figure_is_a_bare_value() {
    let place = faulty();
    for (id, value) in [("tools.count", "4"), ("band.verdict", "below"), ("output_schema.present", "4")] {
        let ran = place.run(&["measure", "list.json", id]).exits(0).quiet();
        assert_eq!(ran.out, format!("{value}\n"));
    }
    let ran = place.run(&["measure", "list.json", "payload.o200k"]).exits(0);
    assert!(ran.out.trim_end().parse::<u32>().unwrap() > 100, "{}", ran.out);
    let one = place.run(&["measure", "list.json", "payload.bytes", "--format", "json"]).exits(0).json();
    assert_eq!((&one["id"], &one["value"]), (&json!("payload.bytes"), &json!(list(&with_healthy()).len())));
    let ran = place.run(&["measure", "list.json"]).exits(0).quiet();
    ran.says(&["payload.bytes", "toolsurface measure list.json ID"]);
}

fn with_healthy() -> Vec<Value> {
    let mut tools = faults();
    tools.push(healthy("find_parcel"));
    tools
}

#[test]
fn one_figure_of_the_default_target_and_of_a_command() {
    let place = settled(&faults(), "[targets.only]\nfile = \"list.json\"\n");
    assert_eq!(place.run(&["measure", "tools.count"]).exits(0).out, "3\n");
    assert_eq!(place.run(&["measure", "only", "tools.count"]).exits(0).out, "3\n");
    let args = [&["measure", "tools.count"][..], &DEMO].concat();
    assert_eq!(place.run(&args).exits(0).quiet().out, "62\n");
}

#[test]
fn the_default_target_is_found_upward_but_not_above_the_repository() {
    let settings = "default = \"b\"\n[targets.a]\nfile = \"none.json\"\n[targets.b]\nfile = \"list.json\"\n";
    let place = settled(&faults(), settings);
    place.write("deep/deeper/x", "");
    let ran = place.run_in("deep/deeper", &["audit", "--format", "json"], "").exits(1);
    assert_eq!(ran.target()["name"], "b", "and its file is found from there too");
    place.write("deep/.git", "gitdir: elsewhere");
    place.run_in("deep/deeper", &["audit"], "").exits(2).complains(&["no target"]);
    place.run_in("deep/deeper", &["audit", "--config", "../../toolsurface.toml"], "").exits(1);
    place.run(&["audit", "--no-config"]).exits(2).complains(&["no target"]);
}

#[test]
fn a_target_with_a_command_starts_in_the_folder_of_the_settings() {
    let script = "cat env.txt >&2; echo \"$SECRET\" >&2; exit 4";
    let settings = format!(
        "[targets.x]\ncommand = [\"sh\", \"-c\", '{script}']\nera = \"legacy\"\nenv = {{ SECRET = \"s3cret\" }}\n"
    );
    let place = Place::with(&[("toolsurface.toml", &settings), ("env.txt", "from the folder\n"), ("deep/x", "")]);
    let ran = place.run_in("deep", &["audit"], "").exits(3);
    ran.says(&["code 4", "| from the folder", "| s3cret"]);
}

// --- Several targets ---

/// A place with lists that have something to do with one another.
fn depots() -> Place {
    Place::with(&[
        ("north.json", &list(&[healthy("find_parcel"), healthy("weigh_parcel"), healthy("only_north")])),
        ("south.json", &list(&[tool("find_parcel", json!({ "title": null })), healthy("only_south")])),
        ("twin.json", &list(&[healthy("only_north"), healthy("find_parcel"), healthy("weigh_parcel")])),
        ("bad.json", &list(&faults())),
        ("none.json", "{}"),
    ])
}

/// The servers that each finding of a rule between targets names.
fn between(report: &serde_json::Value, rule: &str) -> Vec<serde_json::Value> {
    let findings = report["across"]["findings"].as_array().unwrap().iter();
    findings.filter(|finding| finding["rule"] == rule).map(|finding| finding["facts"]["servers"].clone()).collect()
}

#[test]
fn several_targets_are_reported_in_their_order_and_together() {
    let place = depots();
    let files = ["twin.json", "south.json", "north.json"];
    let report = place.run(&[&["audit", "--format", "json"][..], &files].concat()).exits(0).quiet().json();
    let target = |n: usize| report["targets"][n].clone();
    assert_eq!([0, 1, 2].map(|n| target(n)["name"].clone()), ["twin", "south", "north"]);
    let tokens = |n: usize| {
        let measures = target(n)["measures"].as_array().unwrap().clone();
        let found = measures.into_iter().find(|measure| measure["id"] == "payload.o200k");
        found.unwrap()["value"].as_u64().unwrap()
    };
    let across = report["across"].clone();
    assert_eq!(across["tokens"], tokens(0) + tokens(1) + tokens(2));
    assert_eq!(across["dearest"], json!({ "target": "twin", "tokens": tokens(0) }));
    assert_eq!(across["tools"], 8);
    assert_eq!(between(&report, "duplicate-server"), [json!(["twin", "north"])]);
    let clashes = [json!(["twin", "south", "north"]), json!(["twin", "north"]), json!(["twin", "north"])];
    assert_eq!(between(&report, "name-collision-across-servers"), clashes);
    assert_eq!((&report["summary"]["info"], &report["summary"]["warn"]), (&json!(1), &json!(4)));
    for (n, file) in files.into_iter().enumerate() {
        let alone = place.run(&["audit", file, "--format", "json"]).exits(0);
        assert_eq!(target(n), alone.target(), "{file} is as it is alone");
        assert_eq!(alone.json().get("across"), None);
    }
}

#[test]
fn the_highest_code_of_all_targets_counts() {
    let place = depots();
    for (files, code) in [
        (&["north.json", "south.json"][..], 0),
        (&["north.json", "bad.json"], 1),
        (&["bad.json", "north.json"], 1),
        (&["none.json", "bad.json"], 3),
        (&["bad.json", "none.json", "north.json"], 3),
        (&["north.json", "no-such-file.json"], 2),
    ] {
        for format in FORMATS {
            place.run(&[&["audit", "--format", format][..], files].concat()).exits(code);
        }
    }
    let settings = "[targets.x]\nfile = \"bad.json\"\nfail-on = \"never\"\n[targets.y]\nfile = \"bad.json\"\n";
    place.write("toolsurface.toml", settings);
    place.run(&["audit", "x", "north.json"]).exits(0);
    place.run(&["audit", "x", "y"]).exits(1);
}

#[test]
fn a_target_that_cannot_be_read_does_not_keep_the_others_from_being_reported() {
    let place = depots();
    let report = place.run(&["audit", "none.json", "bad.json", "--format", "json"]).exits(3).quiet().json();
    let incident = &report["targets"][0]["incidents"][0];
    assert_eq!(incident["stage"], "read");
    assert_eq!(incident["cause"], "none.json: the file holds an empty object");
    assert_ne!(incident["rules_unrun"], json!([]));
    assert_eq!(report["targets"][1]["name"], "bad");
    assert_eq!(report["summary"]["error"], 1);
    let ran = place.run(&["audit", "none.json", "bad.json"]).exits(3).quiet();
    ran.says(&[
        "not checked (read): none.json: the file holds an empty object",
        "error[schema-missing]",
        "all 2 targets",
    ]);
}

#[test]
fn targets_of_one_name_are_told_apart() {
    let place = depots();
    place.write("deep/north.json", place.read("south.json"));
    let files = ["north.json", "deep/north.json", "north.json"];
    let report = place.run(&[&["audit", "--format", "json"][..], &files].concat()).exits(0).json();
    let names: Vec<_> = report["targets"].as_array().unwrap().iter().map(|target| target["name"].clone()).collect();
    assert_eq!(names, ["north.json", "deep/north.json", "north.json (2)"]);
    assert_eq!(between(&report, "duplicate-server"), [json!(["north.json", "north.json (2)"])]);
}

#[test]
fn an_allow_is_stale_only_when_no_target_needs_it() {
    let place = depots();
    place.write("toolsurface.toml", ALLOWED);
    let ran = place.run(&["audit", "north.json", "bad.json"]).exits(0);
    ran.says(&["0 errors, 1 warning, 1 info, 1 allowed, 0 incidents"]);
    let report = place.run(&["audit", "north.json", "south.json", "--format", "json"]).exits(0).json();
    assert_eq!((&report["summary"]["stale"], report["stale"].as_array().unwrap().len()), (&json!(1), 1));
    let report = place.run(&["audit", "north.json", "none.json", "--format", "json"]).exits(3).json();
    assert_eq!(report["stale"], json!([]));
}

#[test]
fn eight_servers_that_take_3_seconds_each_are_started_side_by_side() {
    let slow = server(&list(&[healthy("find_parcel")]), "exit 1").pop().unwrap();
    let settings: String = (0..8)
        .map(|n| format!("[targets.s{n}]\ncommand = ['sh', '-c', '''sleep 3; {slow}''']\nera = \"legacy\"\n"))
        .collect();
    let place = Place::with(&[("toolsurface.toml", &settings)]);
    let names: Vec<String> = (0..8).map(|n| format!("s{n}")).collect();
    let began = std::time::Instant::now();
    let report = place.run(&with_target(&["audit", "--format", "json"], &names)).exits(0).quiet().json();
    assert!(began.elapsed() < std::time::Duration::from_secs(23), "{:?}", began.elapsed());
    for (n, name) in names.iter().enumerate() {
        assert_eq!(report["targets"][n]["name"], *name);
        assert!(report["targets"][n]["timing"]["start_ms"].as_u64().unwrap() >= 3_000);
    }
    assert_eq!(between(&report, "duplicate-server"), [json!(names)]);
}

/// A config file with a server twice, one that its host does not start, and one that nothing leads to.
fn config() -> Place {
    let demo = json!({ "command": "toolsurface", "args": ["demo"] });
    let off = json!({ "command": "no-such-program-anywhere", "disabled": true });
    let lost = json!({ "url": "https://example.test/${env:NO_SUCH_VARIABLE}/mcp", "type": "streamable-http" });
    let servers = json!({ "mcpServers": { "one": demo, "two": demo, "off": off, "lost": lost } });
    Place::with(&[(".roo/mcp.json", &servers.to_string())])
}

#[test]
fn a_config_file_is_judged_and_its_servers_are_audited() {
    let place = config();
    let report = place.run(&["audit", ".roo/mcp.json", "--format", "json"]).exits(3).quiet().json();
    let targets = report["targets"].as_array().unwrap();
    let names: Vec<_> = targets.iter().map(|target| target["name"].as_str().unwrap()).collect();
    assert_eq!(names, [".roo/mcp.json", "one", "two", "lost"]);
    assert_eq!((&targets[0]["measures"], &targets[0]["incidents"]), (&json!([]), &json!([])));
    assert_eq!(targets[1]["tools"].as_array().unwrap().len(), 62);
    assert_eq!(targets[1]["measures"][0]["how"][0], "toolsurface measure .roo/mcp.json --server one tools.count");
    assert_eq!(targets[3]["incidents"][0]["stage"], "start");
    assert!(targets[3]["incidents"][0]["cause"].as_str().unwrap().contains("NO_SUCH_VARIABLE"), "{}", targets[3]);
    assert_eq!(between(&report, "duplicate-server"), [json!(["one", "two"])]);
    let ran = place.run(&["audit", ".roo/mcp.json", "--server", "two"]).exits(1).quiet();
    ran.says(&[".roo/mcp.json · config of hosts", "two · tarnfell-depot 4.2.0", "all 2 targets"]);
    let ran = place.run(&["measure", ".roo/mcp.json", "--server", "one", "tools.count"]).exits(0).quiet();
    assert_eq!(ran.out, "62\n");
    place.write("toolsurface.toml", "[targets.team]\nconfig = \".roo/mcp.json\"\nfail-on = \"never\"\n");
    let report = place.run(&["audit", "--server", "one", "--format", "json"]).exits(0).json();
    assert_eq!(report["targets"][1]["measures"][0]["how"][0], "toolsurface measure team --server one tools.count");
}

#[test]
fn a_config_file_alone_starts_nothing() {
    let place = Place::with(&[(".mcp.json", r#"{"mcpServers":{"a":{"command":"sh","args":["-c","touch started"]}}}"#)]);
    let report = place.run(&["audit", ".mcp.json", "--config-only", "--format", "json"]).exits(0).quiet().json();
    assert_eq!(report["targets"].as_array().unwrap().len(), 1);
    assert_ne!(report["targets"][0]["rules"]["ran"], json!([]));
    assert!(!place.work().join("started").exists());
    place.run(&["audit", ".mcp.json"]).exits(3);
    assert!(place.work().join("started").exists());
}

#[test]
fn a_config_file_that_leads_to_nobody_is_no_clean_run() {
    let place = Place::with(&[(".mcp.json", r#"{"mcpServers":{}}"#)]);
    let ran = place.run(&["audit", ".mcp.json", "--fail-on", "never"]).exits(3).quiet();
    ran.says(&["not checked (start): its host starts no server", "`--config-only`"]);
    place.run(&["audit", ".mcp.json", "--config-only", "--fail-on", "never"]).exits(0);
}

#[test]
fn what_is_meant_for_one_server_reaches_one() {
    let place = config();
    place.write("calls.toml", "[[calls]]\ntool = \"x\"\n");
    for (args, parts) in [
        (&["measure", ".roo/mcp.json"][..], &["takes one server", "`one`", "`two`"][..]),
        (&["audit", ".roo/mcp.json", "--server", "tow"], &["no server `tow`", "there is: `one`, `two`, `off`, `lost`"]),
        (&["audit", ".roo/mcp.json", "--env", "K=V"], &["`--env` would reach 2 servers"]),
        (&["audit", ".roo/mcp.json", "--calls", "calls.toml"], &["`--calls` would reach 2 servers"]),
        (&["audit", "--server", "two", "--", "toolsurface", "demo"], &["`--server` is for config files"]),
        (&["audit", "--config-only", "--", "toolsurface", "demo"], &["`--config-only` is for config files"]),
        (&["audit", "--input", "id=V", "--", "toolsurface", "demo"], &["`--input` is for config files"]),
        (
            &["audit", "http://127.0.0.1:9/a", "http://127.0.0.1:9/b", "--header", "X-Key: 1"],
            &["`--header` would reach 2 servers"],
        ),
    ] {
        place.run(args).exits(2).reports_nothing().complains(parts);
    }
}

#[test]
fn a_config_file_sees_nothing_of_what_our_command_line_hid() {
    let text = r#"{"mcpServers":{"a":{"command":"sh","args":["-c","echo <${TOOLSURFACE_PRIVATE_0}> >&2; exit 1"]}}}"#;
    let place = Place::with(&[(".mcp.json", text)]);
    let ran = place.run(&["audit", ".mcp.json", "--env", "KEY=s3cret-0f9a8b7c"]).exits(3);
    assert!(!ran.out.contains(SECRET) && !ran.err.contains(SECRET), "{}{}", ran.out, ran.err);
}

/// A config file with a server at an address that asks for a token, one that is started, and one that is not as its
/// host reads it.
fn guarded() -> Place {
    let demo = json!({ "command": "toolsurface", "args": ["demo"] });
    let guarded = json!({ "type": "http", "url": "http://127.0.0.1:9/mcp", "headers": { "X-Key": "${GUARD_TOKEN}" } });
    let broken = json!({ "comand": "toolsurface" });
    let servers = json!({ "mcpServers": { "guarded": guarded, "demo": demo, "broken": broken } });
    Place::with(&[(".mcp.json", &servers.to_string())])
}

/// Rules and subjects of the findings of the first target.
fn found(report: &Value) -> Vec<(&str, &str)> {
    let findings = report["targets"][0]["findings"].as_array().unwrap().iter();
    findings
        .map(|finding| (finding["rule"].as_str().unwrap(), finding["subject"]["path"][0].as_str().unwrap()))
        .filter(|(rule, _)| *rule != "config-unpinned-package")
        .collect()
}

#[test]
fn a_server_named_narrows_what_is_said_of_its_file() {
    let place = guarded();
    let only = |names: &[&str], code: i32| {
        let names = names.iter().flat_map(|name| ["--server", name]);
        let args: Vec<&str> =
            ["audit", ".mcp.json", "--config-only", "--format", "json"].into_iter().chain(names).collect();
        place.run(&args).exits(code).quiet().json()
    };
    let broken = ("config-entry-empty", "broken");
    let unset = ("config-env-unresolved", "guarded");
    assert_eq!(found(&only(&[], 1)), [broken, unset]);
    assert_eq!(found(&only(&["demo"], 0)), []);
    assert_eq!(found(&only(&["broken"], 1)), [broken]);
    assert_eq!(found(&only(&["demo", "guarded"], 1)), [unset]);
    place.run(&["audit", ".mcp.json", "--config-only", "--server", "no"]).exits(2).complains(&["no server `no`"]);
    let roo = config();
    roo.run(&["audit", ".roo/mcp.json", "--config-only", "--server", "off"]).exits(0);
    let ran = roo.run(&["audit", ".roo/mcp.json", "--server", "off"]).exits(2);
    ran.complains(&["the server `off` is switched off", "`--config-only`"]);
}

#[test]
fn a_variable_given_reaches_what_uses_it() {
    let place = guarded();
    let ran =
        place.run(&["audit", ".mcp.json", "--config-only", "--env", "GUARD_TOKEN=k", "--format", "json"]).exits(1);
    assert_eq!(found(&ran.json()), [("config-entry-empty", "broken")]);
    // The server that is started does not get what is meant for the other.
    let report = place.run(&["audit", ".mcp.json", "--env", "GUARD_TOKEN=k", "--format", "json"]).exits(3).json();
    let cause = |at: usize| report["targets"][at]["incidents"][0]["cause"].as_str().unwrap_or_default();
    assert!(cause(1).contains("127.0.0.1:9") && cause(2).is_empty(), "{}, {}", cause(1), cause(2));
    assert_eq!(cause(3), "it was not contacted: neither a command nor an address is there");
    let ran = place.run(&["capture", ".mcp.json", "--server", "demo", "--env", "GUARD_TOKEN=k"]);
    assert!(!ran.out.contains("GUARD_TOKEN"), "{}", ran.out);
    let why =
        "`guarded` is not contacted: `${GUARD_TOKEN}` has no value: set GUARD_TOKEN, or give `--env GUARD_TOKEN=VALUE`";
    let args = ["audit", ".mcp.json", "--server", "guarded", "--bearer-env", "HOME"];
    place.run(&args).exits(2).complains(&["`--bearer-env` is for an address, and no target is one", why]);
    let key = json!({ "name": "API_KEY", "isRequired": true, "isSecret": true });
    let package = json!({ "registryType": "npm", "identifier": "no-such-package", "version": "1.0.0", "environmentVariables": [key] });
    place.write("server.json", json!({ "name": "test.example/x", "packages": [package] }).to_string());
    place.run(&["audit", "server.json", "--config-only"]).exits(0);
    let ran = place.run(&["audit", "server.json"]).exits(3);
    ran.says(&["its host asks for `API_KEY`: give a value with `--input", "MCP_INPUT_API_KEY"]);
    let ran = place.run(&["audit", "server.json", "--input", "API_KYE=x"]).exits(2);
    ran.complains(&["no config file asks for an input `API_KYE`", "there is: `API_KEY`"]);
}

#[test]
fn inputs_that_a_host_asks_for_are_no_findings() {
    let inputs = json!([{ "id": "key", "type": "promptString", "password": true }]);
    let server = json!({ "type": "stdio", "command": "toolsurface", "args": ["demo"], "env": { "K": "${input:key}" } });
    let file = json!({ "inputs": inputs, "servers": { "demo": server } }).to_string();
    let place = Place::with(&[(".vscode/mcp.json", &file)]);
    place.run(&["audit", ".vscode/mcp.json", "--config-only", "--fail-on", "info"]).exits(0);
    let ran = place.run(&["audit", ".vscode/mcp.json"]).exits(3);
    ran.says(&["not checked (start)", "its host asks for `${input:key}`"]);
    place.run(&["measure", ".vscode/mcp.json", "--input", "key=k", "tools.count"]).exits(0);
}

#[test]
fn what_is_no_regular_file_is_refused_at_once() {
    let place = guarded();
    for (name, made) in [("pipe.json", "mkfifo pipe.json"), ("zero.json", "ln -s /dev/zero zero.json")] {
        assert!(
            std::process::Command::new("sh").args(["-c", made]).current_dir(place.work()).status().unwrap().success()
        );
        place.run(&["audit", name]).exits(2).complains(&[&format!("`{name}` is no regular file")]);
    }
    place.run(&["audit", "list.json", "--config", "pipe.json"]).exits(2).complains(&["pipe.json: no regular file"]);
    place.write("own/README.md", "");
    std::os::unix::fs::symlink("/dev/zero", place.work().join("own/zero.md")).unwrap();
    place.run(&["audit", "list.json", "--rules", "own"]).exits(2).complains(&["own/zero.md: no regular file"]);
    let server = |file: &str| json!({ "command": "toolsurface", "args": ["demo"], "envFile": file });
    let file = json!({ "servers": { "a": server("pipe.json"), "b": server("/dev/zero") } }).to_string();
    place.write(".vscode/mcp.json", file);
    let report = place.run(&["audit", ".vscode/mcp.json", "--format", "json"]).exits(3).json();
    for at in [1, 2] {
        let cause = report["targets"][at]["incidents"][0]["cause"].as_str().unwrap();
        assert_eq!(cause, "it was not contacted: its `envFile` cannot be read");
    }
    place.write("toolsurface.toml", "[targets.team]\nconfig = \"pipe.json\"\n");
    place.run(&["audit", "team"]).exits(3).complains(&["pipe.json", "no regular file"]);
}

#[test]
fn a_source_is_about_the_host_whose_file_it_is() {
    let place = Place::new();
    let unset = |root: &str, syntax: &str| {
        json!({ root: { "a": { "command": "a", "env": { "K": format!("{syntax}NO_SUCH_VARIABLE}}") } } } }).to_string()
    };
    for (path, text, host) in [
        (".mcp.json", unset("mcpServers", "${"), "claude-code"),
        (".cursor/mcp.json", unset("mcpServers", "${env:"), "cursor"),
        (".gemini/settings.json", unset("mcpServers", "${"), "gemini"),
        (".vscode/mcp.json", unset("servers", "${env:"), "vscode"),
    ] {
        place.write(path, text);
        let report = place.run(&["audit", path, "--config-only", "--format", "json"]).exits(1).json();
        let finding = &report["targets"][0]["findings"][0];
        assert_eq!((&finding["rule"], &finding["host"]), (&json!("config-env-unresolved"), &json!(host)));
        let claude = finding["cites"].to_string().contains("claude-code");
        assert_eq!(claude, host == "claude-code", "{path}: {}", finding["cites"]);
    }
    // The folder that one is in tells the host as well.
    let mut inside = place.command(PROGRAM);
    inside.args(["audit", "mcp.json", "--config-only", "--format", "json"]).current_dir(place.work().join(".cursor"));
    let report: Value = serde_json::from_slice(&inside.output().unwrap().stdout).unwrap();
    assert_eq!(report["targets"][0]["findings"][0]["host"], "cursor");
    let ran = place.run(&["audit", ".cursor/mcp.json", ".mcp.json", "--config-only", "--width", "200"]).exits(1);
    let (claude, cursor) = ran.out.split_once(".cursor/mcp.json:").unwrap();
    assert!(claude.contains("host: Claude Code") && !cursor.contains("host: Claude Code"), "{}", ran.out);
}

#[test]
fn a_credential_among_the_words_of_a_command_is_told_nowhere() {
    const KEY: &str = "Zq8vN3mK1pT7wX5yR2bL";
    let script = "echo \"bad key: $*\" >&2; exit 1";
    let args = ["-c", script, "x", "--api-key", KEY, "https://a.test/?token=Zq8vN3mK1pT7wX5yR2bL"];
    let entry = json!({ "mcpServers": { "a": { "command": "sh", "args": args } } }).to_string();
    let place = Place::with(&[(".mcp.json", &entry)]);
    place.write(
        "toolsurface.toml",
        format!("[targets.team]\ncommand = [\"sh\", \"-c\", '{script}', \"x\", \"{KEY}\", \"--token={KEY}\"]\n"),
    );
    let words = [&["--", "sh"][..], &args].concat();
    for command in [
        &["audit"][..],
        &["audit", "--format", "json"],
        &["audit", "--format", "markdown"],
        &["measure"],
        &["measure", "--format", "json"],
        &["capture"],
        &["evidence"],
    ] {
        for target in [&[".mcp.json"][..], &["team"], &words] {
            let ran = place.run(&[command, target].concat());
            assert!(
                ran.out.contains("***") || ran.err.contains("***") || command != ["capture"],
                "{}{}",
                ran.out,
                ran.err
            );
            assert!(!ran.out.contains(KEY) && !ran.err.contains(KEY), "{command:?} {target:?}\n{}{}", ran.out, ran.err);
        }
    }
    // A server that answers is told of by its command too.
    let line = format!("exec {PROGRAM} demo");
    let answers = ["audit", "--format", "json", "--", "sh", "-c", &line, "x", "--api-key", KEY];
    let report = place.run(&answers).exits(1).json();
    let how = format!("toolsurface measure tools.count -- sh -c '{line}' x --api-key '***'");
    assert_eq!(report["targets"][0]["measures"][0]["how"][0], how);
}

#[test]
fn the_other_commands_take_one_target() {
    let place = depots();
    for command in ["evidence", "capture"] {
        place.run(&[command, "north.json", "south.json"]).exits(2).complains(&["unexpected argument 'south.json'"]);
    }
}

#[test]
fn options_that_no_target_has_a_use_for_are_refused() {
    let place = depots();
    for (option, part) in [
        (&["--header", "X-Key: 1"][..], "`--header` is for an address"),
        (&["--header-env", "X-Key=HOME"], "`--header-env` is for an address"),
        (&["--bearer-env", "HOME"], "`--bearer-env` is for an address"),
        (&["--transport", "sse"], "`--transport` is for an address"),
        (&["--env", "A=1"], "`--env` is for a server that is started"),
        (&["--repeat", "2"], "`--repeat` is for a live server"),
        (&["--stability"], "`--stability` is for a live server"),
        (&["--watch", "1"], "`--watch` is for a live server"),
        (&["--probe"], "`--probe` is for a live server"),
        (&["--calls", "calls.toml"], "`--calls` is for a live server"),
    ] {
        place.run(&[&["audit", "north.json"], option].concat()).exits(2).reports_nothing().complains(&[part]);
    }
}

// --- What nobody may see ---

const SECRET: &str = "s3cret-0f9a8b7c";

#[test]
fn values_of_options_stand_neither_in_our_command_line_nor_in_the_servers_environment() {
    let script =
        "tr '\\0' ' ' </proc/$PPID/cmdline >&2; echo >&2; env | grep -c TOOLSURFACE >&2; echo \"<$KEY>\" >&2; exit 1";
    for option in [&["--env", "KEY=s3cret-0f9a8b7c"][..], &["--env=KEY=s3cret-0f9a8b7c"]] {
        let args = [&["audit", "--era", "legacy"][..], option, &["--", "sh", "-c", script]].concat();
        let ran = Place::new().run(&args).exits(3).quiet();
        assert!(!ran.out.contains(SECRET), "{}", ran.out);
        // Where lines break hangs on the path of the program, so that only single words are looked for.
        ran.says(&["TOOLSURFACE_PRIVATE_0", "| 0 |", "| <${KEY}>"]);
    }
}

#[test]
fn a_header_stands_not_in_our_command_line() {
    let place = Place::with(&[("toolsurface.toml", "[targets.x]\nurl = \"http://127.0.0.1:9/mcp\"\n")]);
    let mut command = place.command(PROGRAM);
    // It waits for the list on its standard input.
    let mut child = command.args(["audit", "-", "x", "--header", &format!("X-Key: {SECRET}")]).spawn().unwrap();
    let line = format!("/proc/{}/cmdline", child.id());
    let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
    let shown = loop {
        let shown = std::fs::read_to_string(&line).unwrap();
        if shown.contains("TOOLSURFACE_PRIVATE_0") || std::time::Instant::now() > until {
            break shown;
        }
    };
    assert!(shown.contains("--header\0TOOLSURFACE_PRIVATE_0\0") && !shown.contains(SECRET), "{shown}");
    drop(child.stdin.take());
    assert_eq!(wait(&mut child, "audit"), 3);
    let mut told = String::new();
    child.stdout.take().unwrap().read_to_string(&mut told).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert!(!told.contains(SECRET), "{told}");
}

#[test]
fn faults_around_secrets_are_told_without_them() {
    let settings = format!(
        "[targets.x]\nurl = \"https://u:{SECRET}@example.test/{SECRET}-0123456789/mcp?key={SECRET}\"\n\
         headers = {{ X-Key = \"{SECRET}\" }}\nbearer-env = \"NO_SUCH_VARIABLE\"\n"
    );
    let place = Place::with(&[("toolsurface.toml", &settings)]);
    let address = format!("https://u:{SECRET}@example.test/mcp?key={SECRET}");
    for (args, part) in [
        (vec!["audit"], "the variable `NO_SUCH_VARIABLE` is not set"),
        (vec!["audit", &address, "--header", SECRET], "`--header` is not given as `'Name: value'`"),
        (vec!["audit", &address, "--header", "X-Key: s3cret-0f9a8b7c\r\nY: 1"], "more than printable ASCII"),
        (vec!["audit", &address, "--header", "X Key: s3cret-0f9a8b7c"], "`X Key` is no name of a header"),
        (vec!["audit", &address, "--header-env", SECRET], "is not given as `Name=VARIABLE`"),
        (vec!["audit", "--env", SECRET, "--", "sh"], "is not given as `NAME=value`"),
        (vec!["audit", &address, "--format", "jsn"], "invalid value 'jsn'"),
    ] {
        let ran = place.run(&args).exits(2);
        assert!(!ran.err.contains("s3cret"), "{args:?}\n{}", ran.err);
        ran.reports_nothing().complains(&[part]);
    }
    for (line, part) in [
        ("transport = \"ws\"", "not a transport"),
        ("transprt = \"http\"", "unknown key"),
        ("env = { A = 1 }", "wrong type"),
        ("url = \"http://x\"", "duplicate key"),
        ("file = \"x\"", "one of `command`, `url`, `file` and `config`"),
        ("headers2 = { X = \"s3cret\" }", "unknown key"),
        ("bearer-env = [", ""),
    ] {
        place.write("toolsurface.toml", format!("{settings}{line}\n"));
        let ran = place.run(&["audit"]).exits(2);
        assert!(!ran.err.contains("s3cret"), "{line}\n{}", ran.err);
        ran.complains(&["toolsurface.toml:", part]);
    }
}

// --- Settings ---

#[test]
fn severities_are_set_and_switched_off() {
    let settings = "[severity]\ntitle-missing = \"error\"\nschema-missing = \"off\"\ndescription-missing = \"info\"\n";
    let place = settled(&faults(), settings);
    let ran = place.run(&["audit", "list.json", "--format", "json"]).exits(1);
    let severity = |rule: &str| {
        let findings = ran.findings();
        let found = findings.iter().find(|finding| finding["rule"] == rule);
        found.map(|finding| finding["severity"].as_str().unwrap().to_owned())
    };
    assert_eq!(severity("title-missing").as_deref(), Some("error"));
    assert_eq!(severity("description-missing").as_deref(), Some("info"));
    assert_eq!(severity("schema-missing"), None);
    assert_eq!(ran.target()["rules"]["off"], json!(["schema-missing"]));
    let ran_rules = ran.target()["rules"]["ran"].as_array().unwrap().clone();
    assert!(!ran_rules.contains(&json!("schema-missing")));
    place.run(&["audit", "list.json"]).says(&["error[title-missing]"]);
}

#[test]
fn budgets_and_the_band_are_checked_when_set() {
    let tools = [healthy("find_parcel"), healthy("trace_parcel")];
    let bytes = list(&tools).len();
    for (settings, rules) in [
        (String::new(), &[][..]),
        (format!("[budgets]\ntotal-bytes = {bytes}\n"), &[]),
        (format!("[budgets]\ntotal-bytes = {}\n", bytes - 1), &["payload-over-budget"]),
        ("[budgets]\ntotal-tokens = 10\ntool-tokens = 10\n".to_owned(), &["payload-over-budget", "tool-over-budget"]),
        ("[budgets]\ncontext-window = 1000\nmax-share-percent = 1.5\n".to_owned(), &["context-share-high"]),
        ("[band]\nlow = 1\nhigh = 2\n".to_owned(), &[]),
        ("[band]\nlow = 1\nhigh = 1\n".to_owned(), &["tool-count-over-band"]),
    ] {
        let place = settled(&tools, &settings);
        let ran = place.run(&["audit", "list.json", "--format", "json", "--fail-on", "never"]).exits(0);
        assert_eq!(ran.rules("new"), rules, "{settings}");
    }
    for (low, high, verdict) in [(1, 1, "above"), (2, 2, "within"), (3, 3, "below")] {
        let place = settled(&tools, &format!("[band]\nlow = {low}\nhigh = {high}\n"));
        assert_eq!(place.run(&["measure", "list.json", "band.verdict"]).exits(0).out, format!("{verdict}\n"));
    }
}

const ALLOWED: &str =
    "[[allow]]\nrule = \"schema-missing\"\nsubject = \"find_*\"\nreason = \"it takes no arguments\"\n";

#[test]
fn allowed_findings_are_counted_and_do_not_fail() {
    let place = settled(&faults(), ALLOWED);
    let ran = place.run(&["audit", "list.json", "--format", "json"]).exits(0);
    assert_eq!(ran.rules("allowed"), ["schema-missing"]);
    assert_eq!(ran.rules("new"), ["description-missing", "title-missing"]);
    let summary = ran.json()["summary"].clone();
    assert_eq!((&summary["error"], &summary["allowed"], &summary["stale"]), (&json!(0), &json!(1), &json!(0)));
    let finding = ran.findings().into_iter().find(|finding| finding["state"] == "allowed").unwrap();
    assert_eq!(finding["reason"], "it takes no arguments");
    let ran = place.run(&["audit", "list.json"]).exits(0);
    ran.says(&["1 allowed"]);
    let place = settled(&faults(), &ALLOWED.replace("find_*", "find_truck"));
    place.run(&["audit", "list.json"]).exits(1);
}

#[test]
fn a_stale_allow_is_reported() {
    let place = settled(&faults()[1..], &format!("# one\n\n{ALLOWED}"));
    let ran = place.run(&["audit", "list.json", "--format", "json"]).exits(0);
    let stale = json!([{ "rule": "schema-missing", "subject": "find_*", "line": 4, "ended": null }]);
    assert_eq!((&ran.json()["stale"], &ran.json()["summary"]["stale"]), (&stale, &json!(1)));
    let ran = place.run(&["audit", "list.json"]).exits(0);
    ran.says(&["stale allow, line 4: `schema-missing` for `find_*` matches no finding", "1 stale allow"]);
    let ran = place.run(&["audit", "list.json", "--format", "markdown"]).exits(0);
    ran.says(&["stale allow on line 4: `schema-missing` for"]);
}

#[test]
fn an_allow_ends_with_its_last_day() {
    let place = settled(&faults(), &format!("{ALLOWED}until = \"2027-01-31\"\n"));
    place.run(&["audit", "list.json", "--today", "2027-01-31"]).exits(0).says(&["1 allowed"]);
    let ran = place.run(&["audit", "list.json", "--today", "2027-02-01"]).exits(1);
    ran.says(&["error[schema-missing]", "`find_*` ended on 2027-01-31", "0 allowed, 1 stale allow"]);
    let ran = place.run(&["audit", "list.json", "--today", "2027-02-01", "--format", "json"]).exits(1);
    assert_eq!(ran.json()["stale"][0]["ended"], "2027-01-31");
    assert!(!place.run(&["audit", "--help"]).out.contains("--today"), "it is there for tests");
}

// --- Captures and records ---

#[test]
fn a_capture_is_judged_as_the_live_server_was() {
    for (era, revision) in [("legacy", "2025-11-25"), ("modern", "2026-07-28")] {
        let place = Place::new();
        let live = place.run(&[&["audit", "--era", era, "--format", "json"][..], &DEMO].concat()).exits(1).quiet();
        // Named as the program is, for the subject of what stands on the server.
        let args = [&["capture", "--era", era, "-o", "toolsurface.jsonl"][..], &DEMO].concat();
        place.run(&args).exits(0).quiet().reports_nothing();
        let saved = place.run(&["audit", "toolsurface.jsonl", "--format", "json"]).exits(1).quiet();
        let (live, saved) = (live.target(), saved.target());
        assert_eq!((&live["server"]["era"], &live["server"]["negotiated"]), (&json!(era), &json!(revision)));
        for part in ["name", "server", "tools", "findings", "incidents", "rules"] {
            assert_eq!(live[part], saved[part], "{era} {part}");
        }
        assert_eq!(figures(&live), figures(&saved), "{era}");
        assert!(saved["timing"]["start_ms"].is_u64());
    }
}

/// The ids and values of a target's measures.
fn figures(target: &Value) -> Vec<(Value, Value)> {
    let measures = target["measures"].as_array().unwrap();
    measures.iter().map(|measure| (measure["id"].clone(), measure["value"].clone())).collect()
}

#[test]
fn a_capture_says_itself_what_it_lacks() {
    let place = Place::new();
    let target = server(&json!({ "tools": faults(), "nextCursor": "2" }).to_string(), "exit 9");
    let ran = place.run(&with_target(&["capture", "-o", "half.jsonl"], &target)).exits(3).reports_nothing();
    ran.complains(&["code 9"]);
    let ran = place.run(&["audit", "half.jsonl"]).exits(3);
    ran.says(&["schema-missing", "code 9", "1 incident"]);
    place.run(&with_target(&["capture"], &target)).exits(3).says(&["{\"capture\":\"toolsurface/1\""]);
}

#[test]
fn evidence_leaves_the_decision_open_and_its_figures_hold() {
    let place = faulty();
    place.write("array.json", json!(faults()).to_string());
    place.write("response.json", json!({ "jsonrpc": "2.0", "id": 1, "result": { "tools": faults() } }).to_string());
    for file in ["list.json", "array.json", "response.json"] {
        let ran = place.run(&["evidence", file]).exits(0).quiet();
        assert!(ran.out.contains("\n## Decision\n\n<!--"), "{}", ran.out);
        assert_commands_hold(&place, &ran.out, 8);
    }
    let files: Vec<_> = std::fs::read_dir(place.work()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(files.len(), 3, "nothing is written unless asked for: {files:?}");
}

#[test]
fn evidence_of_a_live_server_stands_beside_its_payload() {
    let place = Place::new();
    place.write("docs/x", "");
    place.run(&[&["evidence", "-o", "docs/record.md"][..], &DEMO].concat()).exits(0).quiet().reports_nothing();
    let record = place.read("docs/record.md");
    let payload = place.read("docs/record.payload.json");
    let bytes = place.run(&["measure", "docs/record.payload.json", "payload.bytes"]).exits(0).out;
    assert_eq!(bytes, format!("{}\n", payload.len()));
    let bytes = place.run(&["measure", "docs/record.capture.jsonl", "payload.bytes"]).exits(0).out;
    assert_eq!(bytes, format!("{}\n", payload.len()));
    // The commands of a record are run in its own folder.
    let folder = Place::with(&[("record.payload.json", &payload)]);
    assert_commands_hold(&folder, &record, 10);
}

/// Runs every command of a record and compares what it prints with the value that the record gives.
fn assert_commands_hold(place: &Place, record: &str, least: usize) {
    let mut rows = 0;
    for line in record.lines().filter(|line| line.starts_with("| ") && line.contains("| **")) {
        let cells: Vec<&str> = line.split(" | ").collect();
        let [_, value, how] = cells.as_slice() else { panic!("{line}") };
        let command = how.trim_matches(['`', ' ', '|']);
        let ran = place.shell(command).exits(0).quiet();
        assert_eq!(bare(ran.out.trim_end()), bare(value.trim_matches('*')), "{line}");
        rows += 1;
    }
    assert!(rows > 20, "{record}");
    let block = record.split_once("```sh\n").and_then(|(_, rest)| rest.split_once("```")).unwrap().0;
    let lines: Vec<&str> = block.lines().collect();
    assert!(lines.len() >= 2 * least, "{block}");
    if place.shell("command -v jq").code != 0 {
        return;
    }
    for pair in lines.chunks(2) {
        let [comment, command] = pair else { panic!("{block}") };
        let value = comment.strip_prefix("# ").and_then(|said| said.rsplit_once(": ")).unwrap().1;
        let ran = place.shell(command).exits(0).quiet();
        assert_eq!(bare(ran.out.trim()), bare(value), "{comment}\n{command}");
    }
}

/// A value without thousands marks and unit.
fn bare(value: &str) -> String {
    let figure: String = value.chars().take_while(|letter| letter.is_ascii_digit() || ",.".contains(*letter)).collect();
    if figure.is_empty() { value.to_owned() } else { figure.replace(',', "") }
}

// --- Hostile text ---

/// Colour, a C1 control, DEL, right-to-left override, zero width, a tag, and markup behind what could open code.
const EVIL: &str = "evil\u{1b}[31m\u{9b}2J\u{7f}\u{202e}\u{200b}\u{e0041}`<img src=x>";

/// A list with such text wherever text can stand.
fn evil() -> String {
    let tool = json!({
        "name": EVIL,
        "title": EVIL,
        "description": format!("{EVIL} deprecated"),
        "inputSchema": {
            "type": EVIL,
            "properties": {
                EVIL: { "type": "array", "enum": [EVIL, EVIL], "pattern": format!("({EVIL}"), "$ref": EVIL },
                "x": { "$ref": format!("#/$defs/{EVIL}"), "description": EVIL }
            },
            "required": [EVIL, EVIL, "gone"],
            "$schema": EVIL,
            EVIL: EVIL
        },
        "outputSchema": EVIL,
        "annotations": { "readOnlyHint": EVIL, "destructiveHint": true, EVIL: EVIL },
        EVIL: [EVIL]
    });
    json!({
        "tools": [tool, tool, { "name": EVIL.to_uppercase() }, EVIL],
        "nextCursor": EVIL,
        "initialize": {
            "protocolVersion": EVIL,
            "serverInfo": { "name": EVIL, "version": EVIL },
            "instructions": EVIL
        }
    })
    .to_string()
}

/// Fails when either stream carries a character that changes how others are shown.
#[track_caller]
fn assert_seen(ran: &Ran, told: &str) {
    for (stream, text) in [("stdout", &ran.out), ("stderr", &ran.err)] {
        let found = text.lines().find(|line| line.chars().any(is_unseen));
        assert_eq!(found, None, "{told}: {stream}");
    }
}

#[test]
fn no_control_character_reaches_a_terminal() {
    let place = Place::with(&[("evil.json", &evil())]);
    for args in [
        &["audit"][..],
        &["audit", "-v"],
        &["audit", "-v", "--width", "40"],
        &["audit", "--format", "markdown"],
        &["measure"],
        &["measure", "-v"],
        &["measure", "--format", "markdown"],
    ] {
        let ran = place.run(&[args, &["evil.json"]].concat());
        assert_eq!(ran.code, 3, "an item of the list is a text\n{}", ran.err);
        assert!(ran.out.contains("evil"), "{args:?}");
        assert_seen(&ran, &args.join(" "));
    }
    for id in ["tools.names", "top5.tools", "tools.duplicate_names"] {
        for format in ["human", "markdown"] {
            assert_seen(&place.run(&["measure", "evil.json", id, "--format", format]), id);
        }
    }
}

#[test]
fn json_carries_control_characters_escaped_only() {
    let place = Place::with(&[("evil.json", &evil())]);
    for (args, at) in [
        (&["audit", "evil.json"][..], "/targets/0/tools/0/name"),
        (&["measure", "evil.json"], "/targets/0/tools/0/name"),
        (&["measure", "evil.json", "tools.names"], "/value/0"),
    ] {
        let ran = place.run(&[args, &["--format", "json"]].concat());
        assert_eq!(ran.json().pointer(at), Some(&json!(EVIL)), "but it carries them");
        assert_seen(&ran, &args.join(" "));
    }
}

#[test]
fn a_record_carries_control_characters_escaped_only() {
    // Without the entry that is no tool and the page that is not there: a half list gives no record.
    let evil = evil().replace(&format!(",{}]", json!(EVIL)), "]").replace(r#""nextCursor""#, r#""x""#);
    let place = Place::with(&[("evil.json", &evil)]);
    let ran = place.run(&["evidence", "evil.json"]).exits(0);
    assert!(ran.out.contains("evil"));
    assert_seen(&ran, "evidence");
}

#[test]
fn a_capture_carries_control_characters_escaped_only() {
    // Not as JSON: serde_json escapes some of them, and a server need not.
    let page = format!("{{\"tools\":[{{\"name\":\"{}\"}}]}}", EVIL.replace('\u{1b}', "\\u001b"));
    let place = Place::with(&[("page.json", &page)]);
    let target = server("'\"$(cat page.json)\"'", "exit 1");
    let ran = place.run(&with_target(&["capture", "--era", "legacy"], &target)).exits(0);
    assert_seen(&ran, "capture");
    place.write("saved.jsonl", &ran.out);
    let saved = place.run(&["audit", "saved.jsonl", "--format", "json", "--fail-on", "never"]).exits(0);
    assert_eq!(saved.target()["tools"][0]["name"], EVIL);
}

#[test]
fn markdown_carries_no_markup_of_a_server() {
    // Without the entry that is no tool and the page that is not there: a half list gives no record.
    let evil = evil().replace(&format!(",{}]", json!(EVIL)), "]").replace(r#""nextCursor""#, r#""x""#);
    let place = Place::with(&[("evil.json", &evil)]);
    for args in [
        &["audit", "evil.json", "--format", "markdown"][..],
        &["measure", "evil.json", "--format", "markdown"],
        &["evidence", "evil.json"],
    ] {
        let ran = place.run(args);
        assert!(ran.out.contains("img src"), "{args:?}");
        // What stands in the comment for machines is not shown, and between back-ticks nothing is markup.
        let shown = ran.out.split("<!-- toolsurface:evidence").next().unwrap();
        for line in shown.lines() {
            let plain: String = line.split('`').step_by(2).collect();
            assert!(!plain.contains("<img"), "{args:?}\n{line}");
        }
    }
}

#[test]
fn markdown_escapes_nothing_between_back_ticks() {
    let place = settled(&[tool("a[b]<c>*", json!({ "title": null }))], &ALLOWED.replace("find_*", "x*[a]"));
    let ran = place.run(&["audit", "list.json", "--format", "markdown"]).exits(1);
    // What stands between back-ticks is shown as it is, a backslash and an entity too.
    ran.says(&["`a[b]<c>*`", "`x*[a]`"]);
}

#[test]
fn no_control_character_of_a_live_server_reaches_a_terminal() {
    let place = Place::with(&[("evil.txt", EVIL)]);
    place.write("refusal.json", json!({ "code": EVIL, "message": EVIL }).to_string());
    place.write("page.json", json!({ "tools": [{ "name": EVIL }], "nextCursor": EVIL }).to_string());
    let dying =
        ["--era", "legacy", "--", "sh", "-c", "cat evil.txt; echo; cat evil.txt >&2; exit 1"].map(str::to_owned);
    let refusing = r#"
      while IFS= read -r line; do
        id=${line#*'"id":'}
        printf '{"jsonrpc":"2.0","id":%s,"error":%s}\n' "${id%%,*}" "$(cat refusal.json)"
      done"#;
    let refusing = ["--", "sh", "-c", refusing].map(str::to_owned);
    // The command itself is the user's own text, and shown as it is.
    let going_on = server("'\"$(cat page.json)\"'", "cat evil.txt; exit 1");
    for (target, told) in [(dying.to_vec(), "dying"), (refusing.to_vec(), "refusing"), (going_on, "going on")] {
        for format in ["human", "markdown"] {
            let ran = place.run(&with_target(&["audit", "-v", "--format", format], &target)).exits(3);
            assert!(ran.out.contains("evil"), "{told}\n{}", ran.out);
            assert_seen(&ran, told);
        }
        for command in ["measure", "evidence"] {
            assert_seen(&place.run(&with_target(&[command], &target)).exits(3), told);
        }
    }
}

#[test]
fn no_control_character_of_a_file_reaches_a_terminal() {
    for text in [
        json!({ EVIL: 1 }).to_string(),
        json!({ "error": { "message": EVIL } }).to_string(),
        json!({ "tools": { EVIL: 1 } }).to_string(),
        format!("{{\"tools\": {EVIL}}}"),
        "{\"tools\": \u{202e}}".to_owned(),
        format!("{{\"in\":\"x\"}}\n{}\n", json!({ EVIL: 1 })),
        json!({ "capture": EVIL }).to_string(),
        json!({ "in": "x", "event": EVIL }).to_string() + "\n" + &json!({ "event": EVIL }).to_string(),
    ] {
        let place = Place::with(&[("evil.json", &text)]);
        assert_seen(&place.run(&["audit", "evil.json"]).exits(3), &text);
    }
}

#[test]
fn schemas_that_refer_in_circles_or_without_end_are_done_in_20_seconds() {
    let bomb: serde_json::Map<String, Value> = (0..60)
        .map(|n| {
            let next = json!({ "$ref": format!("#/$defs/d{}", n + 1) });
            let split = json!({ "type": "object", "properties": { "a": next, "b": next }, "allOf": [next, next] });
            (format!("d{n}"), split)
        })
        .collect();
    let circle = json!({ "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" }, "c": { "allOf": [{ "$ref": "#/$defs/c" }] } });
    let schemas = [
        json!({ "type": "object", "properties": { "x": { "$ref": "#/$defs/d0" } }, "required": ["y"], "$defs": bomb }),
        json!({ "type": "object", "$ref": "#/$defs/d0", "allOf": [{ "$ref": "#/$defs/d0" }], "$defs": bomb }),
        json!({ "type": "object", "properties": { "x": { "$ref": "#/$defs/a" }, "y": { "$ref": "#/$defs/c" } }, "$defs": circle }),
        json!({ "type": "object", "$ref": "#", "anyOf": [{ "$ref": "#" }, { "$dynamicRef": "#" }] }),
        json!({ "type": "object", "properties": { "x": { "pattern": "^(a+)+$", "default": "a".repeat(5_000) + "b" } } }),
        json!({ "type": "object", "properties": { "x": { "pattern": "(a{1000}){1000}{1000}", "enum": vec!["x".repeat(200); 5_000] } } }),
    ];
    let tools = schemas
        .iter()
        .enumerate()
        .map(|(n, schema)| tool(&format!("find_{n}"), json!({ "inputSchema": schema, "outputSchema": schema })));
    let place = place(&tools.collect::<Vec<_>>());
    let began = std::time::Instant::now();
    let ran = place.run(&["audit", "list.json", "--format", "json", "--fail-on", "never"]).exits(0).quiet();
    assert!(began.elapsed() < std::time::Duration::from_secs(20), "{:?}", began.elapsed());
    assert_eq!(ran.target()["tools"].as_array().unwrap().len(), 6);
}

// --- Snapshots ---

#[test]
fn help() {
    let place = Place::new();
    insta::assert_snapshot!("help", place.run(&["--help"]).exits(0).quiet().out);
    insta::assert_snapshot!("audit_help", place.run(&["audit", "--help"]).exits(0).quiet().out);
}

#[test]
fn version() {
    let ran = Place::new().run(&["--version"]).exits(0).quiet();
    assert_eq!(ran.out, concat!("toolsurface ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn the_demo_on_a_terminal() {
    let place = Place::new();
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"(?m)^ start +\d+ ms$", " start             [MS] ms");
    settings.bind(|| {
        for width in ["80", "120"] {
            let args = [&["audit", "--color", "never", "--width", width][..], &DEMO].concat();
            let ran = place.run(&args).exits(1).quiet();
            insta::assert_snapshot!(format!("demo_human_{width}"), place.plain(&ran.out));
        }
    });
}

#[test]
fn several_on_a_terminal_and_as_markdown() {
    let place = depots();
    let files = ["north.json", "south.json", "twin.json", "none.json"];
    for width in ["80", "120"] {
        let args = [&["audit", "--color", "never", "--width", width][..], &files].concat();
        insta::assert_snapshot!(format!("several_human_{width}"), place.plain(&place.run(&args).exits(3).out));
    }
    let args = [&["audit", "--format", "markdown"][..], &files].concat();
    insta::assert_snapshot!("several_markdown", place.plain(&place.run(&args).exits(3).out));
}

#[test]
fn the_demo_as_markdown() {
    let place = Place::new();
    let ran = place.run(&[&["audit", "--format", "markdown"][..], &DEMO].concat()).exits(1).quiet();
    insta::assert_snapshot!("demo_markdown", place.plain(&ran.out));
}

#[test]
fn limits_of_hosts_count_when_they_are_chosen() {
    let opened =
        json!({ "jsonrpc": "2.0", "id": 1, "result": { "protocolVersion": "2025-11-25", "capabilities": {} } });
    let frames = [
        json!({ "event": "spawn", "ms": 0 }),
        json!({ "out": json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize" }).to_string(), "ms": 5 }),
        json!({ "in": opened.to_string(), "ms": 33_000 }),
    ];
    let tape = frames.map(|frame| frame.to_string()).join("\n");
    let place = Place::with(&[("slow.jsonl", &tape), ("toolsurface.toml", "hosts = [\"claude-code\"]\n")]);
    for (words, hosts) in [
        (&["audit", "--format", "json", "slow.jsonl"][..], 1),
        (&["audit", "--format", "json", "--hosts", "claude-code", "--no-config", "slow.jsonl"], 1),
        (&["audit", "--format", "json", "--no-config", "slow.jsonl"], 0),
    ] {
        let findings = place.run(words).exits(3).quiet().findings();
        let slow: Vec<_> = findings.iter().filter(|finding| finding["rule"] == "startup-slow").collect();
        assert_eq!(slow.len(), hosts, "{words:?}");
        for finding in slow {
            assert_eq!((&finding["host"], &finding["level"]), (&json!("claude-code"), &json!("host")));
            assert_eq!(
                (&finding["facts"]["measured_ms"], &finding["facts"]["limit_ms"]),
                (&json!(33_000), &json!(30_000))
            );
        }
    }
    let wrong = place.run(&["audit", "--hosts", "claude-cod", "slow.jsonl"]).exits(2);
    assert!(wrong.err.contains("no host profile `claude-cod`") && wrong.err.contains("`claude-code`"), "{}", wrong.err);
}

/// A tool whose output schema and tasks are at home in some revisions only.
fn of_its_time() -> Value {
    tool("find_parcel", json!({ "outputSchema": { "type": "array" }, "execution": { "taskSupport": "maybe" } }))
}

#[test]
fn a_range_of_revisions_says_where_a_finding_holds() {
    let place = Place::with(&[("list.json", &list(&[of_its_time()]))]);
    let ran = place.run(&["audit", "list.json", "--spec-range", "2025-06-18..", "--format", "json"]).exits(1);
    let of = |rule: &str| ran.findings().into_iter().find(|finding| finding["rule"] == rule).unwrap();
    assert_eq!(of("output-schema-not-object")["revisions"], json!(["2025-06-18", "2025-11-25"]));
    assert_eq!(of("task-support-invalid")["revisions"], json!(["2025-11-25"]));
    place.run(&["audit", "list.json", "--spec-range", "2025-06-18.."]).says(&["(2025-06-18 to 2025-11-25)"]);
    let only = place.run(&["audit", "list.json", "--spec-range", "2025-06-18..2025-06-18"]);
    assert_eq!(only.out, place.run(&["audit", "list.json", "--spec", "2025-06-18"]).out);
    only.says(&["judged by 2025-06-18"]);
    let ran = place.run(&["audit", "list.json", "--spec-range", "..2025-06-18", "--format", "json"]).json();
    assert_eq!(ran["targets"][0]["server"]["revision"], "2025-06-18");
    assert_eq!(ran["targets"][0]["revisions"], json!(["2024-11-05", "2025-03-26", "2025-06-18"]));
    place.run(&["audit", "list.json", "--spec-range", "2026-07-28..2025-06-18"]).exits(2);
    place.run(&["audit", "list.json", "--spec-range", "..", "--spec", "2025-06-18"]).exits(2);
}

const OWN_RULE: &str = r#"```toml
id       = "name-without-find"
title    = "does not begin with find: `{value}`"
level    = "advice"
severity = "warn"
status   = "stable"
since    = "0.1.0"
on       = "tool"
help     = "begin the name with find"

[[cites]]
title = "Our guide"
url   = "https://example.test/guide"
read  = "2026-11-30"
```

# name-without-find

A name of another kind.

```json assert
{ "properties": { "name": { "pattern": "^find_" } } }
```

```json bad
{ "tools": [ { "name": "get_x", "inputSchema": { "type": "object" } } ] }
```

```json good
{ "tools": [ { "name": "find_x", "inputSchema": { "type": "object" } } ] }
```
"#;

#[test]
fn rules_of_ones_own_are_rules_like_others() {
    let place =
        Place::with(&[("list.json", &list(&[healthy("weigh_parcel")])), ("lint/name-without-find.md", OWN_RULE)]);
    let ran = place.run(&["audit", "list.json", "--rules", "lint", "--format", "json"]).exits(0);
    assert_eq!(ran.rules("new"), ["name-without-find"]);
    place.run(&["rules", "--check", "--rules", "lint"]).exits(0).says(&["1 rule of your own"]);
    place.run(&["explain", "name-without-find", "--rules", "lint"]).exits(0).says(&["warn · advice · user"]);
    place.write("toolsurface.toml", "[rules]\npaths = [\"lint\"]\n[severity]\nname-without-find = \"off\"\n");
    assert_eq!(place.run(&["audit", "list.json", "--format", "json"]).exits(0).rules("new"), Vec::<String>::new());
    place.write("lint/name-without-find.md", OWN_RULE.replace("on       =", "code     = true\non       ="));
    place.run(&["audit", "list.json"]).exits(2).complains(&["more than one kind of check"]);
    place.write("lint/name-without-find.md", OWN_RULE.replace("^find_", "^get_"));
    place.run(&["rules", "--check"]).exits(1).says(&["bad 1 gives findings: 0", "good 1 gives findings: 1"]);
    place.run(&["audit", "list.json", "--rules", "no-such-folder"]).exits(2).complains(&["no-such-folder"]);
}

#[test]
fn rules_of_ones_own_that_cannot_run_are_refused_at_their_place() {
    let own = "own/name-without-find.md";
    let place = Place::with(&[("list.json", &list(&[healthy("weigh_parcel")])), (own, OWN_RULE)]);
    let refused = |words: &[&str]| place.run(&["audit", "list.json", "--rules", "own"]).exits(2).complains(words);
    place.run(&["audit", "list.json", "--rules", "own", "--rules", "./own"]).exits(0);
    place.write(own, OWN_RULE.replace("^find_", "^(find_"));
    refused(&["this check cannot be run", "name-without-find.md:22", "^(find_"]);
    place.write(own, OWN_RULE);
    place.write("own/list-empty.md", OWN_RULE.replace("name-without-find", "list-empty"));
    refused(&["there is a rule `list-empty` already", "list-empty.md:2:12"]);
}

#[test]
fn fixes_are_shown_and_nothing_is_written() {
    let twice = tool(
        "find_parcel",
        json!({ "inputSchema": { "type": "object", "properties": { "a": { "type": "string",
        "description": "A." } }, "required": ["a", "a"], "additionalProperties": false } }),
    );
    let place = Place::with(&[("list.json", &list(&[twice]))]);
    let before = place.read("list.json");
    let patches = place.run(&["audit", "list.json", "--fix-preview"]).exits(1).json();
    let patch = json!({ "inputSchema": { "required": ["a"] } });
    assert_eq!(patches["targets"][0]["patches"], json!([{ "tool": "find_parcel", "position": 0, "patch": patch }]));
    let ran = place.run(&["audit", "list.json", "--format", "json"]).exits(1);
    assert_eq!(ran.findings()[0]["fix"], patch);
    place.run(&["audit", "list.json", "-v"]).says(&["fix: {\"inputSchema\""]);
    assert_eq!(place.read("list.json"), before);
}

#[test]
fn timings_are_no_part_of_the_report() {
    let place = Place::with(&[("list.json", &list(&[healthy("find_parcel")]))]);
    let plain = place.run(&["audit", "list.json"]).exits(0);
    let timed = place.run(&["audit", "list.json", "--timings"]).exits(0);
    assert_eq!(plain.out, timed.out);
    timed.complains(&["reading", "measuring"]);
}

#[test]
fn the_matrix_tells_what_becomes_of_each_tool() {
    let bare = tool("find_parcel", json!({ "inputSchema": { "type": "object" } }));
    let place = Place::with(&[("list.json", &list(&[bare, healthy("weigh_parcel")]))]);
    let args = ["audit", "list.json", "--hosts", "openai-chat,cursor", "--format", "hosts"];
    let ran = place.run(&args);
    ran.says(&["find_parcel R·", "1 other tool loads", "R kills the request: schema-missing-properties: find_parcel"]);
    place.run(&["audit", "list.json", "--format", "hosts"]).exits(2).complains(&["--hosts all"]);
    place.run(&["hosts", "cursor"]).exits(0).says(&["name-too-long-prefixed", "59"]);
    place.run(&["hosts", "cursr"]).exits(2).complains(&["`cursor`"]);
}
