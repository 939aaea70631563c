//! Where the references of one schema lead, looked up without a walk for each.
//!
//! Apart from `schema` since it keeps an index: a hostile schema holds as many anchors as references to them, and
//! searching the one for each of the other would be quadratic.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use serde_json::Value;

use super::schema::{Node, Target, percent_decoded};

/// Schemas of their own identity that a pointer is tried in, beside the outermost one.
const MOST_RESOURCES: usize = 16;

/// The references of one schema.
pub struct Refs<'c, 's> {
    root: &'s Value,
    nodes: &'c [Node<'s>],
    index: OnceCell<Index<'s>>,
}

/// What is inside a schema by name.
#[derive(Default)]
struct Index<'s> {
    /// By `$id`, and by the last step of it; the fragment left out. The first few where several share a last step.
    ids: BTreeMap<&'s str, Vec<&'s Value>>,
    /// By `$anchor`, `$dynamicAnchor` or an `$id` that is a fragment.
    anchors: BTreeMap<&'s str, &'s Value>,
    /// Schemas with an `$id`, in document order.
    resources: Vec<&'s Value>,
}

impl<'c, 's> Refs<'c, 's> {
    /// The references of `root`, whose schemas are `nodes`.
    pub fn new(root: &'s Value, nodes: &'c [Node<'s>]) -> Self {
        Self { root, nodes, index: OnceCell::new() }
    }

    /// Where this `$ref` leads.
    ///
    /// It is read kindly where the standard would look closer: a pointer may start at the outermost schema or at any
    /// of the first schemas with an `$id`, and a relative name finds the `$id` that ends in it.
    pub fn lead(&self, reference: &str) -> Target<'s> {
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let fragment = percent_decoded(fragment);
        if document.is_empty() {
            let inside = self.inside(self.root, &fragment).or_else(|| {
                let resources = self.index().resources.iter().take(MOST_RESOURCES);
                resources.filter(|_| fragment.starts_with('/')).find_map(|resource| resource.pointer(&fragment))
            });
            let all_tried = self.index().resources.len() <= MOST_RESOURCES;
            let nowhere = if all_tried { Target::Dangling } else { Target::Unsettled };
            return inside.map_or(nowhere, Target::Here);
        }
        match self.document(document) {
            Some(base) => self.inside(base, &fragment).map_or(Target::Dangling, Target::Here),
            None => Target::Elsewhere,
        }
    }

    /// The schema that `value` stands for: itself, then what a chain of local references and single-element `allOf`,
    /// `anyOf` or `oneOf` leads to. The chain is followed at most 16 steps, so a circle ends.
    pub fn followed(&self, value: &'s Value) -> Vec<&'s Value> {
        let only = |keyword: &str, here: &'s Value| match here.get(keyword).and_then(Value::as_array).map(Vec::as_slice)
        {
            Some([only]) => Some(only),
            _ => None,
        };
        let mut chain = vec![value];
        let mut here = value;
        for _ in 0..16 {
            let next = match here.get("$ref").and_then(Value::as_str).map(|reference| self.lead(reference)) {
                Some(Target::Here(target)) => Some(target),
                Some(_) => None,
                None => ["allOf", "anyOf", "oneOf"].into_iter().find_map(|keyword| only(keyword, here)),
            };
            let Some(target) = next else { break };
            chain.push(target);
            here = target;
        }
        chain
    }

    fn inside(&self, base: &'s Value, fragment: &str) -> Option<&'s Value> {
        match fragment.chars().next() {
            None => Some(base),
            Some('/') => base.pointer(fragment),
            Some(_) => self.index().anchors.get(fragment).copied(),
        }
    }

    fn document(&self, name: &str) -> Option<&'s Value> {
        let ids = &self.index().ids;
        if let Some(first) = ids.get(name).and_then(|bases| bases.iter().find(|base| is_called(base, name))) {
            return Some(first);
        }
        let relative = |text: &str, end: &str| text.ends_with(end.trim_start_matches("./").trim_start_matches('/'));
        let mut bases = ids.get(last_step(name))?.iter();
        bases.find(|base| id_of(base).is_some_and(|id| relative(id, name) || relative(name, id))).copied()
    }

    fn index(&self) -> &Index<'s> {
        self.index.get_or_init(|| {
            let mut index = Index::default();
            for node in self.nodes {
                index.take_in(node.value);
            }
            index
        })
    }
}

