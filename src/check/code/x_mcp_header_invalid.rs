//! Parameters that are to be mirrored in a header, in a form that HTTP clients refuse together with their tool.

use std::collections::BTreeSet;

use serde_json::Value;

use super::super::{Context, Hit};
use crate::surface::assemble::kind_of;
use crate::surface::schema::Node;
use crate::text::header::is_name_letter;
use crate::text::safe;

/// The annotation.
pub(super) const KEY: &str = "x-mcp-header";

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    // Over stdio nothing is mirrored, and a client may pass over it.
    let only_stdio = cx.surface.wire.as_ref().is_some_and(|wire| wire.https.is_empty() && !wire.messages.is_empty());
    let mut hits = Vec::new();
    for schema in cx.inputs() {
        let mut taken = BTreeSet::new();
        for node in &schema.nodes {
            let Some(name) = node.value.get(KEY) else { continue };
            if let Some((found, expected)) = fault(node, name, &mut taken) {
                let hit = Hit::tool(schema.tool, node.at.key(KEY)).fact("found", found).fact("expected", expected);
                let hit = if let Value::String(name) = name { hit.fact("value", name.as_str()) } else { hit };
                hits.push(hit.weaker_if(only_stdio));
            }
        }
    }
    hits
}

/// What stands there and what should, when it is refused.
fn fault(node: &Node<'_>, name: &Value, taken: &mut BTreeSet<String>) -> Option<(String, &'static str)> {
    let Value::String(name) = name else { return Some((kind_of(name).to_owned(), "a header name")) };
    if name.is_empty() {
        return Some(("an empty text".to_owned(), "a header name"));
    }
    if let Some(letter) = name.chars().find(|letter| !is_name_letter(*letter)) {
        return Some((format!("the character U+{:04X}", u32::from(letter)), "a header name"));
    }
    if !is_reachable(node) {
        let under = if node.under.is_empty() { "a place that is no parameter".to_owned() } else { apart(node) };
        return Some((under, "a chain of properties"));
    }
    if !taken.insert(name.to_ascii_lowercase()) {
        return Some((format!("a second {}", safe::clip(name, 40)), "a name of its own"));
    }
    let allowed = "type string, integer or boolean";
    match node.value.get("type") {
        Some(Value::String(kind)) if ["string", "integer", "boolean"].contains(&kind.as_str()) => None,
        Some(Value::String(kind)) => Some((format!("type {}", safe::clip(kind, 20)), allowed)),
        Some(Value::Array(_)) => Some(("several types".to_owned(), allowed)),
        _ => Some(("no type".to_owned(), allowed)),
    }
}

/// Whether only `properties` lead to it, from the input schema on.
pub(super) fn is_reachable(node: &Node<'_>) -> bool {
    node.level > 0 && node.at.steps().count() == 1 + 2 * node.level
}

/// The first keyword on the way that is not `properties`.
fn apart(node: &Node<'_>) -> String {
    let mut steps = node.at.steps().skip(1);
    while let Some(step) = steps.next() {
        if step != "properties" {
            return format!("a place under {}", safe::clip(&step, 40));
        }
        steps.next();
    }
    format!("a place under {}", node.under)
}

#[cfg(test)]
mod tests {
    use super::super::tests::told_of;
    use super::*;

    /// Place, found and expected of each hit on an input schema with these members.
    fn hits(members: &str) -> Vec<String> {
        told_of(check, &format!("{{\"type\":\"object\",{members}}}"))
    }

    #[test]
    fn each_demand() {
        let of = |schema: &str| hits(&format!("\"properties\":{{\"a\":{schema}}}"));
        for (schema, said) in [
            (r#"{"type":"string","x-mcp-header":5}"#, "a number, not a header name"),
            (r#"{"type":"string","x-mcp-header":""}"#, "an empty text, not a header name"),
            (r#"{"type":"string","x-mcp-header":"My Region"}"#, "the character U+0020, not a header name"),
            (r#"{"type":"string","x-mcp-header":"a:b"}"#, "the character U+003A, not a header name"),
            (r#"{"type":"string","x-mcp-header":"Länge"}"#, "the character U+00E4, not a header name"),
            (r#"{"type":"number","x-mcp-header":"A"}"#, "type number, not type string, integer or boolean"),
            (r#"{"type":["string","null"],"x-mcp-header":"A"}"#, "several types, not type string, integer or boolean"),
            (r#"{"enum":["a"],"x-mcp-header":"A"}"#, "no type, not type string, integer or boolean"),
        ] {
            assert_eq!(of(schema), [format!("/properties/a/x-mcp-header: {said}")], "{schema}");
        }
        for (members, said) in [
            (
                r#""properties":{"a":{"type":"string","x-mcp-header":"Tenant"},"b":{"type":"object","properties":{"c":{"type":"string","x-mcp-header":"tenant"}}}}"#,
                "/properties/b/properties/c/x-mcp-header: a second tenant, not a name of its own",
            ),
            (
                r#""properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}"#,
                "/properties/a/items/x-mcp-header: a place under items, not a chain of properties",
            ),
            (
                r#""properties":{"a":{"anyOf":[{"properties":{"b":{"type":"string","x-mcp-header":"A"}}}]}}"#,
                "/properties/a/anyOf/0/properties/b/x-mcp-header: a place under anyOf, not a chain of properties",
            ),
            (
                r#""$defs":{"properties":{"type":"string","x-mcp-header":"A"}}"#,
                "/$defs/properties/x-mcp-header: a place under $defs, not a chain of properties",
            ),
            (r#""x-mcp-header":"A""#, "/x-mcp-header: a place that is no parameter, not a chain of properties"),
        ] {
            assert_eq!(hits(members), [said], "{members}");
        }
    }

    #[test]
    fn what_is_right_is_left_alone() {
        for members in [
            r#""properties":{"properties":{"type":"object","properties":{"items":{"type":"integer","x-mcp-header":"Shard-1"}}}}"#,
            r#""properties":{"x-mcp-header":{"type":"number"},"b":{"type":"boolean","x-mcp-header":"B"}}"#,
            r#""properties":{"a":{"type":"string","default":{"x-mcp-header":""}}}"#,
        ] {
            assert_eq!(hits(members), Vec::<String>::new(), "{members}");
        }
    }
}
