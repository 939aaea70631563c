//! Sizes: the payload, the bare array, the single tools, what a model sees, and the cost by part.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::{Value, json};

use super::tokens::Encoding;
use super::{figure, percent};
use crate::metric::{Measure, Unit};
use crate::surface::{self, Surface, Tool, schema};
use crate::text::pointer::Pointer;

/// Sizes of one text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// UTF-8 bytes.
    pub bytes: u64,
    /// Unicode code points.
    pub chars: u64,
    /// UTF-16 code units.
    pub utf16: u64,
    /// Tokens of o200k_base.
    pub o200k: u64,
    /// Tokens of cl100k_base.
    pub cl100k: u64,
}

/// Sizes of one tool's compact JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolFigures {
    /// The tool's name, or the stand-in for none.
    pub name: String,
    /// Sizes of the whole tool object.
    pub size: Size,
}

/// All sizes of a surface.
#[derive(Clone, Debug, Default)]
pub struct Sizes {
    payload: Size,
    array: Size,
    visible: Size,
    /// One entry for each tool.
    pub tools: Vec<ToolFigures>,
    parts: BTreeMap<&'static str, Size>,
}

/// The members whose cost is shown apart.
const PARTS: [&str; 6] = ["description", "inputSchema", "outputSchema", "annotations", "icons", "_meta"];

/// Context windows in tokens, and the ids of the payload's share of them.
const WINDOWS: [(u64, &str); 5] = [
    (8_000, "window.8k.share"),
    (32_000, "window.32k.share"),
    (128_000, "window.128k.share"),
    (200_000, "window.200k.share"),
    (1_000_000, "window.1m.share"),
];

impl Size {
    fn plain(text: &str) -> Self {
        let bytes = text.len() as u64;
        let (chars, utf16) = if text.is_ascii() {
            (bytes, bytes)
        } else {
            (text.chars().count() as u64, text.encode_utf16().count() as u64)
        };
        Self { bytes, chars, utf16, ..Self::default() }
    }

    fn add(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.chars += other.chars;
        self.utf16 += other.utf16;
        self.o200k += other.o200k;
        self.cl100k += other.cl100k;
    }
}

fn count(encoding: Encoding, text: &str) -> u64 {
    encoding.count(text) as u64
}

/// Takes all sizes of a surface. The two encodings are counted side by side.
pub fn sizes(surface: &Surface) -> Sizes {
    let payload = surface.payload();
    let array = surface::bare(&payload);
    let visible: Vec<String> = surface.tools.iter().map(Tool::visible_text).collect();
    let visible = surface::wrapped(visible.iter().map(String::as_str));
    let texts = [&payload, array, &visible];
    let all = |encoding: Encoding| {
        let first = count(encoding, &payload);
        // A list that holds nothing but what a model sees is the same text twice.
        let seen = if visible == payload { first } else { count(encoding, &visible) };
        let whole = [first, count(encoding, array), seen];
        let tools: Vec<u64> = surface.tools.iter().map(|tool| count(encoding, &tool.text)).collect();
        (whole, tools)
    };
    let (o200k, cl100k) = std::thread::scope(|scope| {
        let other = scope.spawn(|| all(Encoding::Cl100kBase));
        let first = all(Encoding::O200kBase);
        // A panic of the other thread is this one's too; there is nothing to count with then.
        let second = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (first, second)
    });
    let size = |n: usize| Size {
        o200k: o200k.0.get(n).copied().unwrap_or_default(),
        cl100k: cl100k.0.get(n).copied().unwrap_or_default(),
        ..texts.get(n).map(|text| Size::plain(text)).unwrap_or_default()
    };
    let counts = o200k.1.iter().zip(&cl100k.1);
    let tools = surface.tools.iter().zip(counts).map(|(tool, (o200k, cl100k))| ToolFigures {
        name: tool.label().to_owned(),
        size: Size { o200k: *o200k, cl100k: *cl100k, ..Size::plain(&tool.text) },
    });
    Sizes { payload: size(0), array: size(1), visible: size(2), tools: tools.collect(), parts: parts(surface) }
}

fn parts(surface: &Surface) -> BTreeMap<&'static str, Size> {
    let mut parts: BTreeMap<&'static str, Size> = PARTS.into_iter().map(|part| (part, Size::default())).collect();
    for tool in &surface.tools {
        for (part, sum) in &mut parts {
            if let Some(text) = tool.member_text(part) {
                sum.add(Size { o200k: count(Encoding::O200kBase, &text), ..Size::plain(&text) });
            }
        }
    }
    parts
}

