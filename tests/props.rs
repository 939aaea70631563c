//! What must hold for any input: no panic, reports that are fit to be shown and read, and findings that do not depend
//! on what stands beside a tool.
//!
//! More cases: `PROPTEST_CASES=20000 cargo test --release --test props`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests fail by panicking")]

mod common;

use std::sync::LazyLock;

use common::{healthy, list};
use proptest::collection::{btree_map, vec};
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Number, Value, json};
use toolsurface::check::Settings;
use toolsurface::finding::Finding;
use toolsurface::input::dump;
use toolsurface::policy::{Config, Day, Decisions, Examined, FailOn, Verdict, judge};
use toolsurface::record::{evidence, how::Source};
use toolsurface::report::{self, Format, Style, View, figures};
use toolsurface::rule::RuleSet;
use toolsurface::subject::{Kind, Subject};
use toolsurface::text::safe::is_unseen;

static RULES: LazyLock<RuleSet> = LazyLock::new(|| RuleSet::shipped().unwrap());
static SCHEMA: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
    let schema = serde_json::from_str(report::json::SCHEMA_TEXT).unwrap();
    jsonschema::validator_for(&schema).unwrap()
});

/// Settings under which every rule on sizes has something to say.
fn settings() -> Config {
    let text =
        "[budgets]\ntotal-tokens = 1\ntotal-bytes = 1\ntool-tokens = 1\ncontext-window = 9\nmax-share-percent = 1\n";
    Config::from_text("settings", text, None, &RULES).unwrap()
}

/// Reads and checks a file; nothing when it is none that this tool reads.
fn examined(text: &str, settings: &Settings) -> Option<Examined> {
    let gathered = dump::read("test", "test.json", text.as_bytes()).ok()?;
    Some(toolsurface::examine(vec!["test.json".to_owned()], gathered, &RULES, settings))
}

/// Reads, checks and reports a file in every form.
fn whole(text: &str) {
    let config = settings();
    let Some(found) = examined(text, &config.checks) else { return };
    let (surface, measures) = (found.surface.clone(), found.measures.clone());
    let source = Source::of(&surface, &found.words, None);
    let decisions = Decisions { config: &config, fail_on: FailOn::Info, allow_empty: false, today: Day::from_unix(0) };
    let verdict = Verdict::of(vec![judge(found, &decisions)], None, &config, decisions.today);
    for (format, width, verbose) in [
        (Format::Human, 40, true),
        (Format::Human, 100, false),
        (Format::Markdown, 100, false),
        (Format::Json, 100, true),
    ] {
        let style = Style { width, colour: false, verbose };
        for text in [
            report::audit(&verdict, &RULES, View::Report(format), style),
            figures::all(&surface, &measures, &source, format, style),
        ] {
            if format == Format::Json {
                let report: Value = serde_json::from_str(&text).unwrap();
                let faults: Vec<String> = SCHEMA.iter_errors(&report).map(|error| error.to_string()).collect();
                assert_eq!(faults, Vec::<String>::new(), "{text}");
            } else {
                let line = text.lines().find(|line| line.chars().any(is_unseen));
                assert_eq!(line, None, "{format:?}");
            }
        }
    }
    let style = Style { width: 60, colour: false, verbose: true };
    let matrix = report::audit(&verdict, &RULES, View::Hosts, style);
    assert_eq!(matrix.lines().find(|line| line.chars().any(is_unseen)), None);
    assert!(evidence::document(&surface, &measures, &source).contains("## Measured"));
}

/// The findings on tools, each as far as it does not depend on positions.
fn on_tools(tools: &[Value]) -> Vec<(Subject, String)> {
    let findings = examined(&list(tools), &settings().checks).unwrap().checked.findings;
    let on_tools = findings.into_iter().filter(|finding| finding.subject.kind == Kind::Tool);
    let mut found: Vec<(Subject, String)> = on_tools
        .map(|finding| {
            let Finding { rule, severity, anchor, message, help, facts, also, evidence, .. } = finding;
            let at = anchor.at.as_str().to_owned();
            (finding.subject, format!("{rule} {severity:?} {at} {message} {help} {facts:?} {also:?} {evidence}"))
        })
        .collect();
    found.sort();
    found
}

// --- Any JSON ---

