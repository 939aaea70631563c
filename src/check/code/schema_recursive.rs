//! Circles of references. Each group of schemas that lead to one another is one hit, however many ways lead round.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::{Context, Hit, context::Schema};
use crate::surface::{
    refs::Refs,
    schema::{Target, holders},
};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    cx.schemas().flat_map(in_schema).collect()
}

fn in_schema(schema: &Schema<'_>) -> Vec<Hit> {
    let references = references(schema);
    if references.is_empty() {
        return Vec::new();
    }
    // Whatever a schema holds is a part of it, and so is what it refers to.
    let mut leads: Vec<Vec<usize>> = vec![Vec::new(); schema.nodes.len()];
    let held = holders(&schema.nodes).into_iter().enumerate().filter_map(|(n, holder)| Some((holder?, n)));
    for (from, to) in held.chain(references.iter().map(|reference| (reference.from, reference.to))) {
        if let Some(leads) = leads.get_mut(from) {
            leads.push(to);
        }
    }
    let groups = groups(&leads);
    let mut hits = BTreeMap::new();
    for Reference { from, to, keyword, text } in references {
        let (Some(group), Some(node)) = (groups.get(from), schema.nodes.get(from)) else { continue };
        if groups.get(to) == Some(group) {
            hits.entry(*group).or_insert_with(|| Hit::tool(schema.tool, node.at.key(keyword)).fact("value", text));
        }
    }
    let mut hits: Vec<Hit> = hits.into_values().collect();
    hits.sort_by(|a, b| a.at.cmp(&b.at));
    hits
}

/// A reference from one schema to another, by their positions.
struct Reference<'s> {
    from: usize,
    to: usize,
    keyword: &'static str,
    text: &'s str,
}

/// Those that lead to a schema of the same document, in its order.
fn references<'s>(schema: &Schema<'s>) -> Vec<Reference<'s>> {
    const KEYWORDS: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];
    let refs = Refs::new(schema.root, &schema.nodes);
    let mut places: BTreeMap<*const Value, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for (from, node) in schema.nodes.iter().enumerate() {
        let named = KEYWORDS.into_iter().filter_map(|keyword| Some((keyword, node.value.get(keyword)?.as_str()?)));
        for (keyword, text) in named {
            let Target::Here(target) = refs.lead(text) else { continue };
            if places.is_empty() {
                places.extend(schema.nodes.iter().enumerate().map(|(n, node)| (std::ptr::from_ref(node.value), n)));
            }
            if let Some(to) = places.get(&std::ptr::from_ref(target)) {
                found.push(Reference { from, to: *to, keyword, text });
            }
        }
    }
    found
}

/// For each position a number that it shares with those that lead to it and that it leads to: Kosaraju's way, without
/// recursion, since a hostile schema can be as deep as it is long.
fn groups(leads: &[Vec<usize>]) -> Vec<usize> {
    let mut finished = Vec::with_capacity(leads.len());
    let mut seen = vec![false; leads.len()];
    for start in 0..leads.len() {
        walk(leads, start, &mut seen, |n| finished.push(n));
    }
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); leads.len()];
    for (from, all) in leads.iter().enumerate() {
        for to in all {
            if let Some(back) = back.get_mut(*to) {
                back.push(from);
            }
        }
    }
    let mut groups = vec![0; leads.len()];
    let mut seen = vec![false; leads.len()];
    for start in finished.into_iter().rev() {
        walk(&back, start, &mut seen, |n| {
            if let Some(group) = groups.get_mut(n) {
                *group = start;
            }
        });
    }
    groups
}

/// Everything not seen that `start` leads to, itself last, each after what it leads to.
fn walk(leads: &[Vec<usize>], start: usize, seen: &mut [bool], mut take: impl FnMut(usize)) {
    let mut is_new = |n: usize| seen.get_mut(n).is_some_and(|seen| !std::mem::replace(seen, true));
    if !is_new(start) {
        return;
    }
    let mut open = vec![(start, 0)];
    while let Some((n, next)) = open.last_mut() {
        if let Some(to) = leads.get(*n).and_then(|all| all.get(*next)) {
            *next += 1;
            if is_new(*to) {
                open.push((*to, 0));
            }
        } else {
            take(*n);
            open.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{hits_on, place};
    use super::*;

    fn places(schema: &str) -> Vec<String> {
        hits_on(check, schema).iter().map(|hit| place(hit).to_owned()).collect()
    }

    #[test]
    fn a_circle_is_one_finding() {
        for (schema, at) in [
            (r##"{"properties":{"a":{"$ref":"#"}}}"##, "/properties/a/$ref"),
            (r##"{"$defs":{"a":{"items":{"$ref":"#/$defs/a"}}},"$ref":"#/$defs/a"}"##, "/$defs/a/items/$ref"),
            (
                r##"{"$defs":{"a":{"anyOf":[{"items":{"$ref":"#/$defs/a"}},{"not":{"$ref":"#/$defs/a"}}]}}}"##,
                "/$defs/a/anyOf/0/items/$ref",
            ),
            (
                r##"{"$defs":{"a":{"items":{"$ref":"#/$defs/b"}},"b":{"not":{"$ref":"#/$defs/a"}}}}"##,
                "/$defs/a/items/$ref",
            ),
            (
                r##"{"properties":{"a":{"$ref":"#/$defs/x/items"}},"$defs":{"x":{"items":{"$ref":"#/$defs/x"}}}}"##,
                "/$defs/x/items/$ref",
            ),
            (r##"{"$dynamicAnchor":"n","items":{"$dynamicRef":"#n"}}"##, "/items/$dynamicRef"),
        ] {
            assert_eq!(places(schema), [at], "{schema}");
        }
        let two = r##"{"$defs":{"a":{"items":{"$ref":"#/$defs/a"}},"b":{"items":{"$ref":"#/$defs/b"}}}}"##;
        assert_eq!(places(two).len(), 2);
    }

    #[test]
    fn a_shared_body_is_no_circle() {
        for schema in [
            r##"{"$defs":{"a":{"items":{"$ref":"#/$defs/b"}},"b":{"type":"string"}},"properties":{"x":{"$ref":"#/$defs/a"},"y":{"$ref":"#/$defs/a"}}}"##,
            r##"{"properties":{"a":{"$ref":"#/$defs/gone"},"b":{"$ref":"https://a.test/#"}}}"##,
        ] {
            assert!(places(schema).is_empty(), "{schema}");
        }
    }

    #[test]
    fn a_long_chain_is_quick() {
        let body = |n: usize| format!(r##""a{n}":{{"items":{{"$ref":"#/$defs/a{}"}}}}"##, (n + 1) % 20_000);
        let bodies: Vec<String> = (0..20_000).map(body).collect();
        assert_eq!(places(&format!(r#"{{"$defs":{{{}}}}}"#, bodies.join(","))), ["/$defs/a0/items/$ref"]);
    }
}
