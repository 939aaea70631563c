//! What the list costs in the forms that reach models, and what never reaches one.
//!
//! Exact counts are of named texts. What a family makes of them is an estimate, by factors from `rules/families.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::tokens::Encoding;
use crate::finding::Confidence;
use crate::surface::{self, Surface, Tool};

/// A text and its exact size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// A short name.
    pub id: &'static str,
    /// What the text is.
    pub title: &'static str,
    /// Its UTF-8 bytes.
    pub bytes: u64,
    /// Tokens of o200k_base.
    pub o200k: u64,
    /// Tokens of cl100k_base.
    pub cl100k: u64,
}

/// How one model family differs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// A short name.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// Its tokens for each o200k_base token of the Claude form.
    pub factor: f64,
    /// The lowest factor seen, where there is a spread.
    #[serde(default)]
    pub low: Option<f64>,
    /// The highest factor seen, where there is a spread.
    #[serde(default)]
    pub high: Option<f64>,
    /// Tokens of a request beside the definitions, where known.
    #[serde(default)]
    pub prompt: Option<u64>,
    /// How sure that is.
    pub confidence: Confidence,
    /// What the factor rests on.
    pub basis: String,
    /// Who says so, in a few words.
    pub source: String,
    /// Where that can be read.
    pub url: String,
    /// The day it was true.
    pub date: String,
}

/// An estimate for one family.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The family.
    pub family: &'static Family,
    /// Tokens, by the usual factor.
    pub tokens: u64,
    /// Tokens by the lowest and the highest factor, where there is a spread.
    pub range: Option<(u64, u64)>,
}

/// The whole table.
#[derive(Clone, Debug, PartialEq)]
pub struct Forms {
    /// Texts that hosts send, the whole wire first.
    pub sent: Vec<Form>,
    /// Members that no model receives in the usual hosts, each summed over all tools.
    pub unseen: Vec<Form>,
    /// Estimates by family.
    pub estimates: Vec<Estimate>,
}

/// The members that usual hosts keep from the model.
const UNSEEN: [(&str, &str); 6] = [
    ("outputSchema", "outputSchema; a few hosts use it in place of code"),
    ("annotations", "annotations"),
    ("title", "title"),
    ("icons", "icons"),
    ("execution", "execution"),
    ("_meta", "_meta"),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    families: Vec<Family>,
}

/// The families of the data file. That it can be read is held by a test.
pub fn families() -> &'static [Family] {
    static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
        let read: Result<File, _> = toml::from_str(include_str!("../../rules/families.toml"));
        read.map(|file| file.families).unwrap_or_default()
    });
    &FAMILIES
}

/// Counts all forms. Not part of [`super::measure`]: it tokenizes the list several times over.
pub fn forms(surface: &Surface) -> Forms {
    let each = |form: fn(&Tool) -> String| {
        let tools: Vec<String> = surface.tools.iter().map(form).collect();
        format!("[{}]", tools.join(","))
    };
    let visible: Vec<String> = surface.tools.iter().map(Tool::visible_text).collect();
    let claude = each(|tool| renamed(tool, "input_schema"));
    let names: Vec<&str> = surface.tools.iter().filter_map(Tool::name).collect();
    let sent = vec![
        form("wire", "full wire: {\"tools\":[…]} as listed", &surface.payload()),
        form(
            "visible",
            "visible part: name, description, inputSchema",
            &surface::wrapped(visible.iter().map(String::as_str)),
        ),
        form("claude", "Claude API: name, description, input_schema", &claude),
        form("openai", "OpenAI API: type, function {name, description, parameters}", &each(of_openai)),
        form("gemini", "Gemini API: functionDeclarations with parametersJsonSchema", &of_gemini(surface)),
        form("deferred", "a deferring host at the start: the names, a line each", &names.join("\n")),
    ];
    let base = sent.iter().find(|form| form.id == "claude").map_or(0, |form| form.o200k);
    let estimates = families().iter().map(|family| {
        // In thousandths, so that the product stays a whole number.
        let tokens = |factor: f64| (base * thousandths(factor) + 500) / 1000;
        let range = family.low.zip(family.high).map(|(low, high)| (tokens(low), tokens(high)));
        Estimate { family, tokens: tokens(family.factor), range }
    });
    Forms {
        estimates: estimates.collect(),
        unseen: UNSEEN.map(|(name, title)| unseen(surface, name, title)).to_vec(),
        sent,
    }
}

/// A factor in thousandths; nought for what is none.
fn thousandths(factor: f64) -> u64 {
    format!("{:.0}", factor * 1000.0).parse().unwrap_or_default()
}

fn form(id: &'static str, title: &'static str, text: &str) -> Form {
    Form {
        id,
        title,
        bytes: text.len() as u64,
        o200k: Encoding::O200kBase.count(text) as u64,
        cl100k: Encoding::Cl100kBase.count(text) as u64,
    }
}

/// The compact JSON of each tool's member, summed.
fn unseen(surface: &Surface, name: &'static str, title: &'static str) -> Form {
    let mut sum = Form { id: name, title, bytes: 0, o200k: 0, cl100k: 0 };
    for text in surface.tools.iter().filter_map(|tool| tool.member_text(name)) {
        let one = form(name, title, &text);
        sum.bytes += one.bytes;
        sum.o200k += one.o200k;
        sum.cl100k += one.cl100k;
    }
    sum
}

/// Name, description and the input schema under another name.
fn renamed(tool: &Tool, schema: &str) -> String {
    let members = [("name", "name"), ("description", "description"), ("inputSchema", schema)];
    let written = members.into_iter().filter_map(|(from, to)| Some(format!("\"{to}\":{}", tool.member_text(from)?)));
    format!("{{{}}}", written.collect::<Vec<_>>().join(","))
}

fn of_openai(tool: &Tool) -> String {
    format!("{{\"type\":\"function\",\"function\":{}}}", renamed(tool, "parameters"))
}

fn of_gemini(surface: &Surface) -> String {
    let tools: Vec<String> = surface.tools.iter().map(|tool| renamed(tool, "parametersJsonSchema")).collect();
    format!("[{{\"functionDeclarations\":[{}]}}]", tools.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_file_is_read() {
        assert!(families().len() >= 4);
        for family in families() {
            assert!(family.low.is_none_or(|low| low <= family.factor), "{}", family.id);
            assert!(family.high.is_none_or(|high| family.factor <= high), "{}", family.id);
            assert!(family.url.starts_with("https://") && family.date.len() == 10, "{}", family.id);
        }
    }

    #[test]
    fn forms_differ_in_their_wrapping_only() {
        let list =
            r#"[{"name":"a","title":"A","description":"Does.","inputSchema":{"type":"object"},"icons":[{"src":"x"}]}]"#;
        let surface = crate::input::dump::read("t", "t", list.as_bytes()).unwrap().surface;
        let forms = forms(&surface);
        let bytes = |id: &str| forms.sent.iter().find(|form| form.id == id).unwrap().bytes;
        assert_eq!(
            bytes("claude"),
            r#"[{"name":"a","description":"Does.","input_schema":{"type":"object"}}]"#.len() as u64
        );
        assert_eq!(
            bytes("openai"),
            r#"[{"type":"function","function":{"name":"a","description":"Does.","parameters":{"type":"object"}}}]"#
                .len() as u64
        );
        assert_eq!(bytes("deferred"), 1);
        let icons = forms.unseen.iter().find(|form| form.id == "icons").unwrap();
        assert_eq!(icons.bytes, r#"[{"src":"x"}]"#.len() as u64);
    }
}
