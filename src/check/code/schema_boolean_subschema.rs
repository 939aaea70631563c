//! Members of objects whose schema is `true` or `false`. Other keywords may hold a boolean, and all readers know them.

use super::super::{Context, Hit, context::Schema};
use super::param_description_missing::only_narrows;
use crate::surface::schema::{Node, holders};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    cx.schemas().flat_map(in_schema).collect()
}

fn in_schema(schema: &Schema<'_>) -> Vec<Hit> {
    if !schema.nodes.iter().any(|node| boolean(node).is_some()) {
        return Vec::new();
    }
    let holders = holders(&schema.nodes);
    let found = schema.nodes.iter().enumerate().filter_map(|(n, node)| Some((n, node, boolean(node)?)));
    let hit = |(n, node, (name, value)): (usize, &Node<'_>, (&str, bool))| {
        // A branch that only asks for a member, or forbids it, has the schema of it elsewhere.
        let is_test = only_narrows(name, n, &schema.nodes, &holders);
        // Clients of before 2026-07-28 check the first level of an output schema only, and no model fills it in.
        let is_deep_output = !schema.is_input && node.at.steps().count() > 3;
        Hit::tool(schema.tool, node.at.clone()).fact("value", value).weaker_if(is_test || is_deep_output)
    };
    found.map(hit).collect()
}

/// The name of a member that has a boolean for a schema, and that.
fn boolean<'s>(node: &Node<'s>) -> Option<(&'s str, bool)> {
    let name = node.name.filter(|_| node.under == "properties")?;
    node.value.as_bool().map(|value| (name, value))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{hits_on, place};
    use super::*;
    use serde_json::Value;

    #[test]
    fn a_branch_only_asks() {
        let schema = r#"{"properties":{"a":true,"b":{"properties":{"c":false}},"d":{"type":"string"}},
            "anyOf":[{"properties":{"d":true},"required":["d"]},{"properties":{"e":true}}],
            "additionalProperties":false,"patternProperties":{"^x":true}}"#;
        let hits = hits_on(check, schema);
        let said: Vec<(&str, bool)> = hits.iter().map(|hit| (place(hit), hit.weaker)).collect();
        let wanted = [
            ("/properties/a", false),
            ("/properties/b/properties/c", false),
            ("/anyOf/0/properties/d", true),
            ("/anyOf/1/properties/e", false),
        ];
        assert_eq!(said, wanted);
        assert_eq!(hits.first().map(|hit| &hit.facts["value"]), Some(&Value::Bool(true)));
    }
}
