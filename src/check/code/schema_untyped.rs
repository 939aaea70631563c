//! Parameters of which nothing says what kind of value they are. Left alone are those that only narrow a parameter that
//! is told of elsewhere, and `true` and `false`.

use serde_json::{Map, Value};

use super::super::{Context, Hit, context::Schema};
use super::param_description_missing::only_narrows;
use crate::surface::schema::{Node, holders};

/// Keywords that name the kind of value, or lead to what does.
const NAMING: [&str; 10] =
    ["type", "enum", "const", "$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not"];
/// Keywords that only make sense for objects or for lists, so that a reader knows.
const SHAPING: [&str; 9] = [
    "properties",
    "patternProperties",
    "additionalProperties",
    "required",
    "items",
    "prefixItems",
    "contains",
    "if",
    "extends",
];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    cx.inputs().flat_map(in_schema).collect()
}

fn in_schema(input: &Schema<'_>) -> Vec<Hit> {
    if !input.nodes.iter().any(|node| untyped(node).is_some()) {
        return Vec::new();
    }
    let holders = holders(&input.nodes);
    let named = input.nodes.iter().enumerate().filter_map(|(n, node)| Some((n, node, untyped(node)?)));
    let found = named.filter(|(n, _, name)| !only_narrows(name, *n, &input.nodes, &holders));
    found.map(|(_, node, name)| Hit::tool(input.tool, node.at.clone()).fact("value", name)).collect()
}

/// The name of a parameter without a type.
fn untyped<'s>(node: &Node<'s>) -> Option<&'s str> {
    node.name.filter(|_| node.under == "properties" && node.value.as_object().is_some_and(is_untyped))
}

fn is_untyped(schema: &Map<String, Value>) -> bool {
    !NAMING.iter().chain(&SHAPING).any(|keyword| schema.contains_key(*keyword))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{hits_on, place};
    use super::*;

    #[test]
    fn says_nothing_of_its_kind() {
        let schema = r##"{"properties":{
            "a":{},"b":{"description":"b","default":1},"c":{"pattern":"x"},
            "d":true,"e":{"$ref":"#/$defs/e"},"f":{"anyOf":[{}]},"g":{"items":{}},"h":{"const":1},
            "i":{"type":"string"}},
            "if":{"properties":{"i":{"minLength":1}}},"then":{"properties":{"i":{"maxLength":5}}}}"##;
        let hits = hits_on(check, schema);
        let places: Vec<&str> = hits.iter().map(place).collect();
        assert_eq!(places, ["/properties/a", "/properties/b", "/properties/c"]);
        assert_eq!(hits[0].facts["value"], "a");
    }
}
