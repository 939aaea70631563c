//! Tools with many parameters of their own; members of objects are not counted.

use serde_json::{Map, Value};

use super::super::{Context, Hit};
use crate::spec::threshold::threshold;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let most = threshold("params-too-many.params");
    let many = cx.inputs().filter_map(|schema| {
        let count = schema.root.get("properties").and_then(Value::as_object).map_or(0, Map::len);
        let hit = || Hit::tool(schema.tool, schema.at.key("properties")).fact("measured", count).fact("limit", most);
        (count as u64 > most).then(hit)
    });
    many.collect()
}
