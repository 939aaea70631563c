//! Names in `required` that nothing defines for the same object: neither the schema, nor those that hold it as a branch
//! or by reference, nor its own branches and references. What lies below `not`, and what a reference out of reach may
//! define, is left alone.

use std::collections::{BTreeMap, BTreeSet};

use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value};

use super::super::{Context, Hit};
use crate::surface::scope::{Budget, Tree};

/// Patterns that are compiled for one server.
const MOST_PATTERNS: usize = 64;
/// Bytes that one may take when compiled.
const PATTERN_SIZE: usize = 1 << 20;
/// Bytes of names that are held against patterns for one server.
const MOST_MATCHED: usize = 1 << 22;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    let mut patterns = Patterns::default();
    let mut budget = Budget::default();
    for schema in cx.schemas() {
        let mut tree = None;
        for (n, node) in schema.nodes.iter().enumerate() {
            let missing = not_its_own(node.value);
            if missing.is_empty() {
                continue;
            }
            let tree = tree.get_or_insert_with(|| Tree::new(schema.root, &schema.nodes));
            let scope = tree.scope(n, &mut budget);
            if budget.is_spent() {
                cx.bounds.leave_out(schema.tool, "too many schemas speak of the same objects");
            }
            let Some(scope) = scope else { continue };
            let closed = scope.closed && speaks_of_objects(node.value);
            for (i, name) in missing {
                if !scope.schemas.iter().any(|schema| defines(schema, name, &mut patterns)) {
                    let at = node.at.key("required").index(i);
                    hits.push(Hit::tool(schema.tool, at).fact("value", name).weaker_if(!closed));
                }
            }
            if std::mem::take(&mut patterns.skipped) {
                cx.bounds.leave_out(schema.tool, "there are too many patterns for names of members, or too large ones");
            }
        }
    }
    hits
}

/// The names that a schema requires and does not list among its own properties, each once, with their positions.
fn not_its_own(schema: &Value) -> Vec<(usize, &str)> {
    let Some(required) = schema.get("required").and_then(Value::as_array) else { return Vec::new() };
    let own = schema.get("properties").and_then(Value::as_object);
    let mut seen = BTreeSet::new();
    let names = required.iter().enumerate().filter_map(|(i, name)| Some((i, name.as_str()?)));
    names.filter(|(_, name)| own.is_none_or(|own| !own.contains_key(*name)) && seen.insert(*name)).collect()
}

fn speaks_of_objects(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => name == "object",
        Some(Value::Array(names)) => names.iter().any(|name| name == "object"),
        _ => true,
    }
}

/// Whether a schema says what a member of this name is.
fn defines<'s>(schema: &'s Value, name: &str, patterns: &mut Patterns<'s>) -> bool {
    let map = |keyword: &str| schema.get(keyword).and_then(Value::as_object);
    let properties = map("properties");
    // A map, which names no member, says of each what it is.
    let is_map = properties.is_none_or(Map::is_empty) && map("additionalProperties").is_some_and(|all| !all.is_empty());
    is_map
        || properties.is_some_and(|properties| properties.contains_key(name))
        || map("patternProperties").is_some_and(|keyed| keyed.keys().any(|pattern| patterns.matches(pattern, name)))
}

/// The patterns of `patternProperties`, compiled once. Engines differ, so what does not compile here matches, and so
/// does what is beyond the bounds.
#[derive(Default)]
struct Patterns<'s> {
    compiled: BTreeMap<&'s str, Option<Regex>>,
    matched: usize,
    /// Whether something was beyond the bounds.
    skipped: bool,
}

