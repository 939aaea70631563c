//! What a tool promises beyond its input: output schema and hints, in the classes that figures and rules share.

use serde_json::Value;

use super::Tool;

/// The four hints of `ToolAnnotations`.
pub const HINTS: [&str; 4] = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

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
        // `null` is no schema; a rule says so.
        None | Some(Value::Null) => Output::Absent,
        Some(Value::Object(members)) => {
            let silent = members.iter().all(|(keyword, value)| match keyword.as_str() {
                "$schema" | "$id" | "id" | "$comment" | "title" | "description" => true,
                "type" => value == "object",
                "properties" | "$defs" | "definitions" => value.as_object().is_some_and(serde_json::Map::is_empty),
                "required" => value.as_array().is_some_and(Vec::is_empty),
                "additionalProperties" => {
                    value == &Value::Bool(true) || value == &Value::Object(serde_json::Map::new())
                }
                _ => false,
            });
            if silent { Output::Empty } else { Output::Says }
        }
        Some(_) => Output::Says,
    }
}

/// Whether a text opens with a mark that the tool is deprecated: `[DEPRECATED…`, `@deprecated`, `Deprecated:`,
/// `**Deprecated** - `, `No longer supported` and the like.
pub fn opens_with_deprecated(text: &str) -> bool {
    // "Deprecated tools of …" speaks of others; a mark is followed by a sign or by one of these.
    const NEXT: [&str; 14] = [
        "and", "as of", "command", "endpoint", "function", "in", "method", "please", "since", "this", "tool", "use",
        "will be", "do not",
    ];
    let opened = text.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    if strip_word(opened, "no longer supported").is_some() {
        return true;
    }
    let Some(rest) = strip_word(opened, "deprecated") else {
        return false;
    };
    let signs = text.strip_suffix(opened).unwrap_or_default();
    let after = rest.trim_start();
    // The sign of "deprecated-tools" or "deprecated/old" is a part of the word.
    let joined = rest.starts_with(['-', '/', '\'', '’']) && rest.chars().nth(1).is_some_and(char::is_alphanumeric);
    signs.ends_with(['[', '(', '<', '@'])
        || after.is_empty()
        || (!joined && !after.starts_with(|letter: char| letter.is_alphanumeric() || "`\"'".contains(letter)))
        || NEXT.into_iter().any(|word| strip_word(after, word).is_some())
}

fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let head = text.get(..word.len())?;
    let rest = text.get(word.len()..)?;
    // "_Deprecated_" is Markdown, "deprecated_tools" a name.
    let ends = !rest.trim_start_matches('_').starts_with(char::is_alphanumeric);
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
            "⚠️ DEPRECATED：see x",
            "DEPRECATED / out of order: the API is gone.",
            "@deprecated by x",
            "**Deprecated endpoint - use GET /x instead.**",
            "_No longer supported_",
        ] {
            assert!(opens_with_deprecated(text), "{text}");
        }
        for text in [
            "Deprecated glazes of the chart, newest first.",
            "Marks a glaze as deprecated.",
            "Lists deprecated APIs.",
            "deprecated_tools lists them",
            "**Deprecated glazes** and their successors.",
            "Deprecated-type report of the chart.",
        ] {
            assert!(!opens_with_deprecated(text), "{text}");
        }
    }
}
