//! Free strings whose text lists the only values.

use serde_json::Value;

use super::super::listed::allowed;
use super::super::{Context, Hit};
use crate::surface::refs::Refs;

/// Keywords that bound a string by themselves.
const BOUNDS: [&str; 5] = ["enum", "const", "pattern", "format", "examples"];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for input in cx.inputs() {
        let refs = Refs::new(input.root, &input.nodes);
        for node in input.nodes.iter().filter(|node| node.under == "properties") {
            let is_string = node.value.get("type").is_some_and(|kind| kind == "string");
            let bounded = refs.followed(node.value).iter().any(|one| BOUNDS.iter().any(|word| one.get(word).is_some()));
            if !is_string || bounded {
                continue;
            }
            let values = node.value.get("description").and_then(Value::as_str).and_then(allowed);
            // "Either `text` or `file` must be given" lists parameters.
            let is_param =
                |value: &&str| input.nodes.iter().any(|other| other.under == "properties" && other.name == Some(value));
            if let Some(values) = values.filter(|values| !values.iter().all(is_param)) {
                let hit = Hit::tool(input.tool, node.at.clone()).fact("only_in_text", values);
                hits.push(hit);
            }
        }
    }
    hits
}