/// Where a tool is heaviest: its dearest member, then on into the dearest part for as long as that holds at least half
/// of the o200k tokens of what it stands in.
///
/// Counts each part once for each step, so it is for the few tools that are over a limit.
pub fn heaviest(tool: &Tool) -> Pointer {
    let mut at = Pointer::root();
    let mut here = &tool.value;
    // Whatever its share, the first step is taken: a place that is the whole tool says nothing.
    let mut whole = 0;
    while let Some((place, part, tokens)) = dearest(&at, here) {
        if tokens * 2 < whole {
            break;
        }
        (at, here, whole) = (place, part, tokens);
    }
    at
}

/// The member or item that costs most, the first of equals, with its o200k tokens.
fn dearest<'v>(at: &Pointer, value: &'v Value) -> Option<(Pointer, &'v Value, u64)> {
    let parts: Vec<(Pointer, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(name, member)| (at.key(name), member)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(i, item)| (at.index(i), item)).collect(),
        _ => Vec::new(),
    };
    let counted = parts.into_iter().map(|(place, part)| {
        let tokens = count(Encoding::O200kBase, &part.to_string());
        (place, part, tokens)
    });
    counted.reduce(|best, next| if next.2 > best.2 { next } else { best })
}

/// The figures.
pub fn measures(surface: &Surface, sizes: &Sizes) -> Vec<Measure> {
    let mut all = whole_texts(surface, sizes);
    all.extend(sums(sizes));
    all.extend(part_costs(sizes));
    all.extend(windows(sizes));
    all.extend(repeats(surface));
    all
}

fn whole_texts(surface: &Surface, sizes: &Sizes) -> Vec<Measure> {
    const PAYLOAD: &str = "compact JSON of {\"tools\":[…]} in the order received, all pages merged";
    const ARRAY: &str = "compact JSON of the bare array of tools";
    const VISIBLE: &str = "compact JSON of {\"tools\":[…]} with name, description and inputSchema only";
    let Sizes { payload, array, visible, .. } = sizes;
    let jq = "{tools:.tools}";
    vec![
        figure("payload.bytes", Unit::Byte, "payload", PAYLOAD, payload.bytes).by(jq, "wc -c"),
        figure("payload.chars", Unit::Char, "payload", PAYLOAD, payload.chars).by(jq, "LC_ALL=C.UTF-8 wc -m"),
        figure("payload.utf16", Unit::Utf16, "payload", PAYLOAD, payload.utf16),
        figure("payload.o200k", Unit::Token, "payload, o200k_base", PAYLOAD, payload.o200k),
        figure("payload.cl100k", Unit::Token, "payload, cl100k_base", PAYLOAD, payload.cl100k),
        figure(
            "payload.bytes_div_4",
            Unit::Estimate,
            "payload, bytes/4 (an estimate)",
            PAYLOAD,
            (payload.bytes + 2) / 4,
        ),
        figure("array.bytes", Unit::Byte, "bare array", ARRAY, array.bytes).by(".tools", "wc -c"),
        figure("array.utf16", Unit::Utf16, "bare array", ARRAY, array.utf16),
        figure("array.o200k", Unit::Token, "bare array, o200k_base", ARRAY, array.o200k),
        figure("array.cl100k", Unit::Token, "bare array, cl100k_base", ARRAY, array.cl100k),
        figure("visible.bytes", Unit::Byte, "what a model sees", VISIBLE, visible.bytes),
        figure("visible.chars", Unit::Char, "what a model sees", VISIBLE, visible.chars),
        figure("visible.utf16", Unit::Utf16, "what a model sees", VISIBLE, visible.utf16),
        figure("visible.o200k", Unit::Token, "what a model sees, o200k_base", VISIBLE, visible.o200k),
        figure("visible.cl100k", Unit::Token, "what a model sees, cl100k_base", VISIBLE, visible.cl100k),
        figure(
            "message.bytes",
            Unit::Byte,
            "raw message",
            "the JSON-RPC messages that carried the list, as received, without line ends",
            surface.message_bytes.map(|bytes| bytes as u64),
        ),
    ]
}

