//! Values of an `enum` that the `type` beside it rules out.

use serde_json::Value;

use super::super::{
    Context, Hit,
    values::{in_words, is_nullable, is_of, types},
};
use crate::text::safe;

/// Values of one list that have a finding each; of more the list itself has one.
const MOST: usize = 5;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for schema in cx.schemas() {
        for node in &schema.nodes {
            let Some((values, types, misfits)) = misfits(node.value) else { continue };
            let at = node.at.key("enum");
            let hit =
                |at, found: &str| Hit::tool(schema.tool, at).fact("found", found).fact("expected", in_words(&types));
            let told = |value: &Value| format!("the value {}", safe::clip(&value.to_string(), 40));
            if misfits.len() == values.len() {
                hits.push(hit(at, "only values"));
            } else if misfits.len() > MOST {
                hits.push(hit(at, "values").weaker_if(true));
            } else {
                let each = misfits.iter().filter_map(|n| Some((n, values.get(*n)?)));
                hits.extend(each.map(|(n, value)| {
                    let hit = hit(at.index(*n), &told(value)).weaker_if(true);
                    if value.is_array() || value.is_object() { hit } else { hit.fact("value", value.clone()) }
                }));
            }
        }
    }
    hits
}

/// The values of an `enum`, the types beside it, and the positions of the values that are of none of them.
type Misfits<'s> = (&'s Vec<Value>, Vec<&'s str>, Vec<usize>);

/// None where all values fit, or nothing is declared.
fn misfits(schema: &Value) -> Option<Misfits<'_>> {
    let values = schema.get("enum")?.as_array()?;
    let types = types(schema)?;
    let nullable = is_nullable(schema);
    let is_misfit = |value: &Value| !(is_of(value, &types) || nullable && value.is_null());
    let misfits: Vec<usize> = (0..).zip(values).filter(|(_, value)| is_misfit(value)).map(|(n, _)| n).collect();
    (!misfits.is_empty()).then_some((values, types, misfits))
}

/// Whether no value of an `enum` is of the declared type.
pub(super) fn none_fits(schema: &Value) -> bool {
    misfits(schema).is_some_and(|(values, _, misfits)| misfits.len() == values.len())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{hits_on, place};
    use super::*;

    fn hits(schema: &str) -> Vec<String> {
        let said = |hit: &Hit| format!("{}{}", place(hit), if hit.weaker { "?" } else { "" });
        hits_on(check, schema).iter().map(said).collect()
    }

    #[test]
    fn some_or_all() {
        for (schema, said) in [
            (r#"{"type":"string","enum":[1,2]}"#, &["/enum"][..]),
            (r#"{"type":"integer","enum":[1,"2",3,null]}"#, &["/enum/1?", "/enum/3?"]),
            (r#"{"type":"integer","enum":[1,"2","3","4","5","6","7"]}"#, &["/enum?"]),
            (r#"{"type":"integer","enum":[1.5]}"#, &["/enum"]),
            (r#"{"type":"string","nullable":true,"enum":["a",null]}"#, &[]),
            (r#"{"type":["string","null"],"enum":["a",null]}"#, &[]),
            (r#"{"type":"integer","enum":[1.0,2]}"#, &[]),
            (r#"{"type":"text","enum":[1]}"#, &[]),
            (r#"{"type":"string","enum":[]}"#, &[]),
            (r#"{"type":"string","enum":5}"#, &[]),
        ] {
            assert_eq!(hits(schema), said, "{schema}");
        }
    }
}
