//! What tools promise: names, output schemas in three classes, hints, titles, descriptions, deprecation.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::figure;
use crate::metric::{Measure, Unit};
use crate::surface::{
    Surface, Tool,
    contract::{HINTS, Output, opens_with_deprecated, output},
};

/// Members of a Tool object in some revision of the specification.
const MEMBERS: [&str; 9] =
    ["name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "execution", "_meta"];

/// Position of the hint in [`HINTS`], value, measure id, title and portable program.
type HintFigure = (usize, Option<bool>, &'static str, &'static str, &'static str);

const HINT_FIGURES: [HintFigure; 12] = [
    (
        0,
        Some(true),
        "annotations.read_only.true",
        "readOnlyHint true",
        "[.tools[].annotations|objects|select(.readOnlyHint==true)]|length",
    ),
    (
        0,
        Some(false),
        "annotations.read_only.false",
        "readOnlyHint false",
        "[.tools[].annotations|objects|select(.readOnlyHint==false)]|length",
    ),
    (0, None, "annotations.read_only.absent", "readOnlyHint absent", ""),
    (
        1,
        Some(true),
        "annotations.destructive.true",
        "destructiveHint true",
        "[.tools[].annotations|objects|select(.destructiveHint==true)]|length",
    ),
    (
        1,
        Some(false),
        "annotations.destructive.false",
        "destructiveHint false",
        "[.tools[].annotations|objects|select(.destructiveHint==false)]|length",
    ),
    (1, None, "annotations.destructive.absent", "destructiveHint absent", ""),
    (
        2,
        Some(true),
        "annotations.idempotent.true",
        "idempotentHint true",
        "[.tools[].annotations|objects|select(.idempotentHint==true)]|length",
    ),
    (
        2,
        Some(false),
        "annotations.idempotent.false",
        "idempotentHint false",
        "[.tools[].annotations|objects|select(.idempotentHint==false)]|length",
    ),
    (2, None, "annotations.idempotent.absent", "idempotentHint absent", ""),
    (
        3,
        Some(true),
        "annotations.open_world.true",
        "openWorldHint true",
        "[.tools[].annotations|objects|select(.openWorldHint==true)]|length",
    ),
    (
        3,
        Some(false),
        "annotations.open_world.false",
        "openWorldHint false",
        "[.tools[].annotations|objects|select(.openWorldHint==false)]|length",
    ),
    (3, None, "annotations.open_world.absent", "openWorldHint absent", ""),
];

/// The figures about the list as a set of names.
pub fn tools(surface: &Surface) -> Vec<Measure> {
    const LIST: &str = "tools of all pages, in the order received";
    let mut times: BTreeMap<&str, u64> = BTreeMap::new();
    for name in surface.tools.iter().filter_map(Tool::name) {
        *times.entry(name).or_default() += 1;
    }
    let doubled: Vec<&str> = times.iter().filter(|(_, n)| **n > 1).map(|(name, _)| *name).collect();
    let names: Vec<Value> = surface.tools.iter().filter_map(Tool::name).map(Value::from).collect();
    let extra: BTreeSet<&str> = surface
        .tools
        .iter()
        .filter_map(|tool| tool.value.as_object())
        .flat_map(|members| members.keys().map(String::as_str))
        .filter(|member| !MEMBERS.contains(member))
        .collect();
    let longest = surface.tools.iter().filter_map(Tool::name).map(|name| name.chars().count() as u64).max();
    let extra: Vec<&str> = extra.into_iter().collect();
    vec![
        figure("tools.count", Unit::Count, "tools", LIST, surface.tools.len() as u64).by(".tools|length", ""),
        figure("tools.distinct", Unit::Count, "distinct names", LIST, times.len() as u64)
            .by("[.tools[].name|strings]|unique|length", ""),
        figure("tools.duplicates", Unit::Count, "doubled names", LIST, doubled.len() as u64)
            .by("[.tools[].name|strings]|group_by(.)|map(select(length>1))|length", ""),
        figure("tools.duplicate_names", Unit::Text, "which names are doubled", LIST, doubled),
        figure("tools.names", Unit::Text, "names", LIST, names).by("[.tools[].name|strings]", ""),
        figure("name.longest", Unit::Char, "longest name", LIST, longest),
        figure("tools.extra_members", Unit::Text, "members outside the specification", LIST, extra),
    ]
}

/// What one tool declares. Taken once for all figures: a large list does not fit into the caches.
struct Declared<'t> {
    label: &'t str,
    output: Output,
    annotated: bool,
    hints: [Option<bool>; 4],
    /// Whether it has `title`, and `annotations.title`.
    titles: [bool; 2],
    /// Whether its description opens with a deprecation mark, and whether it holds the word.
    deprecated: [bool; 2],
    length: u64,
}

impl<'t> Declared<'t> {
    fn of(tool: &'t Tool) -> Self {
        let text = tool.description().unwrap_or_default();
        Self {
            label: tool.label(),
            output: output(tool),
            annotated: tool.value.get("annotations").is_some_and(Value::is_object),
            hints: HINTS.map(|hint| tool.hint(hint)),
            titles: [
                tool.value.get("title").is_some_and(Value::is_string),
                tool.value.pointer("/annotations/title").is_some_and(Value::is_string),
            ],
            deprecated: [opens_with_deprecated(text), text.to_lowercase().contains("deprecated")],
            length: text.chars().count() as u64,
        }
    }
}

/// The figures about what each tool declares.
pub fn contract(surface: &Surface) -> Vec<Measure> {
    let declared: Vec<Declared<'_>> = surface.tools.iter().map(Declared::of).collect();
    let mut all = outputs(&declared);
    all.extend(hints(&declared));
    all.extend(words(&declared));
    all
}

fn counted(tools: &[Declared<'_>], holds: impl Fn(&Declared<'_>) -> bool) -> u64 {
    tools.iter().filter(|tool| holds(tool)).count() as u64
}

fn outputs(tools: &[Declared<'_>]) -> Vec<Measure> {
    const METHOD: &str =
        "three classes: absent; empty, that is says nothing beyond `type`, names and texts; says something";
    let class = |wanted: Output| counted(tools, |tool| tool.output == wanted);
    vec![
        figure(
            "output_schema.present",
            Unit::Count,
            "with outputSchema",
            METHOD,
            counted(tools, |tool| tool.output != Output::Absent),
        )
        .by("[.tools[]|select(.outputSchema!=null)]|length", ""),
        figure("output_schema.empty", Unit::Count, "outputSchema says nothing", METHOD, class(Output::Empty)),
        figure("output_schema.absent", Unit::Count, "without outputSchema", METHOD, class(Output::Absent))
            .by("[.tools[]|select(.outputSchema==null)]|length", ""),
    ]
}

fn hints(tools: &[Declared<'_>]) -> Vec<Measure> {
    const METHOD: &str = "value under `annotations`; absent also when it is not a boolean";
    let mut all = vec![
        figure(
            "annotations.tools",
            Unit::Count,
            "with annotations",
            "tools with an `annotations` object",
            counted(tools, |tool| tool.annotated),
        )
        .by("[.tools[]|select(.annotations|type==\"object\")]|length", ""),
    ];
    let hinted = counted(tools, |tool| tool.hints.iter().any(Option::is_some));
    let method = "tools with at least one of the four hints, a boolean under its right name";
    all.push(figure("annotations.hinted", Unit::Count, "with a behaviour hint", method, hinted));
    for (hint, wanted, id, title, program) in HINT_FIGURES {
        let one = figure(id, Unit::Count, title, METHOD, counted(tools, |tool| tool.hints.get(hint) == Some(&wanted)));
        all.push(if program.is_empty() { one } else { one.by(program, "") });
    }
    all
}

fn words(tools: &[Declared<'_>]) -> Vec<Measure> {
    const LENGTH: &str = "code points of `description`";
    let longest = tools.iter().max_by(|a, b| a.length.cmp(&b.length).then_with(|| b.label.cmp(a.label)));
    let over: Vec<&str> = tools.iter().filter(|tool| tool.length > 1024).map(|tool| tool.label).collect();
    vec![
        figure(
            "title.tool",
            Unit::Count,
            "with `title`",
            "tools with a string `title`",
            counted(tools, |tool| matches!(tool.titles, [true, _])),
        )
        .by("[.tools[]|select(.title|type==\"string\")]|length", ""),
        figure(
            "title.annotations",
            Unit::Count,
            "with `annotations.title`",
            "tools with a string `annotations.title`",
            counted(tools, |tool| matches!(tool.titles, [_, true])),
        )
        .by("[.tools[].annotations|objects|select(.title|type==\"string\")]|length", ""),
        figure(
            "deprecated.marker",
            Unit::Count,
            "marked deprecated",
            "description opens with a deprecation mark",
            counted(tools, |tool| matches!(tool.deprecated, [true, _])),
        ),
        figure(
            "deprecated.word",
            Unit::Count,
            "descriptions with the word",
            "description holds \"deprecated\" in any case, also in another sense",
            counted(tools, |tool| matches!(tool.deprecated, [_, true])),
        )
        .by("[.tools[].description|strings|select(test(\"deprecated\";\"i\"))]|length", ""),
        figure(
            "description.sum",
            Unit::Char,
            "descriptions together",
            LENGTH,
            tools.iter().map(|tool| tool.length).sum::<u64>(),
        ),
        figure("description.longest", Unit::Char, "longest description", LENGTH, longest.map(|tool| tool.length)),
        figure(
            "description.longest_tool",
            Unit::Text,
            "whose description that is",
            LENGTH,
            longest.map(|tool| tool.label),
        ),
        figure("description.over_1024", Unit::Text, "descriptions over 1,024", LENGTH, over),
    ]
}
