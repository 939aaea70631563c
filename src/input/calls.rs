//! Calls that the user wrote down, because no tool is called unless told to.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};
use toml::Spanned;

use super::live::Call;
use crate::error::Trouble;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    calls: Vec<WrittenCall>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCall {
    tool: Spanned<String>,
    #[serde(default)]
    arguments: toml::Table,
}

/// Reads a file of calls: TOML with a `[[calls]]` for each, with its `tool` and a table `arguments`.
///
/// # Errors
///
/// [`Trouble::Usage`] when it cannot be read, [`Trouble::Config`] with the place of a fault in it.
pub fn read(path: &Path) -> Result<Vec<Call>, Trouble> {
    let text = std::fs::read_to_string(path).map_err(|cause| {
        Trouble::usage(format!("{}: {cause}", path.display()), "check the path given with `--calls`")
    })?;
    from_text(&path.display().to_string(), &text)
}

/// Reads the text of a file of calls.
///
/// # Errors
///
/// [`Trouble::Config`] with the place of the fault.
pub fn from_text(name: &str, text: &str) -> Result<Vec<Call>, Trouble> {
    let help = "a call is `[[calls]]` with `tool = \"name\"` and, below `[calls.arguments]`, its arguments";
    let fault = |at, problem: &str| Trouble::config(name, text, at, problem, Some(help.to_owned()));
    let written: Written = toml::from_str(text).map_err(|error| fault(error.span(), error.message()))?;
    let mut calls = Vec::new();
    for call in written.calls {
        if call.tool.get_ref().is_empty() {
            return Err(fault(Some(call.tool.span()), "the name of the tool is empty"));
        }
        calls.push(Call { tool: call.tool.into_inner(), arguments: object(call.arguments) });
    }
    Ok(calls)
}

fn object(table: toml::Table) -> Map<String, Value> {
    table.into_iter().map(|(name, value)| (name, json(value))).collect()
}

/// TOML as JSON. Days and times, which JSON does not have, become texts.
fn json(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) => number.into(),
        toml::Value::Boolean(value) => Value::Bool(value),
        toml::Value::Datetime(time) => Value::String(time.to_string()),
        toml::Value::Array(items) => items.into_iter().map(json).collect(),
        toml::Value::Table(table) => Value::Object(object(table)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_become_json() {
        let text = "[[calls]]\ntool = \"a\"\n[[calls]]\ntool = \"b\"\n[calls.arguments]\nn = 1\nday = 2026-01-31\n\
                    deep = { list = [1.5, \"x\", true] }\n";
        let calls = from_text("calls.toml", text).unwrap();
        let arguments = serde_json::json!({ "n": 1, "day": "2026-01-31", "deep": { "list": [1.5, "x", true] } });
        assert_eq!(calls.len(), 2);
        assert_eq!(calls[0], Call { tool: "a".to_owned(), arguments: Map::new() });
        assert_eq!(Value::Object(calls[1].arguments.clone()), arguments);
    }

    #[test]
    fn faults_point_at_their_characters() {
        for (text, problem, marked) in [
            ("[[calls]]\ntool = \"\"\n", "is empty", "\"\""),
            ("[[calls]]\ntool = \"a\"\nargs = 1\n", "unknown field `args`", "args"),
            ("[[calls]]\ntool = \"a\"\narguments = 1\n", "expected a map", "1"),
        ] {
            let Trouble::Config { problem: got, at: Some(at), .. } = from_text("x", text).unwrap_err() else {
                panic!("{text}")
            };
            assert!(got.contains(problem), "{got}");
            assert_eq!(&text[at.offset()..at.offset() + at.len()], marked);
        }
    }
}
