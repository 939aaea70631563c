//! The keywords of JSON Schema, and what else is written among them.

use serde_json::{Map, Value};

use super::values::types;
use crate::text::near::edits;

/// Keywords of all dialects that are known, with those of `OpenAPI`, which have a rule of their own; sorted.
const KNOWN: [&str; 71] = [
    "$anchor",
    "$comment",
    "$defs",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$recursiveAnchor",
    "$recursiveRef",
    "$ref",
    "$schema",
    "$vocabulary",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "definitions",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "deprecated",
    "description",
    "disallow",
    "discriminator",
    "divisibleBy",
    "else",
    "enum",
    "example",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "extends",
    "externalDocs",
    "format",
    "id",
    "if",
    "items",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "nullable",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "readOnly",
    "required",
    "then",
    "title",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
    "writeOnly",
    "xml",
];
/// Annotations that form builders, editors and validators define for themselves.
const BORROWED: [&str; 20] = [
    "allowComments",
    "allowTrailingCommas",
    "defaultSnippets",
    "deprecationMessage",
    "doNotSuggest",
    "enumDescriptions",
    "enumItemLabels",
    "enumNames",
    "errorMessage",
    "errorMessages",
    "instanceof",
    "markdownDescription",
    "markdownEnumDescriptions",
    "options",
    "patternErrorMessage",
    "propertyOrder",
    "suggestSortText",
    "tsType",
    "typeof",
    "units",
];
/// What libraries and habits call a keyword.
const ALIASES: [(&str, &str); 21] = [
    ("allowedvalues", "enum"),
    ("choices", "enum"),
    ("defaultvalue", "default"),
    ("desc", "description"),
    ("ge", "minimum"),
    ("gt", "exclusiveMinimum"),
    ("gte", "minimum"),
    ("le", "maximum"),
    ("length", "maxLength"),
    ("lt", "exclusiveMaximum"),
    ("lte", "maximum"),
    ("max", "maximum"),
    ("maxlen", "maxLength"),
    ("maximumlength", "maxLength"),
    ("min", "minimum"),
    ("minlen", "minLength"),
    ("minimumlength", "minLength"),
    ("optional", "required"),
    ("possiblevalues", "enum"),
    ("regex", "pattern"),
    ("validvalues", "enum"),
];
/// Keywords that only tell, so that no value is refused or taken by them.
const NOTES: [&str; 5] = ["$comment", "description", "example", "examples", "title"];

/// Whether a member of a schema is a keyword, or a name that its author marked or borrowed as a note.
pub(super) fn is_known(keyword: &str) -> bool {
    let is_marked = keyword.starts_with(['$', '_', '@', '~']) || keyword.contains(['-', ':', '.', '/', ' ']);
    is_marked || keyword.is_empty() || KNOWN.binary_search(&keyword).is_ok() || BORROWED.contains(&keyword)
}

/// The keyword that an unknown one was meant to be, as far as its letters tell.
pub(super) fn meant(keyword: &str) -> Option<&'static str> {
    let plain = |word: &str| word.chars().filter(|letter| *letter != '_').collect::<String>().to_lowercase();
    // Longer than any keyword with its slips.
    if keyword.len() > 32 {
        return None;
    }
    let word = plain(keyword);
    let same = KNOWN.into_iter().find(|known| plain(known) == word);
    let alias = || ALIASES.iter().find(|(alias, _)| *alias == word).map(|(_, known)| *known);
    let near = || KNOWN.into_iter().find(|known| known.len() >= 7 && edits(&word, &known.to_lowercase()) == 1);
    same.or_else(alias).or_else(near)
}

/// Whether a keyword changes which values are allowed.
pub(super) fn is_demand(keyword: &str) -> bool {
    !NOTES.contains(&keyword)
}

/// Whether a value looks like a schema: its type is one of JSON Schema, or it refers to one or chooses between some.
pub(super) fn is_schema(value: &Value) -> bool {
    let chooses = |keyword: &str| value.get(keyword).is_some_and(Value::is_array);
    let refers = value.get("$ref").is_some_and(Value::is_string);
    value.is_object()
        && (types(value).is_some() || refers || ["anyOf", "oneOf", "allOf", "enum"].into_iter().any(chooses))
}

/// The members of an object schema without properties that look like its parameters: unknown as keywords, and schemas
/// themselves.
pub(super) fn children(members: &Map<String, Value>) -> Vec<&str> {
    let is_child = |name: &String, value: &Value| !is_known(name) && is_schema(value);
    let has_none = members.get("properties").is_none_or(|value| value.as_object().is_some_and(Map::is_empty));
    let is_object = match members.get("type") {
        Some(name) => name == "object",
        // A list of members where the schema belongs.
        None => members.iter().all(|(name, value)| name == "$schema" || is_child(name, value)),
    };
    if !is_object || !has_none {
        return Vec::new();
    }
    members.iter().filter(|(name, value)| is_child(name, value)).map(|(name, _)| name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_was_meant() {
        assert!(KNOWN.is_sorted());
        for (word, known) in [
            ("ge", Some("minimum")),
            ("min_length", Some("minLength")),
            ("additionalproperties", Some("additionalProperties")),
            ("desciption", Some("description")),
            ("optional", Some("required")),
            ("note", None),
            ("commandInputFor", None),
            ("types", None),
        ] {
            assert_eq!(meant(word), known, "{word}");
        }
        assert_eq!(meant(&"a".repeat(1 << 20)), None);
    }

    #[test]
    fn children_beside_a_type() {
        let of = |schema: &Value| schema.as_object().map(|members| children(members).join(" ")).unwrap();
        assert_eq!(of(&json!({ "type": "object", "lawn": { "type": "string" }, "note": "x" })), "lawn");
        assert_eq!(of(&json!({ "lawn": { "type": "string" }, "height": { "enum": [1] } })), "lawn height");
        assert_eq!(of(&json!({ "lawn": { "type": "string" }, "height": 5 })), "");
        assert_eq!(of(&json!({ "type": "object", "properties": { "a": {} }, "lawn": { "type": "string" } })), "");
        assert_eq!(of(&json!({ "type": "object", "x-ui": { "type": "string" }, "meta": { "type": "slider" } })), "");
    }
}
