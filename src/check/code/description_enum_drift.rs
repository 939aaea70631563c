//! Texts that list other values than the enum beside them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::listed::{allowed, choice, quoted};
use super::super::{Context, Hit};
use crate::surface::refs::Refs;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for input in cx.inputs() {
        let refs = Refs::new(input.root, &input.nodes);
        for node in input.nodes.iter().filter(|node| node.under == "properties") {
            let Some(text) = node.value.get("description").and_then(Value::as_str) else { continue };
            let Some(values) = refs.followed(node.value).into_iter().find_map(texts) else { continue };
            let Some(told) = allowed(text).or_else(|| quoted(text)).or_else(|| choice(text)) else { continue };
            let (told, values): (BTreeSet<&str>, BTreeSet<&str>) =
                (told.into_iter().collect(), values.into_iter().collect());
            let common = told.intersection(&values).count();
            let only_in_text: Vec<&str> = told.difference(&values).copied().collect();
            // Two in common make it a list of these values; a text that names only some of them may mean a few.
            if common < 2 || only_in_text.is_empty() {
                continue;
            }
            let only_in_schema: Vec<&str> = values.difference(&told).copied().collect();
            let hit = Hit::tool(input.tool, node.at.clone()).fact("names", only_in_text.join(", "));
            hits.push(hit.fact("only_in_text", only_in_text).fact("only_in_schema", only_in_schema));
        }
    }
    hits
}

/// The values of an enum, when all are texts.
fn texts(schema: &Value) -> Option<Vec<&str>> {
    schema.get("enum")?.as_array()?.iter().map(Value::as_str).collect()
}
