//! What tools promise: names, output schemas in three classes, hints, titles, descriptions, deprecation.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::figure;
use crate::metric::{Measure, Unit};
use crate::surface::{
    Surface, Tool,
    contract::{Output, opens_with_deprecated, output},
};

/// Members of a Tool object in some revision of the specification.
const MEMBERS: [&str; 9] =
    ["name", "title", "description", "inputSchema", "outputSchema", "annotations", "icons", "execution", "_meta"];

/// Hint, value, measure id, title and portable program.
type HintFigure = (&'static str, Option<bool>, &'static str, &'static str, &'static str);

const HINT_FIGURES: [HintFigure; 12] = [
    (
        "readOnlyHint",
        Some(true),
        "annotations.read_only.true",
        "readOnlyHint true",
        "[.tools[]|select(.annotations.readOnlyHint==true)]|length",
    ),
    (
        "readOnlyHint",
        Some(false),
        "annotations.read_only.false",
        "readOnlyHint false",
        "[.tools[]|select(.annotations.readOnlyHint==false)]|length",
    ),
    ("readOnlyHint", None, "annotations.read_only.absent", "readOnlyHint absent", ""),
    (
        "destructiveHint",
        Some(true),
        "annotations.destructive.true",
        "destructiveHint true",
        "[.tools[]|select(.annotations.destructiveHint==true)]|length",
    ),
    (
        "destructiveHint",
        Some(false),
        "annotations.destructive.false",
        "destructiveHint false",
        "[.tools[]|select(.annotations.destructiveHint==false)]|length",
    ),
    ("destructiveHint", None, "annotations.destructive.absent", "destructiveHint absent", ""),
    (
        "idempotentHint",
        Some(true),
        "annotations.idempotent.true",
        "idempotentHint true",
        "[.tools[]|select(.annotations.idempotentHint==true)]|length",
    ),
    (
        "idempotentHint",
        Some(false),
        "annotations.idempotent.false",
        "idempotentHint false",
        "[.tools[]|select(.annotations.idempotentHint==false)]|length",
    ),
    ("idempotentHint", None, "annotations.idempotent.absent", "idempotentHint absent", ""),
    (
        "openWorldHint",
        Some(true),
        "annotations.open_world.true",
        "openWorldHint true",
        "[.tools[]|select(.annotations.openWorldHint==true)]|length",
    ),
    (
        "openWorldHint",
        Some(false),
        "annotations.open_world.false",
        "openWorldHint false",
        "[.tools[]|select(.annotations.openWorldHint==false)]|length",
    ),
    ("openWorldHint", None, "annotations.open_world.absent", "openWorldHint absent", ""),
];

/// The figures about the list as a set of names.
pub fn tools(surface: &Surface) -> Vec<Measure> {
    const LIST: &str = "tools of all pages, in the order received";
    let mut times: BTreeMap<&str, u64> = BTreeMap::new();
    for name in surface.tools.iter().filter_map(Tool::name) {
        *times.entry(name).or_default() += 1;
    }
    let doubled: Vec<&str> = times.iter().filter(|(_, n)| **n > 1).map(|(name, _)| *name).collect();
    let names: Vec<Value> = surface.tools.iter().map(|tool| tool.label().into()).collect();
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
            .by("[.tools[].name]|unique|length", ""),
        figure("tools.duplicates", Unit::Count, "doubled names", LIST, doubled.len() as u64)
            .by("[.tools[].name]|group_by(.)|map(select(length>1))|length", ""),
        figure("tools.duplicate_names", Unit::Text, "which names are doubled", LIST, doubled),
        figure("tools.names", Unit::Text, "names", LIST, names).by("[.tools[].name]", ""),
        figure("name.longest", Unit::Char, "longest name", LIST, longest),
        figure("tools.extra_members", Unit::Text, "members outside the specification", LIST, extra),
    ]
}

/// The figures about what each tool declares.
pub fn contract(surface: &Surface) -> Vec<Measure> {
    let mut all = outputs(surface);
    all.extend(hints(surface));
    all.extend(words(surface));
    all
}