impl<'s> Index<'s> {
    fn take_in(&mut self, schema: &'s Value) {
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(name) = schema.get(keyword).and_then(Value::as_str) {
                self.anchors.entry(name).or_insert(schema);
            }
        }
        let Some(id) = id_of(schema) else { return };
        if let Some(name) = id.strip_prefix('#') {
            self.anchors.entry(name).or_insert(schema);
            return;
        }
        let id = id.trim_end_matches('#');
        for name in [id, last_step(id)] {
            let bases = self.ids.entry(name).or_default();
            if bases.len() < MOST_RESOURCES {
                bases.push(schema);
            }
        }
        self.resources.push(schema);
    }
}

fn id_of(schema: &Value) -> Option<&str> {
    schema.get("$id").or_else(|| schema.get("id")).and_then(Value::as_str)
}

fn is_called(schema: &Value, name: &str) -> bool {
    id_of(schema).is_some_and(|id| id.trim_end_matches('#') == name)
}

fn last_step(address: &str) -> &str {
    address.rsplit('/').next().unwrap_or(address)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::schema::nodes;
    use serde_json::json;

    #[test]
    fn a_circle_of_references_ends() {
        let schema = json!({ "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } } });
        let nodes = nodes(&schema);
        assert_eq!(Refs::new(&schema, &nodes).followed(&schema["$defs"]["a"]).len(), 17);
    }

    #[test]
    fn references() {
        let schema = json!({ "$id": "https://example.test/a/main.json", "$defs": {
            "a b": { "$anchor": "here", "type": "string" }, "c": { "$id": "#old" },
            "d": { "$id": "part.json", "$defs": { "own": true } } } });
        let nodes = nodes(&schema);
        let refs = Refs::new(&schema, &nodes);
        for inside in [
            "",
            "#",
            "#/$defs/a%20b",
            "#here",
            "#old",
            "https://example.test/a/main.json#/$defs/c",
            "main.json",
            "./main.json#here",
            "/a/main.json",
            "part.json",
            "https://example.test/a/part.json#/$defs/own",
            "#/$defs/own",
        ] {
            assert!(matches!(refs.lead(inside), Target::Here(_)), "{inside}");
        }
        for dangling in ["#/definitions/x", "#nowhere", "main.json#/x", "#/$defs/c/x"] {
            assert_eq!(refs.lead(dangling), Target::Dangling, "{dangling}");
        }
        let twins = json!({ "$defs": { "a": { "$id": "https://x.test/a/t.json" }, "b": { "$id": "https://x.test/b/t.json" } } });
        let inside = super::super::schema::nodes(&twins);
        assert!(matches!(Refs::new(&twins, &inside).lead("b/t.json"), Target::Here(_)));
        for elsewhere in
            ["https://example.test/b", "other.json", "file:///etc/passwd", "https://other.test/x/main.json"]
        {
            assert_eq!(refs.lead(elsewhere), Target::Elsewhere, "{elsewhere}");
        }
    }

    #[test]
    fn many_anchors_and_references_are_quick() {
        let bodies: serde_json::Map<String, Value> =
            (0..20_000).map(|n| (format!("a{n}"), json!({ "$anchor": format!("a{n}") }))).collect();
        let schema = json!({ "$defs": bodies });
        let nodes = nodes(&schema);
        let refs = Refs::new(&schema, &nodes);
        assert!((0..20_000).all(|n| matches!(refs.lead(&format!("#a{n}")), Target::Here(_))));
        assert!((0..20_000).all(|n| refs.lead(&format!("#b{n}")) == Target::Dangling));
    }
}
