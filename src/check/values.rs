//! Values as JSON Schema sees them: of which type they are, and when two are the same.

use serde_json::{Map, Number, Value};

/// The types of JSON Schema.
const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// The types that a schema declares; none where it declares none, or a name that is no type.
pub(super) fn types(schema: &Value) -> Option<Vec<&str>> {
    let names = match schema.get("type")? {
        Value::String(name) => vec![name.as_str()],
        Value::Array(names) => names.iter().map(Value::as_str).collect::<Option<_>>()?,
        _ => return None,
    };
    (!names.is_empty() && names.iter().all(|name| TYPES.contains(name))).then_some(names)
}

/// Whether a value is of one of these types.
pub(super) fn is_of(value: &Value, types: &[&str]) -> bool {
    let of = |name: &str| match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(number) => name == "number" || name == "integer" && is_integer(number),
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    };
    types.iter().any(|name| of(name))
}

/// Whether a number is whole, however it is written.
fn is_integer(number: &Number) -> bool {
    number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|number| number.fract() == 0.0)
}

/// Whether two values are the same; numbers are compared by amount, as `1` and `1.0` are one value.
pub(super) fn are_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| are_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => are_same_members(one, other),
        _ => one == other,
    }
}

fn are_same_members(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    let is_in_other = |(name, value): (&String, &Value)| other.get(name).is_some_and(|other| are_same(value, other));
    one.len() == other.len() && one.iter().all(is_in_other)
}

/// Types in words: "string or null".
pub(super) fn in_words(types: &[&str]) -> String {
    types.join(" or ")
}

/// Whether a schema says in the manner of `OpenAPI` that `null` is allowed, which has a rule of its own.
pub(super) fn is_nullable(schema: &Value) -> bool {
    schema.get("nullable").is_some_and(|nullable| nullable == true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_what_they_amount_to() {
        let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert!(is_of(&read("1.0"), &["integer"]) && is_of(&read("1e3"), &["integer"]));
        assert!(!is_of(&read("1.5"), &["integer", "string"]) && is_of(&read("1"), &["number"]));
        assert!(are_same(&read("[1.0,{\"a\":1,\"b\":2}]"), &read("[1,{\"b\":2,\"a\":1e0}]")));
        assert!(!are_same(&json!({ "a": 1 }), &json!({ "b": 1 })) && !are_same(&json!("1"), &json!(1)));
    }

    #[test]
    fn types_that_are_declared() {
        assert_eq!(types(&json!({ "type": ["string", "null"] })), Some(vec!["string", "null"]));
        for other in
            [json!({}), json!({ "type": "text" }), json!({ "type": [] }), json!({ "type": ["string", 5] }), json!(true)]
        {
            assert_eq!(types(&other), None, "{other}");
        }
    }
}