fn counted(surface: &Surface, holds: impl Fn(&Tool) -> bool) -> u64 {
    surface.tools.iter().filter(|tool| holds(tool)).count() as u64
}

fn outputs(surface: &Surface) -> Vec<Measure> {
    const METHOD: &str =
        "three classes: absent; empty, that is says nothing beyond `type`, names and texts; says something";
    let class = |wanted: Output| counted(surface, |tool| output(tool) == wanted);
    vec![
        figure(
            "output_schema.present",
            Unit::Count,
            "with outputSchema",
            METHOD,
            counted(surface, |tool| output(tool) != Output::Absent),
        )
        .by("[.tools[]|select(.outputSchema!=null)]|length", ""),
        figure("output_schema.empty", Unit::Count, "outputSchema says nothing", METHOD, class(Output::Empty)),
        figure("output_schema.absent", Unit::Count, "without outputSchema", METHOD, class(Output::Absent))
            .by("[.tools[]|select(.outputSchema==null)]|length", ""),
    ]
}

fn hints(surface: &Surface) -> Vec<Measure> {
    const METHOD: &str = "value under `annotations`; absent also when it is not a boolean";
    let annotated = |tool: &Tool| tool.value.get("annotations").is_some_and(Value::is_object);
    let mut all = vec![
        figure(
            "annotations.tools",
            Unit::Count,
            "with annotations",
            "tools with an `annotations` object",
            counted(surface, annotated),
        )
        .by("[.tools[]|select(.annotations|type==\"object\")]|length", ""),
    ];
    for (hint, wanted, id, title, program) in HINT_FIGURES {
        let one = figure(id, Unit::Count, title, METHOD, counted(surface, |tool| tool.hint(hint) == wanted));
        all.push(if program.is_empty() { one } else { one.by(program, "") });
    }
    all
}

fn words(surface: &Surface) -> Vec<Measure> {
    const LENGTH: &str = "code points of `description`";
    let length = |tool: &Tool| tool.description().map_or(0, |text| text.chars().count() as u64);
    let longest = surface.tools.iter().max_by(|a, b| length(a).cmp(&length(b)).then_with(|| b.label().cmp(a.label())));
    let over: Vec<&str> = surface.tools.iter().filter(|tool| length(tool) > 1024).map(Tool::label).collect();
    let word = |tool: &Tool| tool.description().is_some_and(|text| text.to_lowercase().contains("deprecated"));
    let mark = |tool: &Tool| tool.description().is_some_and(opens_with_deprecated);
    let own_title = |tool: &Tool| tool.value.get("title").is_some_and(Value::is_string);
    let other_title = |tool: &Tool| tool.value.pointer("/annotations/title").is_some_and(Value::is_string);
    vec![
        figure("title.tool", Unit::Count, "with `title`", "tools with a string `title`", counted(surface, own_title))
            .by("[.tools[]|select(.title|type==\"string\")]|length", ""),
        figure(
            "title.annotations",
            Unit::Count,
            "with `annotations.title`",
            "tools with a string `annotations.title`",
            counted(surface, other_title),
        )
        .by("[.tools[]|select(.annotations.title|type==\"string\")]|length", ""),
        figure(
            "deprecated.marker",
            Unit::Count,
            "marked deprecated",
            "description opens with a deprecation mark",
            counted(surface, mark),
        ),
        figure(
            "deprecated.word",
            Unit::Count,
            "descriptions with the word",
            "description holds \"deprecated\" in any case, also in another sense",
            counted(surface, word),
        )
        .by("[.tools[]|select((.description//\"\")|test(\"deprecated\";\"i\"))]|length", ""),
        figure(
            "description.sum",
            Unit::Char,
            "descriptions together",
            LENGTH,
            surface.tools.iter().map(length).sum::<u64>(),
        ),
        figure("description.longest", Unit::Char, "longest description", LENGTH, longest.map(length)),
        figure("description.longest_tool", Unit::Text, "whose description that is", LENGTH, longest.map(Tool::label)),
        figure("description.over_1024", Unit::Text, "descriptions over 1,024", LENGTH, over),
    ]
}
