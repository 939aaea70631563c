//! Schemas above our lines for levels and number of schemas. Whether a model copes with them is not looked at.

use super::super::{
    Context, Hit,
    context::Schema,
    effort::{DEEPEST, LARGEST, written_out},
};
use crate::spec::threshold::threshold;
use crate::surface::refs::Refs;
use crate::text::safe::thousands;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    cx.schemas().filter_map(too_complex).collect()
}

fn too_complex(schema: &Schema<'_>) -> Option<Hit> {
    let hit = |measured: u64, limit: u64, what: String| {
        let hit = Hit::tool(schema.tool, schema.at.clone());
        Some(hit.fact("measured", measured).fact("limit", limit).fact("found", what))
    };
    let (most_levels, most_schemas) = (threshold("schema-too-complex.levels"), threshold("schema-too-complex.schemas"));
    let levels = schema.nodes.iter().map(|node| node.depth).max().unwrap_or_default();
    if levels > most_levels {
        return hit(levels, most_levels, format!("{levels} levels"));
    }
    let own = schema.nodes.iter().filter(|node| node.value.is_object()).count() as u64;
    if own > most_schemas {
        return hit(own, most_schemas, format!("{} parts", thousands(own)));
    }
    match written_out(&schema.nodes, &Refs::new(schema.root, &schema.nodes)) {
        Some(all) if all <= most_schemas => None,
        Some(all) => hit(all, most_schemas, format!("{} parts with references written out", thousands(all))),
        None => {
            // What was counted so far says nothing of the whole.
            let what = format!("over {} parts or {DEEPEST} levels, written out", thousands(LARGEST));
            Some(Hit::tool(schema.tool, schema.at.clone()).fact("limit", most_schemas).fact("found", what))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::hits_on;
    use super::*;

    fn found(schema: &str) -> Vec<String> {
        hits_on(check, schema).iter().map(|hit| hit.facts["found"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn levels_and_schemas() {
        let deep = |n: usize| format!("{}{{}}{}", "{\"items\":".repeat(n), "}".repeat(n));
        assert_eq!(found(&deep(17)), ["17 levels"]);
        assert!(found(&deep(16)).is_empty());
        let wide = |n: usize| {
            let members: Vec<String> = (0..n).map(|n| format!("\"a{n}\":{{}}")).collect();
            format!("{{\"properties\":{{{}}}}}", members.join(","))
        };
        assert_eq!(found(&wide(2_000)), ["2,001 parts"]);
        assert!(found(&wide(1_999)).is_empty());
        // Twice the next, a few times over.
        let twice = |n: usize| {
            let body = |n: usize| {
                format!(
                    r##""a{n}":{{"properties":{{"x":{{"$ref":"#/$defs/a{0}"}},"y":{{"$ref":"#/$defs/a{0}"}}}}}}"##,
                    n + 1
                )
            };
            let bodies: Vec<String> = (0..n).map(body).collect();
            format!(r##"{{"$ref":"#/$defs/a0","$defs":{{{},"a{n}":{{}}}}}}"##, bodies.join(","))
        };
        assert!(found(&twice(4)).is_empty());
        assert_eq!(found(&twice(10)), ["4,094 parts with references written out"]);
        assert_eq!(found(&twice(60)), ["over 65,536 parts or 256 levels, written out"]);
        // A circle is no growth.
        assert!(found(r##"{"properties":{"a":{"$ref":"#"}}}"##).is_empty());
    }
}
