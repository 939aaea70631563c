//! Tools that come again on a later page of the same walk through the list: one finding each, at the later name. Pages
//! of nothing but known tools that lead on are `pagination-loop`.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Context, Hit};
use crate::surface::Tool;
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    let mut known: BTreeSet<&str> = BTreeSet::new();
    for page in &cx.surface.pages {
        let again = page.seen_before.iter().map(String::as_str);
        if !page.nothing_new {
            note(cx, page.tools.clone(), &again.collect(), &mut found);
        } else if page.next_cursor().is_none() {
            // The tools of such a page are not kept twice; the earlier ones stand for them.
            known.extend(again);
        }
    }
    note(cx, 0..cx.surface.tools.len(), &known, &mut found);
    let mut hits: Vec<(usize, &str)> = found.into_iter().map(|(name, index)| (index, name)).collect();
    hits.sort_unstable();
    hits.into_iter().map(|(index, name)| Hit::tool(index, Pointer::root().key("name")).fact("value", name)).collect()
}

/// Notes the first tool of each of these names within a range.
fn note<'c>(
    cx: &Context<'c>,
    range: std::ops::Range<usize>,
    names: &BTreeSet<&str>,
    found: &mut BTreeMap<&'c str, usize>,
) {
    if names.is_empty() {
        return;
    }
    let tools = cx.surface.tools.get(range.clone()).unwrap_or_default();
    for (index, name) in range.zip(tools).filter_map(|(index, tool)| Some((index, Tool::name(tool)?))) {
        if names.contains(name) {
            found.entry(name).or_insert(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{On, Settings};
    use crate::input::dump;
    use crate::measure::Measures;
    use serde_json::{Value, json};

    /// What both rules of pages say: tools that come again, by position and name, and the cursor of a loop.
    fn said(text: &str) -> (Vec<(On, String)>, Option<String>) {
        let surface = dump::read("t", "t", text.as_bytes()).unwrap().surface;
        let (measures, settings) = (Measures::default(), Settings::default());
        let cx = Context::new(&surface, &measures, &settings);
        let fact = |hit: &Hit, name: &str| hit.facts[name].as_str().unwrap().to_owned();
        let again = check(&cx).iter().map(|hit| (hit.on, fact(hit, "value"))).collect();
        (again, super::super::pagination_loop::check(&cx).first().map(|hit| fact(hit, "cursor")))
    }

    /// A walk through pages: cursor asked with, names, cursor handed out.
    fn wire(pages: &[(&str, &[&str], &str)]) -> String {
        let mut lines = Vec::new();
        for (id, (cursor, names, next)) in pages.iter().enumerate() {
            let given = |name: &str, text: &str| if text.is_empty() { json!({}) } else { json!({ name: text }) };
            let mut result = given("nextCursor", next);
            result["tools"] = names.iter().map(|name| json!({ "name": name })).collect();
            let ask = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list", "params": given("cursor", cursor) });
            lines.push(json!({ "out": ask.to_string() }).to_string());
            lines
                .push(json!({ "in": json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string() }).to_string());
        }
        lines.join("\n")
    }

    fn again(found: &[(usize, &str)]) -> Vec<(On, String)> {
        found.iter().map(|(index, name)| (On::Tool(*index), (*name).to_owned())).collect()
    }

    #[test]
    fn overlap_is_no_loop() {
        assert_eq!(said(&wire(&[("", &["a", "b"], "2"), ("2", &["b", "c", "c"], "")])), (again(&[(2, "b")]), None));
        assert_eq!(said(&wire(&[("", &["a", "b"], "2"), ("2", &["b"], "")])), (again(&[(1, "b")]), None));
        let thrice = wire(&[("", &["a"], "2"), ("2", &["a", "b"], "3"), ("3", &["b", "a", "c"], "")]);
        assert_eq!(said(&thrice), (again(&[(1, "a"), (3, "b")]), None));
        let file = json!([{ "tools": [{ "name": "a" }] }, { "tools": [{ "name": "a" }, { "name": "b" }] }]).to_string();
        assert_eq!(said(&file), (again(&[(1, "a")]), None));
    }

    #[test]
    fn a_loop_is_no_overlap() {
        let text = |cursor: &str| Some(cursor.to_owned());
        assert_eq!(said(&wire(&[("", &["a"], "2"), ("2", &["a"], "3")])), (again(&[]), text("2")));
        assert_eq!(said(&wire(&[("", &["a"], "2"), ("2", &["b"], "2")])), (again(&[]), text("2")));
        assert_eq!(said(&wire(&[("", &["a"], "2"), ("2", &["b"], "3"), ("3", &["c"], "2")])), (again(&[]), text("2")));
        let page = |name: &str| json!({ "tools": [{ "name": name }], "nextCursor": "x" });
        assert_eq!(said(&Value::Array(vec![page("a"), page("b")]).to_string()), (again(&[]), text("x")));
    }

    #[test]
    fn a_second_walk_is_neither() {
        let pages: [(&str, &[&str], &str); 4] =
            [("", &["a"], "2"), ("2", &["b"], ""), ("", &["a"], "2"), ("2", &["b"], "")];
        assert_eq!(said(&wire(&pages)), (again(&[]), None));
    }
}
