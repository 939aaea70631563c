//! Parameters without a description of their own or by reference. Left alone are `true` and `false`, single values,
//! references that lead nowhere, and branches that only say more of a parameter that stands outside them.

use serde_json::Value;

use crate::check::context::Schema;
use crate::check::{Context, Hit};
use crate::surface::refs::Refs;
use crate::surface::schema::Node;
use crate::surface::schema::holders;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    cx.inputs().flat_map(in_schema).collect()
}

fn in_schema(input: &Schema<'_>) -> Vec<Hit> {
    let holders = holders(&input.nodes);
    let refs = Refs::new(input.root, &input.nodes);
    let mut hits = Vec::new();
    for (n, node) in input.nodes.iter().enumerate() {
        let Some(name) = node.name.filter(|_| node.under == "properties" && node.value.is_object()) else { continue };
        if says_nothing(&refs, node.value) && !only_narrows(name, n, &input.nodes, &holders) {
            hits.push(Hit::tool(input.tool, node.at.clone()).fact("value", name));
        }
    }
    hits
}

/// Whether neither a schema nor what it leads to tells what it is for.
fn says_nothing<'s>(refs: &Refs<'_, 's>, value: &'s Value) -> bool {
    let mut here = value;
    // As long as a chain of references may be; a circle ends here.
    for _ in 0..16 {
        let chain = refs.followed(here);
        if chain.iter().any(|schema| is_described(schema)) {
            return false;
        }
        let Some(last) = chain.last() else { return true };
        if last.get("$ref").is_some_and(Value::is_string) {
            // It leads out, nowhere or in a circle: other rules say so.
            return false;
        }
        if chain.iter().any(|schema| leaves_no_choice(schema)) {
            return false;
        }
        match beside_null(last) {
            Some(only) => here = only,
            None => return true,
        }
    }
    false
}

fn is_described(schema: &Value) -> bool {
    let text = schema.get("description").and_then(Value::as_str);
    text.is_some_and(|text| text.chars().any(|letter| !letter.is_whitespace() && !crate::text::safe::is_unseen(letter)))
}

/// Whether a schema allows one value only, as the mark of an alternative does.
fn leaves_no_choice(schema: &Value) -> bool {
    schema.get("const").is_some()
        || schema.get("enum").and_then(Value::as_array).is_some_and(|values| values.len() == 1)
}

/// The only alternative of a schema that may also be null.
fn beside_null(schema: &Value) -> Option<&Value> {
    let is_null = |one: &&Value| one.get("type").is_some_and(|kind| kind == "null");
    ["anyOf", "oneOf"].into_iter().find_map(|keyword| {
        let alternatives = schema.get(keyword)?.as_array()?;
        let mut real = alternatives.iter().filter(|one| !is_null(one));
        real.next().filter(|_| real.next().is_none())
    })
}

/// Whether a parameter stands in a branch and is told of outside it, or only tested.
pub(super) fn only_narrows(name: &str, n: usize, nodes: &[Node<'_>], holders: &[Option<usize>]) -> bool {
    const BRANCH: [&str; 9] =
        ["allOf", "anyOf", "oneOf", "if", "then", "else", "not", "dependentSchemas", "dependencies"];
    let above = |n: usize| holders.get(n).copied().flatten();
    let mut here = above(n);
    while let Some((at, node)) = here.and_then(|at| Some((at, nodes.get(at)?))) {
        if matches!(node.under, "if" | "not") {
            return true;
        }
        if !BRANCH.contains(&node.under) {
            return false;
        }
        here = above(at);
        let outer = here.and_then(|at| nodes.get(at)?.value.get("properties")?.get(name));
        if outer.is_some() {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn alternatives_and_references() {
        let root = json!({ "$defs": { "a": { "description": "x" }, "b": { "$ref": "#/$defs/b" } } });
        let nodes = crate::surface::schema::nodes(&root);
        for told in [
            json!({ "anyOf": [{ "$ref": "#/$defs/a" }, { "type": "null" }] }),
            json!({ "oneOf": [{ "type": "null" }, { "allOf": [{ "description": "x" }] }] }),
            json!({ "$ref": "#/$defs/b" }),
            json!({ "$ref": "other.json" }),
            json!({ "const": "circle" }),
        ] {
            assert!(!says_nothing(&Refs::new(&root, &nodes), &told), "{told}");
        }
        for silent in [
            json!({ "anyOf": [{ "description": "x" }, { "description": "y" }] }),
            json!({ "description": " \u{200b}" }),
            json!({ "title": "x" }),
            json!({ "enum": ["circle", "square"] }),
        ] {
            assert!(says_nothing(&Refs::new(&root, &nodes), &silent), "{silent}");
        }
    }
}
