//! The reports as other programs read them: by their schema, with the same bytes for the same input, within bounds.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests fail by panicking")]

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{Place, faults, healthy, list, server, tool, with_target};
use serde_json::{Value, json};

const SCHEMA: &str = include_str!("../src/report/schema/report-1.json");
const ALLOWED: &str =
    "[[allow]]\nrule = \"schema-missing\"\nsubject = \"find_*\"\nreason = \"it takes no arguments\"\n";

/// Tools with many faults, each of another kind, and names that are easy to tell apart.
fn many_faults() -> Vec<Value> {
    let mut tools = faults();
    let array = json!({ "type": "array", "description": "Numbers of the parcels." });
    let property = |schema: &Value| json!({ "type": "object", "properties": { "numbers": schema }, "additionalProperties": false });
    tools.extend([
        tool("weigh parcels", json!({})),
        tool("weigh_crates", json!({ "inputSchema": property(&array) })),
        tool("weigh_trucks", json!({ "inputSchema": { "type": "object", "required": "numbers" } })),
        tool("sort_crates", json!({ "inputSchema": { "type": "objekt", "properties": {} } })),
        tool("sort_trucks", json!({ "outputSchema": "text" })),
        tool("scan_crates", json!({ "annotations": { "readOnlyHint": "yes" } })),
        tool("scan_trucks", json!({ "annotations": { "readOnlyHint": true, "destructiveHint": true } })),
        tool("load_crates", json!({ "annotations": null, "readOnlyHint": true })),
        tool("load_trucks", json!({ "inputSchema": { "type": "object", "anyOf": [{ "required": ["a"] }] } })),
        healthy("find_parcel"),
    ]);
    tools
}

/// A place with those tools in `list.json`.
fn place() -> Place {
    Place::with(&[("list.json", &list(&many_faults()))])
}

// --- The schema ---

fn valid(report: &Value) -> bool {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    jsonschema::validator_for(&schema).unwrap().is_valid(report)
}

#[track_caller]
fn assert_valid(report: &Value, told: &[&str]) {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<String> =
        validator.iter_errors(report).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert_eq!(faults, Vec::<String>::new(), "{told:?}");
}

