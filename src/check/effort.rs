//! How much work it is to hold a value against a schema of the audited server.
//!
//! A few references that each lead to two more make a validator look at one place a billion times; such a schema is
//! known before anything is validated, and no rule holds a value against it.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::surface::refs::Refs;
use crate::surface::schema::{Node, Target, holders, nodes};

/// Looks of a schema at a place of the value that are bearable. An honest result needs a few for each of its members.
const MOST_LOOKS: usize = 1 << 20;
/// Schemas that a schema may grow to when its references are written out.
const MOST_SCHEMAS: usize = 1 << 16;
/// References that lead on from one another, and nesting, together.
const MOST_DEPTH: usize = 256;

/// Keywords whose schemas look at the same place.
const SAME: [&str; 9] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"];
/// Keywords whose schemas look at every member or item.
const EVERY: [&str; 8] = [
    "items",
    "prefixItems",
    "additionalItems",
    "contains",
    "unevaluatedItems",
    "additionalProperties",
    "unevaluatedProperties",
    "patternProperties",
];

/// Whether a validator of `schema` is done with `value` in bearable time.
pub(super) fn is_bearable(schema: &Value, value: &Value) -> bool {
    let nodes = nodes(schema);
    let refs = Refs::new(schema, &nodes);
    if !Written::new(&nodes, &refs).is_small() {
        return false;
    }
    let mut looks = 0;
    let mut open = vec![(schema, value)];
    while let Some((schema, value)) = open.pop() {
        looks += 1;
        if looks + open.len() > MOST_LOOKS {
            return false;
        }
        let Some(keywords) = schema.as_object() else { continue };
        for (keyword, inner) in keywords {
            if let Some(target) = leads_to(keyword, inner, &refs) {
                open.push((target, value));
            } else if SAME.contains(&keyword.as_str()) {
                open.extend(held(keyword, inner).map(|schema| (schema, value)));
            } else if keyword == "properties" {
                let named = inner.as_object().into_iter().flatten();
                open.extend(named.filter_map(|(name, schema)| Some((schema, value.get(name)?))));
            } else if EVERY.contains(&keyword.as_str()) {
                for schema in held(keyword, inner) {
                    open.extend(members(value).map(|value| (schema, value)));
                }
            }
        }
    }
    true
}

/// A schema with its references written out.
struct Written<'c, 's> {
    /// For each node those that it holds, shared bodies left out.
    held: Vec<Vec<usize>>,
    /// For each node the one that it refers to.
    refers: Vec<Option<usize>>,
    /// The size of each node, once known.
    sizes: Vec<Option<usize>>,
    nodes: &'c [Node<'s>],
}

impl<'c, 's> Written<'c, 's> {
    fn new(nodes: &'c [Node<'s>], refs: &Refs<'_, 's>) -> Self {
        let places: BTreeMap<*const Value, usize> =
            nodes.iter().enumerate().map(|(n, node)| (std::ptr::from_ref(node.value), n)).collect();
        let mut held = vec![Vec::new(); nodes.len()];
        for (n, holder) in holders(nodes).into_iter().enumerate() {
            let is_body = nodes.get(n).is_none_or(|node| matches!(node.under, "$defs" | "definitions"));
            if let Some(held) = holder.filter(|_| !is_body).and_then(|holder| held.get_mut(holder)) {
                held.push(n);
            }
        }
        let target = |node: &Node<'s>| {
            let target = leads_to("$ref", node.value.get("$ref")?, refs)?;
            places.get(&std::ptr::from_ref(target)).copied()
        };
        Self { held, refers: nodes.iter().map(target).collect(), sizes: vec![None; nodes.len()], nodes }
    }

    fn is_small(&mut self) -> bool {
        self.nodes.is_empty() || self.size(0, 0).is_some()
    }

    /// The schemas in this one, circles left as they are; none when they are too many, or too deep by reference.
    fn size(&mut self, n: usize, depth: usize) -> Option<usize> {
        if let Some(known) = self.sizes.get(n).copied().flatten() {
            return Some(known);
        }
        if depth > MOST_DEPTH {
            return None;
        }
        // What leads back here while it is counted is a circle, and adds nothing.
        *self.sizes.get_mut(n)? = Some(0);
        let mut size = 1;
        let parts: Vec<usize> =
            self.held.get(n)?.iter().copied().chain(self.refers.get(n).copied().flatten()).collect();
        for part in parts {
            size += self.size(part, depth + 1)?;
        }
        *self.sizes.get_mut(n)? = Some(size);
        Some(size).filter(|size| *size <= MOST_SCHEMAS)
    }
}

fn leads_to<'s>(keyword: &str, value: &'s Value, refs: &Refs<'_, 's>) -> Option<&'s Value> {
    let reference = value.as_str().filter(|_| matches!(keyword, "$ref" | "$dynamicRef" | "$recursiveRef"))?;
    match refs.lead(reference) {
        Target::Here(target) => Some(target),
        _ => None,
    }
}

/// The schemas that a keyword holds: those of its items or members, or itself.
fn held<'s>(keyword: &str, value: &'s Value) -> impl Iterator<Item = &'s Value> {
    let named = matches!(keyword, "dependentSchemas" | "dependencies" | "patternProperties");
    let own = Some(value).filter(|value| value.is_object() && !named);
    let parts = Some(value).filter(|_| own.is_none());
    own.into_iter().chain(parts.into_iter().flat_map(members))
}

/// The items or members of a value.
fn members(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten().chain(value.as_object().into_iter().flat_map(|members| members.values()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::fmt::Write as _;

    /// A chain of definitions, each of which refers to the next one twice under `keyword`.
    fn doubling(keyword: &str, length: usize) -> Value {
        let mut text = String::from("{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
        for n in 0..length {
            let next = format!("{{\"$ref\":\"#/$defs/d{}\"}}", n + 1);
            let _ = write!(text, "\"d{n}\":{{\"{keyword}\":[{next},{next}]}},");
        }
        let _ = write!(text, "\"d{length}\":{{\"type\":\"string\"}}}}}}");
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn doubling_is_seen_before_it_costs() {
        assert!(is_bearable(&doubling("anyOf", 10), &json!(1)));
        assert!(!is_bearable(&doubling("anyOf", 40), &json!(1)));
        assert!(!is_bearable(&json!({ "$ref": "#" }), &json!(1)));
        let both = json!({ "items": { "anyOf": [{ "$ref": "#" }, { "$ref": "#" }] } });
        let deep = |depth: usize| (0..depth).fold(json!(1), |value, _| json!([value]));
        assert!(is_bearable(&both, &deep(10)));
        assert!(!is_bearable(&both, &deep(60)));
    }

    #[test]
    fn what_is_borne_is_quick() {
        let started = std::time::Instant::now();
        for keyword in ["anyOf", "allOf", "oneOf"] {
            let schema = doubling(keyword, 14);
            assert!(is_bearable(&schema, &json!(1)));
            let _ = crate::check::Validator::of_server(&schema).map(|validator| validator.mismatches(&json!(1)));
        }
        assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
    }

    #[test]
    fn an_honest_result_is_bearable() {
        let schema = json!({ "type": "object", "properties": { "rows": { "type": "array", "items": { "$ref": "#/$defs/row" } } },
            "$defs": { "row": { "properties": { "id": { "type": "string" }, "below": { "$ref": "#/$defs/rows" } } },
                "rows": { "items": { "$ref": "#/$defs/row" } } } });
        let rows: Vec<Value> = (0..50_000).map(|n| json!({ "id": n.to_string(), "below": [] })).collect();
        assert!(is_bearable(&schema, &json!({ "rows": rows })));
    }
}
