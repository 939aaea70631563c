//! Tools with many parameters of their own; members of objects are not counted.

use serde_json::{Map, Value};

use super::super::{Context, Hit};

/// Parameters that are still few. The line is our own; nobody published one.
const MOST: usize = 20;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let many = cx.inputs().filter_map(|schema| {
        let count = schema.root.get("properties").and_then(Value::as_object).map_or(0, Map::len);
        let hit = || Hit::tool(schema.tool, schema.at.key("properties")).fact("measured", count).fact("limit", MOST);
        (count > MOST).then(hit)
    });
    many.collect()
}