#[test]
fn every_json_report_is_valid_by_the_published_schema() {
    assert_eq!(SCHEMA, toolsurface::report::json::SCHEMA_TEXT);
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
    let place = place();
    place.write(
        "allow.toml",
        format!("{ALLOWED}[[allow]]\nrule = \"title-missing\"\nsubject = \"x\"\nreason = \"it is stale\"\n"),
    );
    place.write("incident.json", json!({ "tools": [1, { "name": "x" }] }).to_string());
    place.write("empty.json", "[]");
    place.write(".mcp.json", r#"{"mcpServers":{"a":{"command":"toolsurface","args":["demo"]},"b":{"url":"${NO}"}},"#);
    let demo = ["--", "toolsurface", "demo"];
    for (args, code) in [
        ([&["audit", "--era", "legacy"][..], &demo].concat(), 1),
        ([&["audit", "--era", "modern"][..], &demo].concat(), 1),
        ([&["measure"][..], &demo].concat(), 0),
        (vec!["audit", "list.json"], 1),
        (vec!["audit", "list.json", "--config", "allow.toml"], 1),
        (vec!["audit", "incident.json"], 3),
        (vec!["measure", "incident.json"], 3),
        (vec!["audit", "empty.json"], 3),
        (vec!["measure", "list.json"], 0),
        (vec!["audit", "--", "no-such-program-anywhere"], 3),
        (vec!["audit", "list.json", "incident.json", "list.json"], 3),
        (vec!["audit", ".mcp.json"], 3),
        (vec!["audit", ".mcp.json", "--config-only"], 1),
        (vec!["audit", "empty.json", "empty.json"], 3),
    ] {
        // After the words of a server come no options.
        let args = [&args[..1], &["--format", "json"], &args[1..]].concat();
        let ran = place.run(&args).exits(code);
        let report = ran.json();
        assert_valid(&report, &args);
        if args[0] == "audit" {
            assert_eq!(report["summary"]["exit"], code, "{args:?}");
        } else {
            assert_eq!(report.get("summary"), None);
        }
    }
}

#[test]
fn the_schema_is_strict_about_members() {
    let place = place();
    place.write("allow.toml", ALLOWED.replace("find_*", "nothing"));
    place.write("list.json", list(&[many_faults(), vec![json!(1)]].concat()));
    let report = place.run(&["audit", "list.json", "--format", "json", "--config", "allow.toml"]).exits(3).json();
    let live = place.run(&["audit", "--format", "json", "--", "toolsurface", "demo"]).exits(1).json();
    assert!(valid(&report) && valid(&live));
    place.write("other.json", list(&[healthy("find_parcel"), tool("weigh_crates", json!({ "title": "Other" }))]));
    let several = place.run(&["audit", "other.json", "list.json", "--format", "json"]).exits(3).json();
    let stale = place.run(&["audit", "other.json", "--format", "json", "--config", "allow.toml"]).exits(0).json();
    assert!(valid(&several) && valid(&stale));
    for (report, at) in [
        (&report, ""),
        (&stale, "/stale/0"),
        (&several, "/across"),
        (&several, "/across/dearest"),
        (&several, "/across/findings/0"),
        (&report, "/targets/0"),
        (&report, "/targets/0/server"),
        (&report, "/targets/0/measures/0"),
        (&report, "/targets/0/tools/0"),
        (&report, "/targets/0/findings/0"),
        (&report, "/targets/0/findings/0/subject"),
        (&report, "/targets/0/incidents/0"),
        (&report, "/targets/0/rules"),
        (&report, "/targets/0/rules/not_applicable/0"),
        (&report, "/summary"),
        (&live, "/targets/0/timing"),
    ] {
        let mut changed = report.clone();
        let node = changed.pointer_mut(at).and_then(Value::as_object_mut).unwrap_or_else(|| panic!("nothing at {at}"));
        node.insert("added".to_owned(), json!(1));
        assert!(!valid(&changed), "a member added at `{at}` goes unnoticed");
        let mut changed = report.clone();
        let node = changed.pointer_mut(at).and_then(Value::as_object_mut).unwrap();
        let first = node.keys().next().unwrap().clone();
        node.shift_remove(&first);
        assert!(!valid(&changed), "`{first}` of `{at}` may be left out");
    }
}

#[test]
fn what_a_finding_points_at_is_there() {
    let tools = many_faults();
    let ran = place().run(&["audit", "list.json", "--format", "json"]).exits(1);
    for finding in ran.findings() {
        if finding["subject"]["kind"] != "tool" {
            continue;
        }
        let subject = tools.iter().find(|tool| tool["name"] == finding["subject"]["path"][0]).unwrap();
        let at = finding["at"].as_str().unwrap();
        assert!(subject.pointer(at).is_some() || at.is_empty(), "{finding}");
    }
}

#[test]
fn json_stays_json_however_noisy_the_server_is() {
    let place = Place::with(&[("noise.txt", "starting …\n{\n")]);
    let mut target = server(&json!({ "tools": faults() }).to_string(), "exit 1");
    let script = target.last_mut().unwrap();
    *script = format!("cat noise.txt >&2; cat noise.txt; yes log | head -n 5000 >&2\n{script}");
    for command in ["audit", "measure"] {
        for verbose in [&[][..], &["-v"]] {
            let args = [&[command, "--format", "json"][..], verbose].concat();
            let ran = place.run(&with_target(&args, &target));
            assert_valid(&ran.json(), &args);
        }
    }
    for args in [&["rules", "-v", "--format", "json"][..], &["explain", "title-missing", "-v", "--format", "json"]] {
        assert!(place.run(args).exits(0).quiet().json().is_object());
    }
}

// --- The same again ---

const OUTPUTS: [&[&str]; 9] = [
    &["audit", "list.json"],
    &["audit", "list.json", "-v"],
    &["audit", "list.json", "--format", "json"],
    &["audit", "list.json", "--format", "markdown"],
    &["measure", "list.json"],
    &["measure", "list.json", "-v"],
    &["measure", "list.json", "--format", "json"],
    &["measure", "list.json", "--format", "markdown"],
    &["evidence", "list.json"],
];

#[test]
fn the_same_input_gives_the_same_bytes() {
    let (one, other) = (place(), place());
    for args in OUTPUTS {
        let (first, second) = (one.run(args), other.run(args));
        assert_eq!(first.out, second.out, "{args:?} in two folders");
        assert_eq!(first.out, one.run(args).out, "{args:?} twice");
        assert!(!first.out.contains(&one.work().display().to_string()), "{args:?} names a folder of this machine");
    }
}

/// What identifies a finding: rule, subject and place, with its fingerprint.
fn identities(ran: &common::Ran) -> BTreeMap<String, String> {
    let findings = ran.findings();
    let identity = |finding: &Value| format!("{} {} {}", finding["rule"], finding["subject"], finding["at"]);
    let found: BTreeMap<String, String> = findings
        .iter()
        .map(|finding| (identity(finding), finding["fingerprint"].as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(found.len(), findings.len(), "two findings look the same");
    found
}

#[test]
fn the_order_of_tools_and_the_form_of_the_file_change_no_finding() {
    let place = place();
    let args = ["audit", "list.json", "--format", "json"];
    let before = identities(&place.run(&args).exits(1));
    assert!(before.len() > 10, "{before:#?}");
    let fingerprints: BTreeSet<&String> = before.values().collect();
    assert_eq!(fingerprints.len(), before.len(), "two findings have one fingerprint");
    let tools = many_faults();
    let mut orders = vec![tools.clone(); 4];
    orders[0].reverse();
    orders[1].rotate_left(5);
    orders[2].swap(0, 7);
    orders[3] = (0..tools.len()).map(|n| tools[n * 5 % tools.len()].clone()).collect();
    for order in orders {
        place.write("list.json", list(&order));
        assert_eq!(identities(&place.run(&args).exits(1)), before);
    }
    for text in [
        serde_json::to_string_pretty(&json!({ "tools": tools })).unwrap(),
        serde_json::to_string_pretty(&json!(tools)).unwrap().replace('\n', "\r\n\t"),
        json!({ "jsonrpc": "2.0", "id": 7, "result": { "tools": tools } }).to_string(),
        json!([{ "tools": tools[..4] }, { "tools": tools[4..] }]).to_string(),
    ] {
        place.write("list.json", text);
        assert_eq!(identities(&place.run(&args).exits(1)), before);
    }
}

#[test]
fn a_text_that_a_finding_is_about_is_part_of_its_fingerprint() {
    let property = |kind: &str| json!({ "type": "object", "properties": { "number": { "type": kind, "description": "Number on the label." } } });
    for (rule, before, after) in [
        (
            "schema-invalid-type-name",
            json!({ "inputSchema": property("strng") }),
            json!({ "inputSchema": property("text") }),
        ),
        (
            "schema-required-not-array",
            json!({ "inputSchema": { "type": "object", "required": "number" } }),
            json!({ "inputSchema": { "type": "object", "required": "label" } }),
        ),
        (
            "annotation-wrong-type",
            json!({ "annotations": { "readOnlyHint": "yes" } }),
            json!({ "annotations": { "readOnlyHint": "no" } }),
        ),
        ("title-missing", json!({ "title": null }), json!({ "title": "Parcel lookup" })),
        (
            "description-missing",
            json!({ "description": "" }),
            json!({ "description": "Finds one parcel by its number." }),
        ),
        ("annotations-missing", json!({ "annotations": null }), json!({ "annotations": { "readOnlyHint": true } })),
    ] {
        let place = Place::new();
        let fingerprints = |members: Value| -> BTreeSet<String> {
            place.write("list.json", list(&[tool("find_parcel", members)]));
            let findings = place.run(&["audit", "list.json", "--format", "json"]).findings();
            let of_rule = findings.iter().filter(|finding| finding["rule"] == rule);
            of_rule.map(|finding| finding["fingerprint"].to_string()).collect()
        };
        let (before, after) = (fingerprints(before), fingerprints(after));
        assert_eq!(before.len(), 1, "{rule}");
        assert!(before.is_disjoint(&after), "{rule}: the text changed, the fingerprint did not");
    }
}

// --- Bounds ---

#[test]
fn markdown_of_2000_faulty_tools_stays_below_a_mebibyte() {
    for letter in ["<", "é", "|"] {
        let faults = many_faults();
        let tools: Vec<Value> = (0..2_000)
            .map(|n| {
                let mut tool = faults[n % faults.len()].clone();
                tool["name"] = json!(format!("{n} {}", letter.repeat(300)));
                tool["inputSchema"]["properties"] = json!({ letter.repeat(300): { "type": letter.repeat(300) } });
                tool
            })
            .collect();
        let place = Place::with(&[("list.json", &list(&tools))]);
        let ran = place.run(&["audit", "list.json", "--format", "markdown"]).exits(1).quiet();
        assert!(ran.out.len() < 1 << 20, "{} bytes", ran.out.len());
        ran.says(&["<details>", "more; the JSON report lists them all"]);
    }
}

const WIDTHS: [usize; 3] = [60, 80, 120];
/// Part of every long name below. Names of tools are never broken: a broken one cannot be searched for or copied.
const NAME: &str = "a_name_without_end_";

/// Lines of a terminal report that are wider than asked for. A long name counts as one column.
fn too_wide(place: &Place, args: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for width in WIDTHS {
        let columns = width.to_string();
        let args = [&args[..1], &["--color", "never", "--width", &columns], &args[1..]].concat();
        let out = place.run(&args).out;
        assert!(!out.is_empty(), "{args:?}");
        for line in out.lines() {
            let names = line.split(' ').filter(|word| word.contains(NAME));
            let names: usize = names.map(|name| name.chars().count() - 1).sum();
            let columns = line.chars().count();
            // A command stays on one line, so that it can be copied.
            let is_command = ["  jq ", "  toolsurface ", "  wc "].iter().any(|start| line.starts_with(start));
            if columns - names > width && !is_command {
                found.push(format!("{width} < {columns}: {line}"));
            }
        }
    }
    found
}

#[track_caller]
fn assert_fits(place: &Place, args: &[&str]) {
    let found = too_wide(place, args);
    assert!(found.is_empty(), "{args:?}\n{}", found.join("\n"));
}

/// Faulty tools with names and texts that are long, of many words or of one.
fn long() -> Place {
    let long = NAME.repeat(8);
    let mut tools = many_faults();
    for tool in &mut tools {
        tool["name"] = json!(format!("{}{long}", tool["name"].as_str().unwrap()));
    }
    Place::with(&[("list.json", &list(&tools))])
}

#[test]
fn the_tables_of_figures_keep_to_the_width() {
    let place = Place::with(&[("list.json", &list(&[healthy(&NAME.repeat(6)), healthy("b")]))]);
    assert_fits(&place, &["audit", "list.json"]);
    assert_fits(&place, &["measure", "list.json"]);
    assert_fits(&place, &["rules"]);
}

#[test]
fn findings_keep_to_the_width() {
    assert_fits(&long(), &["audit", "list.json"]);
    assert_fits(&long(), &["audit", "-v", "list.json"]);
}

#[test]
fn incidents_and_the_last_words_of_a_server_keep_to_the_width() {
    let script = "echo 'Error: the variable API_KEY is not set, and without it the service cannot be reached at all' >&2; exit 1";
    assert_fits(&Place::new(), &["audit", "--era", "legacy", "--", "sh", "-c", script]);
    let place = Place::with(&[("a-list-with-a-long-name-of-several-words.json", "[]")]);
    assert_fits(&place, &["audit", "a-list-with-a-long-name-of-several-words.json"]);
}

#[test]
fn the_headline_keeps_to_the_width() {
    let list = json!({
        "tools": [healthy("find_parcel")],
        "initialize": {
            "protocolVersion": "2025-11-25",
            "serverInfo": { "name": "the server of the parcels, crates and pallets", "version": "4.2.0-rc.1" }
        }
    });
    let place = Place::with(&[("parcels-of-the-northern-depots.json", &list.to_string())]);
    assert_fits(&place, &["audit", "parcels-of-the-northern-depots.json"]);
}

#[test]
fn several_targets_keep_to_the_width() {
    let place = long();
    place.write("a-list-with-a-long-name-of-several-words.json", list(&[healthy("find_crate"), healthy("b")]));
    assert_fits(&place, &["audit", "list.json", "a-list-with-a-long-name-of-several-words.json", "list.json"]);
}

#[test]
fn stale_allows_keep_to_the_width() {
    let place = Place::with(&[
        ("list.json", &list(&[healthy("find_parcel")])),
        ("toolsurface.toml", &ALLOWED.replace("find_*", "find_the_crates_of_the_northern_depots")),
    ]);
    assert_fits(&place, &["audit", "list.json"]);
}
