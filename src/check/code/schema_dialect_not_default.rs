//! Schemas that declare an older dialect, counted over the list: one library writes it on all tools or on none.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::{Context, Hit};
use crate::spec::dialect::Dialect;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut all = 0_usize;
    let mut older: BTreeMap<Dialect, usize> = BTreeMap::new();
    for schema in cx.schemas().filter(|schema| schema.root.is_object()) {
        all += 1;
        let named = schema.root.get("$schema").and_then(Value::as_str).and_then(Dialect::from_uri);
        if let Some(dialect) = named.filter(|dialect| *dialect != Dialect::Draft2020) {
            *older.entry(dialect).or_default() += 1;
        }
    }
    let said = |(dialect, n): (Dialect, usize)| {
        Hit::server().fact("value", dialect.as_str()).fact("measured", format!("{n}/{all}"))
    };
    older.into_iter().map(said).collect()
}
