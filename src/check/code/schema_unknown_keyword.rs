//! Members of schemas that no dialect defines and that are not marked as the author's own. Each keyword once for a tool.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::{
    Context, Hit,
    keywords::{children, is_demand, is_known, is_schema, meant},
};
use crate::spec::dialect::Dialect;
use crate::text::pointer::Pointer;

/// Keywords of one schema that are told apart.
const MOST: usize = 50;

/// Where an unknown keyword stands first, whether its loss changes what is allowed, and how often it stands.
struct Unknown {
    at: Pointer,
    loses: bool,
    times: usize,
}

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for schema in cx.schemas() {
        let named = schema.root.get("$schema");
        if named.is_some_and(|named| named.as_str().and_then(Dialect::from_uri).is_none()) {
            continue;
        }
        let mut unknown: BTreeMap<&str, Unknown> = BTreeMap::new();
        for node in &schema.nodes {
            let Value::Object(members) = node.value else { continue };
            // What another rule takes for a parameter is no keyword.
            let has_children = !children(members).is_empty();
            for (keyword, value) in members.iter().filter(|(keyword, _)| !is_known(keyword)) {
                if has_children && is_schema(value) || unknown.len() == MOST && !unknown.contains_key(keyword.as_str())
                {
                    continue;
                }
                let loses = is_schema(value) || meant(keyword).is_some_and(is_demand);
                let first = || Unknown { at: node.at.key(keyword), loses, times: 0 };
                let entry = unknown.entry(keyword).or_insert_with(first);
                entry.times += 1;
                if loses && !entry.loses {
                    (entry.loses, entry.at) = (true, node.at.key(keyword));
                }
            }
        }
        hits.extend(unknown.into_iter().map(|(keyword, unknown)| {
            let expected = meant(keyword).map_or_else(|| format!("x-{keyword}"), str::to_owned);
            let hit = Hit::tool(schema.tool, unknown.at).fact("value", keyword).fact("expected", expected);
            hit.fact("occurrences", unknown.times).weaker_if(!unknown.loses)
        }));
    }
    hits
}

#[cfg(test)]
mod tests {
    use super::super::tests::{hits_on, place};
    use super::*;

    fn hits(schema: &str) -> Vec<String> {
        let said = |hit: &Hit| format!("{}{}", place(hit), if hit.weaker { "?" } else { "" });
        hits_on(check, schema).iter().map(said).collect()
    }

    #[test]
    fn each_once_at_its_worst() {
        for (schema, said) in [
            (r#"{"type":"integer","ge":1}"#, &["/ge"][..]),
            (r#"{"type":"string","note":"x"}"#, &["/note?"]),
            (r#"{"anyOf":[{"note":"x"},{"note":"y"},{"type":"string","note":{"type":"string"}}]}"#, &["/anyOf/2/note"]),
            (r#"{"type":"object","lawn":{"type":"string"}}"#, &[]),
            (r#"{"x-note":1,"_note":1,"ui:order":[],"nullable":true,"enumNames":[],"$note":1}"#, &[]),
            (r#"{"properties":{"note":{"type":"string"}},"default":{"note":1}}"#, &[]),
            (r#"{"$schema":"paper","note":1}"#, &[]),
        ] {
            assert_eq!(hits(schema), said, "{schema}");
        }
    }
}
