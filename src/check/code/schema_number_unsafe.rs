//! Whole numbers in schemas that doubles do not hold exactly. Numbers with a fraction or an exponent are doubles as they
//! stand, and what is mirrored in a header has a rule of its own.

use serde_json::Value;

use super::super::{Context, Hit};
use super::x_mcp_header_invalid::KEY;
use crate::text::{pointer::Pointer, safe};

/// The largest whole number that a double holds exactly together with all smaller ones, in digits.
const SAFE: &str = "9007199254740991";
/// The same for a bound that is itself no value.
const SAFE_EXCLUSIVE: &str = "9007199254740992";
/// Keywords whose value is a number or holds some.
const KEYWORDS: [&str; 8] =
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "const", "default", "enum"];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for schema in cx.schemas() {
        for node in schema.nodes.iter().filter(|node| node.value.get(KEY).is_none()) {
            for keyword in KEYWORDS {
                let Some(stated) = node.value.get(keyword) else { continue };
                if let Some((at, text)) = unsafe_number(&node.at.key(keyword), stated, limit(keyword)) {
                    hits.push(Hit::tool(schema.tool, at).fact("found", safe::clip(&text, 40)).fact("value", keyword));
                }
            }
        }
    }
    hits
}

/// The first number that is too large, in a value or a list of values.
fn unsafe_number(at: &Pointer, stated: &Value, limit: &str) -> Option<(Pointer, String)> {
    match stated {
        Value::Number(number) => {
            let text = number.to_string();
            is_above(&text, limit).then(|| (at.clone(), text))
        }
        Value::Array(items) => items.iter().enumerate().find_map(|(n, item)| match item {
            Value::Number(_) => unsafe_number(&at.index(n), item, limit),
            _ => None,
        }),
        _ => None,
    }
}

fn limit(keyword: &str) -> &'static str {
    if keyword.starts_with("exclusive") { SAFE_EXCLUSIVE } else { SAFE }
}

fn is_above(text: &str, limit: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_whole && (digits.len() > limit.len() || digits.len() == limit.len() && digits > limit)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{hits_on, place};
    use super::*;

    #[test]
    fn whole_numbers_beyond_doubles() {
        for (schema, said) in [
            (r#"{"maximum":9223372036854775807}"#, &["/maximum"][..]),
            (r#"{"minimum":-9007199254740992,"maximum":9007199254740991}"#, &["/minimum"]),
            (r#"{"exclusiveMaximum":9007199254740992,"exclusiveMinimum":-9007199254740993}"#, &["/exclusiveMinimum"]),
            (r#"{"enum":[1,12345678901234567890]}"#, &["/enum/1"]),
            (r#"{"maximum":1.7976931348623157e308,"minimum":-1e300,"default":0.1234567890123456789}"#, &[]),
            (r#"{"examples":[9223372036854775807],"maximum":"9223372036854775807"}"#, &[]),
        ] {
            let hits = hits_on(check, schema);
            assert_eq!(hits.iter().map(place).collect::<Vec<_>>(), said, "{schema}");
        }
    }
}
