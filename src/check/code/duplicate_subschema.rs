//! Sub-schemas that are written out several times in a list. Root schemas and what stands under `$defs` are left out,
//! and so is a part that is repeated only because what holds it is.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use crate::check::holders::holders;
use crate::check::{Context, Hit};
use crate::text::{digest, pointer::Pointer};

/// Bytes of compact JSON from which on a repeat is worth a word.
const BYTES: usize = 120;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let repeats = repeats(cx);
    let worth = |repeat: &&Repeat<'_>| repeat.bytes >= BYTES && repeat.places.len() > repeat.held.max(1);
    repeats.values().filter(worth).filter_map(hit).collect()
}

/// A schema value, and where copies of it stand.
struct Repeat<'v> {
    value: &'v Value,
    bytes: usize,
    /// Tool and place of each copy, in the order of the list.
    places: Vec<(usize, &'v Pointer)>,
    /// How often the most frequent repeat occurs that holds a copy.
    held: usize,
}

fn hit(repeat: &Repeat<'_>) -> Option<Hit> {
    let (last, at) = *repeat.places.last()?;
    let copies = repeat.places.len();
    let hit = Hit::server().within(last, at.clone()).also(repeat.places.iter().map(|(tool, _)| *tool));
    // The digest tells repeats apart whose figures and places are equal, and stays when they move.
    let digest = digest::short(&[&sorted(repeat.value)]);
    Some(hit.fact("occurrences", copies).fact("measured", (copies - 1) * repeat.bytes).fact("digest", digest))
}

/// Every inline object schema below a root, by value.
fn repeats<'c>(cx: &'c Context<'_>) -> BTreeMap<usize, Repeat<'c>> {
    let mut shapes = Shapes::default();
    let mut found: BTreeMap<usize, Repeat<'c>> = BTreeMap::new();
    let mut walked = Vec::new();
    for schema in cx.schemas() {
        let shapes_by_address = shapes.read(schema.root);
        let shape = |value: &Value| shapes_by_address.get(&std::ptr::from_ref(value)).copied();
        let counted = |n: usize| schema.nodes.get(n).filter(|node| n > 0 && !node.shared && node.value.is_object());
        let ids: Vec<Option<usize>> = (0..schema.nodes.len()).map(|n| shape(counted(n)?.value)).collect();
        for (node, id) in schema.nodes.iter().zip(&ids) {
            let Some(id) = *id else { continue };
            let bytes = shapes.bytes(id);
            let fresh = || Repeat { value: node.value, bytes, places: Vec::new(), held: 0 };
            found.entry(id).or_insert_with(fresh).places.push((schema.tool, &node.at));
        }
        walked.push((ids, holders(&schema.nodes)));
    }
    // How often each holder occurs is known only now.
    for (ids, holders) in walked {
        let mut most: Vec<usize> = Vec::with_capacity(ids.len());
        for (id, holder) in ids.iter().zip(holders) {
            let above = holder.and_then(|holder| most.get(holder).copied()).unwrap_or_default();
            let repeat = id.and_then(|id| found.get_mut(&id));
            let own = repeat.map_or(0, |repeat| {
                repeat.held = repeat.held.max(above);
                repeat.places.len()
            });
            most.push(above.max(own));
        }
    }
    found
}

/// Values by number: equal values, whatever the order of their members, have the same one.
#[derive(Default)]
struct Shapes<'v> {
    numbers: HashMap<Shape<'v>, usize>,
    /// Bytes of compact JSON, by number.
    sizes: Vec<usize>,
}