/// Texts that mean something somewhere, or that are hard to show.
const TEXTS: [&str; 30] = [
    "",
    " ",
    "string",
    "object",
    "array",
    "null",
    "#",
    "#/$defs/a",
    "#/properties/a/items",
    "#a",
    "https://example.test/a.json",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2020-12/schema",
    "(",
    "^(a+)+$",
    "(?<=a)b\\1",
    "[\\w-.]",
    "\\u{110000}",
    "a/b~c",
    "2026-07-28",
    "\u{1b}[31mred\u{1b}[0m",
    "\u{202e}drow",
    "zero\u{200b}width",
    "\u{e0041}\u{e007f}",
    "👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "<b>`|`*[x](y)</b>",
    "{value} {measured} {",
    "DEPRECATED: use x",
    "deletes everything",
    "\u{0}\u{7f}\u{9b}",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => select(&TEXTS[..]).prop_map(str::to_owned),
        2 => ".{0,12}",
        1 => ("[a-z]{1,3}", 1_usize..400).prop_map(|(part, times)| part.repeat(times)),
    ]
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => text().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => select(&["0", "-0", "1.0", "1e400", "123456789012345678901234567890", "0.1"][..])
            .prop_map(|number| Value::Number(number.parse::<Number>().unwrap())),
    ]
}

/// Member names of lists, tools, schemas and messages.
const NAMES: [&str; 24] = [
    "tools",
    "result",
    "error",
    "initialize",
    "settings",
    "nextCursor",
    "jsonrpc",
    "id",
    "method",
    "name",
    "title",
    "description",
    "inputSchema",
    "outputSchema",
    "annotations",
    "_meta",
    "properties",
    "type",
    "capture",
    "in",
    "out",
    "event",
    "serverInfo",
    "protocolVersion",
];

fn name() -> impl Strategy<Value = String> {
    prop_oneof![4 => select(&NAMES[..]).prop_map(str::to_owned), 1 => text()]
}

fn any_json() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            2 => vec(inner.clone(), 0..5).prop_map(Value::Array),
            3 => vec((name(), inner), 0..6).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

// --- Odd tools ---

/// A keyword of JSON Schema and a value that fits it, or does not.
fn member(inner: BoxedStrategy<Value>) -> impl Strategy<Value = (String, Value)> {
    let one = |names: &'static [&'static str]| select(names).prop_map(str::to_owned);
    let many = inner.clone();
    let named = vec((select(&["a", "b", "action", "query", "~/"][..]), inner.clone()), 0..4);
    let named = named.prop_map(|members| members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect());
    prop_oneof![
        3 => (one(&["type", "$ref", "pattern", "$schema", "format", "$id", "$anchor", "description", "title"]), text().prop_map(Value::from)),
        2 => (one(&["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"]), named.prop_map(Value::Object)),
        2 => (one(&["items", "not", "additionalProperties", "if", "then", "else", "contains", "propertyNames"]), inner),
        1 => (one(&["anyOf", "oneOf", "allOf", "prefixItems", "items"]), vec(many, 0..4).prop_map(Value::Array)),
        1 => (one(&["required", "enum", "type", "examples"]), vec(leaf(), 0..5).prop_map(Value::Array)),
        1 => (one(&["minimum", "maxLength", "default", "const", "deprecated", "minItems"]), leaf()),
        1 => (one(&["type", "properties", "required", "items", "enum", "anyOf", "$ref", "$defs", "pattern"]), leaf()),
    ]
}

fn schema() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        2 => Just(json!({ "type": "string" })),
        1 => Just(json!({ "type": "object", "properties": { "a": { "$ref": "#" } }, "required": ["b"] })),
        1 => any::<bool>().prop_map(Value::from),
        1 => leaf(),
    ];
    leaf.prop_recursive(4, 30, 4, |inner| {
        vec(member(inner.boxed()), 0..5).prop_map(|members| Value::Object(members.into_iter().collect()))
    })
    .boxed()
}

/// Mostly the one, now and then any JSON at all.
fn mostly(usual: impl Strategy<Value = Value> + 'static) -> impl Strategy<Value = Value> {
    prop_oneof![6 => usual, 1 => any_json()]
}

fn annotations() -> impl Strategy<Value = Value> {
    let hints =
        &["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint", "readOnly", "readonlyHint", "title"];
    let value = prop_oneof![3 => any::<bool>().prop_map(Value::from), 1 => leaf()];
    btree_map(select(&hints[..]).prop_map(str::to_owned), value, 0..5).prop_map(|hints| json!(hints))
}

/// A tool without its name.
fn nameless() -> impl Strategy<Value = Map<String, Value>> {
    let words = || mostly(text().prop_map(Value::from));
    (
        weighted(0.6, words()),
        weighted(0.8, words()),
        weighted(0.9, mostly(schema())),
        weighted(0.4, mostly(schema())),
        weighted(0.6, mostly(annotations())),
        weighted(0.3, (name(), any_json())),
    )
        .prop_map(|(title, description, input, output, annotations, other)| {
            let members = [
                ("title", title),
                ("description", description),
                ("inputSchema", input),
                ("outputSchema", output),
                ("annotations", annotations),
            ];
            let members = members.into_iter().map(|(name, value)| (name.to_owned(), value));
            let other = other.map(|(name, value)| (name, Some(value)));
            members.chain(other).filter_map(|(name, value)| Some((name, value?))).collect()
        })
}

