//! Values of headers.

use data_encoding::BASE64;
use serde_json::{Map, Value};

use crate::text::header;

/// Headers by name; no value for one that is left out.
pub(super) type Headers = Vec<(String, Option<String>)>;

/// Whether a text is visible ASCII, as the id of a session must be.
pub(super) fn is_visible(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| (0x21..=0x7e).contains(&byte))
}

/// A value as a header of 2026-07-28 carries it: as it is when it is plain, else Base64 between its marks.
pub(super) fn encoded(value: &str) -> String {
    let plain = value.bytes().all(|byte| (0x20..=0x7e).contains(&byte));
    if plain && value.trim() == value && !value.starts_with("=?") {
        return value.to_owned();
    }
    format!("=?base64?{}?=", BASE64.encode(value.as_bytes()))
}

/// The `Mcp-Param` headers of a call: what of its arguments the tool's input schema marks with `x-mcp-header`.
pub(super) fn mirrored(schema: &Value, arguments: &Map<String, Value>) -> Headers {
    let mut headers = Headers::new();
    let mut waiting = vec![(schema, arguments)];
    while let Some((schema, arguments)) = waiting.pop() {
        // Marks count only along `properties`; a server must not expect a header for null.
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let text = match arguments.get(name) {
                Some(Value::Object(inner)) => {
                    waiting.push((property, inner));
                    continue;
                }
                Some(Value::String(text)) => encoded(text),
                Some(value @ (Value::Bool(_) | Value::Number(_))) => value.to_string(),
                Some(Value::Null | Value::Array(_)) | None => continue,
            };
            let mark = property.get("x-mcp-header").and_then(Value::as_str).map(|mark| format!("Mcp-Param-{mark}"));
            // A mark that makes no header costs the server its tool elsewhere; here the call shows what it does.
            headers.extend(mark.filter(|name| header::is_name(name)).map(|name| (name, Some(text))));
        }
    }
    headers
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn marked_arguments_are_said_in_headers_too() {
        let schema = json!({ "properties": {
            "region": { "type": "string", "x-mcp-header": "Region" },
            "where": { "type": "object", "properties": { "row": { "type": "integer", "x-mcp-header": "Row" } } },
            "dry": { "type": "boolean", "x-mcp-header": "Dry" },
            "none": { "type": "string", "x-mcp-header": "None" },
            "odd": { "type": "string", "x-mcp-header": "a b" },
            "plain": { "type": "string" },
        }});
        let arguments = json!({ "region": "köln", "where": { "row": 7 }, "dry": false, "none": null, "odd": "x",
            "plain": "y", "more": 1 });
        let found = mirrored(&schema, arguments.as_object().unwrap());
        let found: Vec<(&str, &str)> = found.iter().map(|(name, value)| (&**name, value.as_deref().unwrap())).collect();
        assert_eq!(
            found,
            [("Mcp-Param-Region", "=?base64?a8O2bG4=?="), ("Mcp-Param-Dry", "false"), ("Mcp-Param-Row", "7")]
        );
    }

    #[test]
    fn names_of_tools_fit_into_headers() {
        assert_eq!(encoded("get_weather"), "get_weather");
        assert_eq!(encoded("wetter_für_köln"), "=?base64?d2V0dGVyX2bDvHJfa8O2bG4=?=");
        assert_eq!(encoded(" a"), "=?base64?IGE=?=");
    }
}