/// A value whose parts are numbers already.
#[derive(PartialEq, Eq, Hash)]
enum Shape<'v> {
    Text(&'v str),
    Plain(String),
    List(Vec<usize>),
    /// Sorted by name.
    Members(Vec<(&'v str, usize)>),
}

impl<'v> Shapes<'v> {
    /// The numbers of all objects inside a value, by address.
    fn read(&mut self, value: &'v Value) -> BTreeMap<*const Value, usize> {
        let mut numbers = BTreeMap::new();
        self.number(value, &mut numbers);
        numbers
    }

    fn number(&mut self, value: &'v Value, numbers: &mut BTreeMap<*const Value, usize>) -> usize {
        let shape = match value {
            Value::String(text) => Shape::Text(text),
            Value::Array(items) => Shape::List(items.iter().map(|item| self.number(item, numbers)).collect()),
            Value::Object(members) => {
                let mut members: Vec<(&str, usize)> =
                    members.iter().map(|(name, member)| (name.as_str(), self.number(member, numbers))).collect();
                members.sort_unstable();
                Shape::Members(members)
            }
            plain => Shape::Plain(plain.to_string()),
        };
        let number = self.numbers.get(&shape).copied().unwrap_or(self.sizes.len());
        if number == self.sizes.len() {
            self.sizes.push(self.size(&shape));
            self.numbers.insert(shape, number);
        }
        if value.is_object() {
            numbers.insert(std::ptr::from_ref(value), number);
        }
        number
    }

    fn bytes(&self, number: usize) -> usize {
        self.sizes.get(number).copied().unwrap_or_default()
    }

    fn size(&self, shape: &Shape<'_>) -> usize {
        let between = |parts: usize| 2 + parts.saturating_sub(1);
        match shape {
            Shape::Text(text) => quoted(text),
            Shape::Plain(text) => text.len(),
            Shape::List(items) => between(items.len()) + items.iter().map(|item| self.bytes(*item)).sum::<usize>(),
            Shape::Members(members) => {
                let sizes = members.iter().map(|(name, member)| quoted(name) + 1 + self.bytes(*member));
                between(members.len()) + sizes.sum::<usize>()
            }
        }
    }
}

fn quoted(text: &str) -> usize {
    Value::from(text).to_string().len()
}

/// Compact JSON with sorted members.
fn sorted(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members: BTreeMap<&str, &Value> = members.iter().map(|(name, value)| (name.as_str(), value)).collect();
            let texts = members.into_iter().map(|(name, value)| format!("{}:{}", Value::from(name), sorted(value)));
            format!("{{{}}}", texts.collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(sorted).collect::<Vec<_>>().join(",")),
        plain => plain.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Settings;
    use crate::measure;
    use crate::surface::{Surface, Tool};
    use serde_json::json;

    fn figures(tools: &Value) -> Vec<(u64, u64, String)> {
        let tool = |value: &Value| Tool {
            value: value.clone(),
            text: value.to_string(),
            oddities: Vec::new(),
            exact: Vec::new(),
            page: 0,
        };
        let mut surface = Surface::named("a");
        surface.tools = tools.as_array().unwrap().iter().map(tool).collect();
        let measures = measure::measure(&surface, measure::Band::default());
        let settings = Settings::default();
        let hits = check(&Context::new(&surface, &measures, &settings));
        let figure = |hit: &Hit, name: &str| hit.facts[name].as_u64().unwrap();
        let mut all: Vec<_> =
            hits.iter().map(|hit| (figure(hit, "occurrences"), figure(hit, "measured"), hit.at.to_string())).collect();
        all.sort();
        all
    }

    #[test]
    fn the_largest_repeat_and_what_stands_elsewhere_too() {
        let small = json!({ "type": "string", "description": "x".repeat(120) });
        let other_order = json!({ "description": "x".repeat(120), "type": "string" });
        let large = json!({ "type": "object", "properties": { "small": small } });
        let size = |value: &Value| value.to_string().len() as u64;
        let tool = |schema: Value| json!({ "name": "t", "inputSchema": { "properties": { "p": schema } } });
        let twice = json!([tool(large.clone()), tool(large.clone())]);
        assert_eq!(figures(&twice), [(2, size(&large), "/inputSchema/properties/p".to_owned())]);
        let thrice = json!([tool(large.clone()), tool(large.clone()), tool(other_order)]);
        assert_eq!(
            figures(&thrice),
            [
                (2, size(&large), "/inputSchema/properties/p".to_owned()),
                (3, 2 * size(&small), "/inputSchema/properties/p".to_owned())
            ]
        );
        let shared = json!({ "name": "t", "inputSchema": { "$defs": { "a": small, "b": small } } });
        assert_eq!(figures(&json!([shared])), []);
    }
}