/// Tools with names of their own. The first word of each name is another one, so that no prefix is common to them.
fn tools() -> impl Strategy<Value = Vec<Value>> {
    let name = prop_oneof![3 => select(&["get", "delete item", "list", "x"][..]).prop_map(str::to_owned), 1 => text()];
    vec((nameless(), weighted(0.9, name)), 0..5).prop_map(|tools| {
        let named = tools.into_iter().enumerate().map(|(n, (mut tool, name))| {
            tool.shift_remove("name");
            if let Some(name) = name {
                tool.insert("name".to_owned(), json!(format!("w{n}_{name}")));
            }
            Value::Object(tool)
        });
        named.collect()
    })
}

/// The configuration with this number of cases, unless `PROPTEST_CASES` says otherwise.
fn config(cases: u32) -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    config
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn any_text_is_read_without_panic(text in "\\PC{0,40}", cut in any::<Index>(), tools in tools()) {
        whole(&text);
        let list = list(&tools);
        let at = cut.index(list.chars().count() + 1);
        whole(&list.chars().take(at).collect::<String>());
    }

    #[test]
    fn any_json_is_read_without_panic(value in any_json()) {
        whole(&value.to_string());
        whole(&json!({ "tools": value }).to_string());
        whole(&json!({ "tools": [value] }).to_string());
        whole(&json!([{ "name": "x", "inputSchema": value }]).to_string());
        whole(&json!({ "tools": [{ "name": "x" }], "initialize": value, "settings": value, "nextCursor": value }).to_string());
    }

    #[test]
    fn any_wire_is_read_without_panic(values in vec(any_json(), 0..5)) {
        let mut lines = vec![json!({ "out": r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"# })];
        for value in values {
            lines.push(json!({ "in": value.to_string() }));
            lines.push(json!({ "in": json!({ "jsonrpc": "2.0", "id": 1, "result": value }).to_string() }));
            lines.push(value);
        }
        for most in 1..=lines.len() {
            whole(&lines[..most].iter().map(ToString::to_string).collect::<Vec<String>>().join("\n"));
        }
    }

    #[test]
    fn odd_tools_are_reported_without_panic(tools in tools()) {
        whole(&list(&tools));
    }

    #[test]
    fn a_healthy_tool_adds_no_finding(tools in tools(), place in any::<Index>()) {
        let before = on_tools(&tools);
        let mut more = tools;
        more.insert(place.index(more.len() + 1), healthy("look_up_parcel"));
        let added = on_tools(&more).into_iter().filter(|finding| !before.contains(finding));
        // Every tool is over a budget of one token, a healthy one too.
        let added: Vec<_> = added.filter(|(subject, said)| subject.name() != "look_up_parcel" || !said.starts_with("tool-over-budget ")).collect();
        prop_assert!(added.is_empty(), "{:#?}", added);
    }

    #[test]
    fn the_order_of_tools_changes_no_finding_on_a_tool(
        (tools, shuffled) in tools().prop_flat_map(|tools| (Just(tools.clone()), Just(tools).prop_shuffle()))
    ) {
        prop_assert_eq!(on_tools(&tools), on_tools(&shuffled));
    }
}

// --- Depth ---

#[test]
fn the_deepest_json_that_is_read_is_checked_without_panic() {
    let schema = |open: &str, close: &str, levels: usize| {
        format!(r#"[{{"name":"x","inputSchema":{}{{}}{}}}]"#, open.repeat(levels), close.repeat(levels))
    };
    for (open, close, each) in [
        ("[", "]", 1),
        ("{\"not\":", "}", 1),
        ("{\"items\":", "}", 1),
        ("{\"anyOf\":[", "]}", 2),
        ("{\"type\":\"object\",\"properties\":{\"a\":", "}}", 2),
        ("{\"$defs\":{\"a\":", "},\"$ref\":\"#/$defs/a\"}", 2),
        ("{\"if\":", ",\"then\":{\"$ref\":\"#\"}}", 1),
    ] {
        let deepest = 124 / each;
        assert!(examined(&schema(open, close, deepest), &Settings::default()).is_some(), "{open}");
        whole(&schema(open, close, deepest));
        whole(&schema(open, close, deepest + 5));
    }
}
