//! Walking a JSON Schema: which members are schemas, which are parameters, where a local reference leads.
//!
//! A property called `required` or `type` is not a keyword; only this walk knows where keywords stand.

use serde_json::Value;

use crate::text::pointer::Pointer;

/// Keywords whose value is one schema.
const ONE: [&str; 13] = [
    "additionalProperties",
    "additionalItems",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
    "extends",
];

/// Keywords whose value is a list of schemas.
const MANY: [&str; 5] = ["allOf", "anyOf", "items", "oneOf", "prefixItems"];

/// Keywords whose value maps names to schemas.
const NAMED: [&str; 6] =
    ["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"];

/// A schema inside a schema.
#[derive(Clone, Debug)]
pub struct Node<'s> {
    /// Where, from the outermost schema.
    pub at: Pointer,
    /// The schema: an object or a boolean.
    pub value: &'s Value,
    /// The keyword that holds it, empty at the root.
    pub under: &'static str,
    /// The property name, when it stands under `properties`.
    pub name: Option<&'s str>,
    /// How many `properties` stand above it.
    pub level: usize,
    /// How many levels of `properties`, `items` and the like stand above it; alternatives and shared bodies add none.
    pub depth: u64,
    /// Whether only bodies shared by reference (`$defs`, `definitions`) hold it.
    pub shared: bool,
}

/// Every schema inside `schema`, itself first, in document order. Bounded by the parser's depth limit.
pub fn nodes(schema: &Value) -> Vec<Node<'_>> {
    nodes_from(Pointer::root(), schema)
}

/// [`nodes`], with places that start at `at`.
pub fn nodes_from(at: Pointer, schema: &Value) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    let root = Node { at, value: schema, under: "", name: None, level: 0, depth: 0, shared: false };
    walk(root, &mut found);
    found
}

fn walk<'s>(node: Node<'s>, found: &mut Vec<Node<'s>>) {
    let Value::Object(members) = node.value else {
        if node.value.is_boolean() || node.under.is_empty() {
            found.push(node);
        }
        return;
    };
    found.push(node.clone());
    for (keyword, value) in members {
        let at = node.at.key(keyword);
        let below = |at: Pointer, value: &'s Value, under: &'static str, name: Option<&'s str>| {
            let level = node.level + usize::from(under == "properties");
            let nests =
                matches!(under, "properties" | "patternProperties" | "items" | "prefixItems" | "additionalProperties");
            let depth = node.depth + u64::from(nests);
            let shared = node.shared || matches!(under, "$defs" | "definitions");
            Node { at, value, under, name, level, depth, shared }
        };
        match value {
            Value::Object(_) | Value::Bool(_) if ONE.contains(&keyword.as_str()) => {
                let under = ONE.into_iter().find(|word| word == keyword).unwrap_or_default();
                walk(below(at, value, under, None), found);
            }
            Value::Array(items) if MANY.contains(&keyword.as_str()) => {
                let under = MANY.into_iter().find(|word| word == keyword).unwrap_or_default();
                for (i, item) in items.iter().enumerate() {
                    walk(below(at.index(i), item, under, None), found);
                }
            }
            Value::Object(named) if NAMED.contains(&keyword.as_str()) => {
                let under = NAMED.into_iter().find(|word| word == keyword).unwrap_or_default();
                for (name, item) in named {
                    walk(below(at.key(name), item, under, Some(name)), found);
                }
            }
            _ => {}
        }
    }
}

/// For each node the position of the nearest node above it; none for the first.
pub fn holders(nodes: &[Node<'_>]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut found = Vec::with_capacity(nodes.len());
    for (n, node) in nodes.iter().enumerate() {
        let holds = |above: &usize| nodes.get(*above).is_some_and(|above| node.at.below(&above.at).is_some());
        while open.last().is_some_and(|above| !holds(above)) {
            open.pop();
        }
        found.push(open.last().copied());
        open.push(n);
    }
    found
}

/// A named parameter of an input schema, at any depth.
#[derive(Clone, Debug)]
pub struct Param<'s> {
    /// Where its schema stands, from the input schema.
    pub at: Pointer,
    /// Its name.
    pub name: &'s str,
    /// Its schema.
    pub value: &'s Value,
    /// 1 for the tool's own parameters, 2 for their members, and so on.
    pub level: usize,
}

/// Every member of every `properties` in `schema`, in document order.
pub fn params(schema: &Value) -> Vec<Param<'_>> {
    nodes(schema)
        .into_iter()
        .filter(|node| node.under == "properties")
        .filter_map(|node| {
            let name = node.name?;
            Some(Param { at: node.at, name, value: node.value, level: node.level })
        })
        .collect()
}

/// Where a `$ref` leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target<'s> {
    /// A node of the same document.
    Here(&'s Value),
    /// Nothing: a reference into this document that resolves to no node.
    Dangling,
    /// Another document, which is never fetched.
    Elsewhere,
    /// Not to be told within the bounds.
    Unsettled,
}

pub(super) fn percent_decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        let pair = (byte == b'%').then(|| (ahead.next(), ahead.next()));
        match pair {
            Some((Some(high), Some(low))) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or_default();
                bytes.push(u8::try_from(digit(high) * 16 + digit(low)).unwrap_or_default());
                rest = ahead;
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether an object schema refuses members that it does not name.
pub fn is_closed(schema: &Value) -> bool {
    let refuses = |keyword: &str| schema.get(keyword) == Some(&Value::Bool(false));
    refuses("additionalProperties") || refuses("unevaluatedProperties")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_property_named_like_a_keyword_is_a_parameter() {
        let schema = json!({ "type": "object", "properties": {
            "required": { "type": "boolean" }, "items": { "type": "array", "items": { "type": "string" } } } });
        let places: Vec<String> = nodes(&schema).iter().map(|node| node.at.to_string()).collect();
        assert_eq!(places, ["", "/properties/required", "/properties/items", "/properties/items/items"]);
        assert_eq!(params(&schema).len(), 2);
    }

    #[test]
    fn the_nearest_above() {
        let schema = json!({ "properties": { "a": { "items": {} }, "ab": { "anyOf": [{}, {}] } } });
        assert_eq!(holders(&nodes(&schema)), [None, Some(0), Some(1), Some(0), Some(3), Some(3)]);
    }
}