impl<'s> Patterns<'s> {
    fn matches(&mut self, pattern: &'s str, name: &str) -> bool {
        self.matched += name.len() + 1;
        if !self.compiled.contains_key(pattern) && self.compiled.len() < MOST_PATTERNS {
            let compiled = RegexBuilder::new(pattern).size_limit(PATTERN_SIZE).build();
            self.skipped |= matches!(compiled, Err(regex::Error::CompiledTooBig(_)));
            self.compiled.insert(pattern, compiled.ok());
        }
        let Some(compiled) = self.compiled.get(pattern).filter(|_| self.matched <= MOST_MATCHED) else {
            self.skipped = true;
            return true;
        };
        compiled.as_ref().is_none_or(|compiled| compiled.is_match(name))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{hits_on, place};
    use super::*;
    use serde_json::json;

    /// Place and name of each hit, with `?` where it is weaker.
    fn hits(schema: &Value) -> Vec<String> {
        let said = |hit: &Hit| {
            let mark = if hit.weaker { "?" } else { "" };
            format!("{} {}{mark}", place(hit), hit.facts["value"].as_str().unwrap())
        };
        hits_on(check, &schema.to_string()).iter().map(said).collect()
    }

    #[test]
    fn branches_see_the_schema_around_them_and_it_sees_them() {
        let nothing: [Value; 0] = [];
        for schema in [
            json!({ "properties": { "a": {} }, "anyOf": [{ "required": ["a"] }], "additionalProperties": false }),
            json!({ "required": ["a"], "oneOf": [{ "properties": { "a": {} } }, { "properties": { "b": {} } }] }),
            json!({ "allOf": [{ "properties": { "a": {} } }, { "required": ["a"] }] }),
            json!({ "properties": { "a": {} }, "if": { "required": ["a"] }, "then": { "allOf": [{ "required": ["a"] }] } }),
            json!({ "properties": { "a": {} }, "dependentSchemas": { "b": { "required": ["a"] } } }),
            json!({ "additionalProperties": false, "not": { "anyOf": [{ "required": ["a"] }] } }),
        ] {
            assert_eq!(hits(&schema), nothing, "{schema}");
        }
        let alternatives = json!({ "oneOf": [{ "properties": { "a": {} }, "required": ["b"], "additionalProperties": false },
            { "properties": { "b": {} }, "required": ["c"] }] });
        assert_eq!(hits(&alternatives), ["/oneOf/0/required/0 b", "/oneOf/1/required/0 c?"]);
        let inner = json!({ "properties": { "a": { "required": ["b"] }, "b": {} }, "additionalProperties": false });
        assert_eq!(hits(&inner), ["/properties/a/required/0 b?"]);
        let asked =
            json!({ "if": { "required": ["a"] }, "then": { "required": ["b"] }, "additionalProperties": false });
        assert_eq!(hits(&asked), ["/if/required/0 a?", "/then/required/0 b"]);
    }

    #[test]
    fn references_are_followed_both_ways() {
        let base = json!({ "properties": { "a": {} } });
        let needs = json!({ "required": ["a"] });
        for schema in [
            json!({ "$defs": { "base": base }, "allOf": [{ "$ref": "#/$defs/base" }], "required": ["a"] }),
            json!({ "$defs": { "needs": needs }, "allOf": [{ "$ref": "#/$defs/needs" }], "properties": { "a": {} } }),
            json!({ "allOf": [{ "$ref": "https://example.test/base" }], "required": ["a"] }),
            json!({ "allOf": [{ "$ref": "#/$defs/gone" }], "required": ["a"], "additionalProperties": false }),
            json!({ "$defs": { "x": { "$ref": "#/$defs/y" }, "y": { "$ref": "#/$defs/x", "properties": { "a": {} } } },
                "$ref": "#/$defs/x", "required": ["a"] }),
        ] {
            assert!(hits(&schema).is_empty(), "{schema}");
        }
        // Two that share a base are not one object.
        let two = json!({ "$defs": { "base": base }, "properties": {
            "p": { "$ref": "#/$defs/base", "properties": { "b": {} }, "required": ["a", "b"] },
            "q": { "$ref": "#/$defs/base", "required": ["a", "b"] } } });
        assert_eq!(hits(&two), ["/properties/q/required/1 b?"]);
        let closed = json!({ "$defs": { "base": { "properties": { "a": {} }, "additionalProperties": false } },
            "allOf": [{ "$ref": "#/$defs/base" }], "required": ["a", "b"] });
        assert_eq!(hits(&closed), ["/required/1 b"]);
    }

    #[test]
    fn patterns_and_maps_define_names() {
        for schema in [
            json!({ "patternProperties": { "^x-": {} }, "required": ["x-a"], "additionalProperties": false }),
            json!({ "patternProperties": { "^(?!y)": {} }, "required": ["a"], "additionalProperties": false }),
            json!({ "additionalProperties": { "type": "string" }, "required": ["en"] }),
        ] {
            assert!(hits(&schema).is_empty(), "{schema}");
        }
        let other =
            json!({ "patternProperties": { "^x-": {} }, "required": ["y", "y"], "additionalProperties": false });
        assert_eq!(hits(&other), ["/required/0 y"]);
        let named =
            json!({ "properties": { "a": {} }, "additionalProperties": { "type": "string" }, "required": ["b"] });
        assert_eq!(hits(&named), ["/required/0 b?"]);
        let list = json!({ "type": "array", "additionalProperties": false, "required": ["a"] });
        assert_eq!(hits(&list), ["/required/0 a?"]);
    }
}