fn sums(sizes: &Sizes) -> Vec<Measure> {
    const SUM: &str = "sum over the compact JSON of each tool; not the payload, which has separators and other borders between tokens";
    let mut sum = Size::default();
    for tool in &sizes.tools {
        sum.add(tool.size);
    }
    let mut dear: Vec<&ToolFigures> = sizes.tools.iter().collect();
    dear.sort_by(|a, b| b.size.o200k.cmp(&a.size.o200k).then_with(|| a.name.cmp(&b.name)));
    dear.truncate(5);
    let five: u64 = dear.iter().map(|tool| tool.size.o200k).sum();
    let list: Vec<Value> = dear.iter().map(|tool| json!([tool.name, tool.size.o200k])).collect();
    vec![
        figure("tool_sum.bytes", Unit::Byte, "sum of single tools", SUM, sum.bytes),
        figure("tool_sum.o200k", Unit::Token, "sum of single tools, o200k_base", SUM, sum.o200k),
        figure("tool_sum.cl100k", Unit::Token, "sum of single tools, cl100k_base", SUM, sum.cl100k),
        figure("top5.tools", Unit::Text, "dearest five", "o200k_base tokens of each tool's compact JSON", list),
        figure(
            "top5.share.o200k",
            Unit::Percent,
            "share of the dearest five",
            "their o200k_base tokens of the sum of single tools",
            percent(five, sum.o200k, 1),
        ),
    ]
}

fn part_costs(sizes: &Sizes) -> Vec<Measure> {
    const METHOD: &str = "sum over the compact JSON of this member's value in each tool";
    const IDS: [(&str, &str, &str, &str); 6] = [
        ("description", "part.description.bytes", "part.description.o200k", "descriptions"),
        ("inputSchema", "part.input_schema.bytes", "part.input_schema.o200k", "input schemas"),
        ("outputSchema", "part.output_schema.bytes", "part.output_schema.o200k", "output schemas"),
        ("annotations", "part.annotations.bytes", "part.annotations.o200k", "annotations"),
        ("icons", "part.icons.bytes", "part.icons.o200k", "icons"),
        ("_meta", "part.meta.bytes", "part.meta.o200k", "_meta"),
    ];
    let mut all = Vec::new();
    for (part, bytes, o200k, title) in IDS {
        let size = sizes.parts.get(part).copied().unwrap_or_default();
        all.push(figure(bytes, Unit::Byte, title, METHOD, size.bytes));
        all.push(figure(o200k, Unit::Token, title, METHOD, size.o200k));
    }
    all
}

fn windows(sizes: &Sizes) -> Vec<Measure> {
    const TITLES: [&str; 5] = [
        "share of an 8k window",
        "share of a 32k window",
        "share of a 128k window",
        "share of a 200k window",
        "share of a 1M window",
    ];
    let shares = WINDOWS.into_iter().zip(TITLES);
    shares
        .map(|((window, id), title)| {
            figure(id, Unit::Percent, title, "payload.o200k of the window", percent(sizes.payload.o200k, window, 2))
        })
        .collect()
}

/// The repeated property value whose copies waste most.
fn repeats(surface: &Surface) -> Vec<Measure> {
    const METHOD: &str = "equal compact JSON of values under `properties` of input schemas, at any depth; \
                          waste is (copies - 1) times the size of one";
    let params = surface.tools.iter().filter_map(Tool::input_schema).flat_map(schema::params);
    let worst = dearest_repeat(params.map(|param| param.value.to_string()).collect());
    let waste = worst.map_or(0, |(copies, units)| (copies - 1) * units);
    vec![
        figure(
            "repeat.copies",
            Unit::Count,
            "copies of the dearest repeated value",
            METHOD,
            worst.map(|(copies, _)| copies),
        ),
        figure("repeat.utf16", Unit::Utf16, "size of one copy", METHOD, worst.map(|(_, units)| units)),
        figure("repeat.waste.utf16", Unit::Utf16, "waste of the dearest repeated value", METHOD, waste),
    ]
}

/// Copies and UTF-16 units of the text whose copies waste most; none when no text occurs twice.
///
/// Sorted by hash first: comparing a hundred thousand texts with each other would run through all of memory.
fn dearest_repeat(texts: Vec<String>) -> Option<(u64, u64)> {
    let hashed = |text: String| {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        (hasher.finish(), text)
    };
    let mut texts: Vec<(u64, String)> = texts.into_iter().map(hashed).collect();
    texts.sort_unstable();
    let groups = texts.chunk_by(|a, b| a == b).filter(|group| group.len() > 1);
    let sized = groups.filter_map(|group| {
        let (_, text) = group.first()?;
        Some((group.len() as u64, text.encode_utf16().count() as u64, text))
    });
    // Of equal wastes the first text in order of letters, so that the answer does not hang on a hash.
    let worst = sized.max_by(|a, b| ((a.0 - 1) * a.1).cmp(&((b.0 - 1) * b.1)).then_with(|| b.2.cmp(a.2)));
    worst.map(|(copies, units, _)| (copies, units))
}
