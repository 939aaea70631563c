//! What a tool promises beyond its input: output schema and hints, in the classes that figures and rules share.

use serde_json::Value;

use super::Tool;

/// The four hints of `ToolAnnotations`, and the value a client assumes where one is absent.
pub const HINTS: [(&str, bool); 4] = [
    ("readOnlyHint", false),
    ("destructiveHint", true),
    ("idempotentHint", false),
    ("openWorldHint", true),
];

/// How much an output schema says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// The tool has none.
    Absent,
    /// It has one that allows any object: only type, title, description, dialect, identity or empty members.
    Empty,
    /// It says something of the result.
    Says,
}

/// The class of a tool's output schema.
pub fn output(tool: &Tool) -> Output {
    match tool.output_schema() {
        None => Output::Absent,
        Some(Value::Object(members)) => {
            let silent = members.iter().all(|(keyword, value)| match keyword.as_str() {
                "$schema" | "$id" | "id" | "$comment" | "title" | "description" => true,
                "type" => value == "object",
                "properties" | "$defs" | "definitions" => value.as_object().is_some_and(serde_json::Map::is_empty),
                "required" => value.as_array().is_some_and(Vec::is_empty),
                "additionalProperties" => value == &Value::Bool(true) || value == &Value::Object(serde_json::Map::new()),
                _ => false,
            });
            if silent { Output::Empty } else { Output::Says }
        }
        Some(_) => Output::Says,
    }
}

/// Whether a tool carries at least one of the four hints, under its right name.
pub fn has_hint(tool: &Tool) -> bool {
    HINTS.into_iter().any(|(hint, _)| tool.hint(hint).is_some())
}

/// Whether a description opens with a mark that the tool is deprecated: `[DEPRECATED…`, `(deprecated)`,
/// `Deprecated:`, `DEPRECATED -` and the like.
pub fn opens_with_deprecated(text: &str) -> bool {
    let opened = text.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let Some(rest) = strip_word(opened, "deprecated") else {
        return false;
    };
    // "Deprecated tools of …" speaks of others; a mark is followed by punctuation, "since", "in favour of" or "use".
    let bracketed = opened.len() < text.len() && text.trim_start().starts_with(['[', '(', '*', '<', '!', '⚠']);
    let after = rest.trim_start();
    bracketed
        || rest.is_empty()
        || rest.starts_with([':', '.', ',', ';', '!', ']', ')', '*'])
        || after.starts_with(['-', '–', '—', '('])
        || ["since", "in favor", "in favour", "as of", "use ", "and ", "please"]
            .into_iter()
            .any(|word| after.to_lowercase().starts_with(word))
}

fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let head = text.get(..word.len())?;
    let rest = text.get(word.len()..)?;
    let ends = !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    (head.eq_ignore_ascii_case(word) && ends).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_mentions() {
        for text in [
            "[DEPRECATED: use run_program] Fires one pot.",
            "Deprecated since 3.2, will be removed.",
            "**Deprecated**: use x",
            "(deprecated) Lists.",
            "DEPRECATED - use x",
            "Deprecated. Use x.",
            "Deprecated",
            "[DEPRECATED host-native, ADR-023] Reads a file",
        ] {
            assert!(opens_with_deprecated(text), "{text}");
        }
        for text in [
            "Deprecated glazes of the chart, newest first.",
            "Marks a glaze as deprecated.",
            "Lists deprecated APIs.",
            "deprecated_tools lists them",
        ] {
            assert!(!opens_with_deprecated(text), "{text}");
        }
    }
}
