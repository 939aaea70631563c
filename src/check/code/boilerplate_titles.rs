//! Titles inside schemas that only repeat the name of what they stand on, and what they cost together.

use serde_json::Value;

use crate::check::context::Schema;
use crate::check::{Context, Hit, lighter};
use crate::surface::Tool;
use crate::surface::schema::Node;
use crate::text::pointer::Pointer;

/// Titles from which on they are worth a word.
const LEAST: usize = 3;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut places: Vec<(usize, Vec<Pointer>)> = Vec::new();
    for (n, tool) in cx.tools() {
        let schemas = cx.schemas_of(n).iter();
        let nodes = schemas.flat_map(|schema| schema.nodes.iter().map(move |node| (schema, node)));
        let found: Vec<Pointer> =
            nodes.filter(|(schema, node)| repeats(tool, schema, node)).map(|(_, node)| node.at.key("title")).collect();
        if !found.is_empty() {
            places.push((n, found));
        }
    }
    let occurrences: usize = places.iter().map(|(_, places)| places.len()).sum();
    if occurrences < LEAST {
        return Vec::new();
    }
    let (saved, all) = lighter::saved(cx, &places);
    let hit = Hit::server().fact("measured", saved).fact("unit", "tokens").fact("payload", all);
    vec![hit.fact("occurrences", occurrences).fact("affected", places.len())]
}

/// Whether the title of this node says no more than the name of the parameter, of the shared part or of the tool.
fn repeats(tool: &Tool, schema: &Schema<'_>, node: &Node<'_>) -> bool {
    // What generators put behind the name of a tool to name its arguments or its result.
    const ENDS: [&str; 12] = [
        "",
        "args",
        "arguments",
        "dictoutput",
        "input",
        "inputs",
        "output",
        "params",
        "parameters",
        "request",
        "response",
        "result",
    ];
    let Some(title) = node.value.get("title").and_then(Value::as_str).map(letters) else { return false };
    if title.is_empty() {
        return false;
    }
    if let Some(name) = node.name {
        return letters(name) == title;
    }
    let name = letters(tool.label());
    let is_root = node.at == schema.at;
    is_root && !name.is_empty() && title.strip_prefix(&name).is_some_and(|end| ENDS.contains(&end))
}

/// Letters and digits alone, in lower case: `Pot Id` and `pot_id` are one.
fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
