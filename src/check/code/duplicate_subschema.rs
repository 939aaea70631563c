//! Sub-schemas that are written out several times in a list. Root schemas and what stands under `$defs` are left out,
//! and so is a part that is repeated only because what holds it is.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher as _};

use serde_json::Value;

use crate::check::{Context, Hit};
use crate::spec::threshold::threshold;
use crate::surface::Tool;
use crate::surface::schema::holders;
use crate::text::{digest, pointer::Pointer};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let (copies, walked) = copies(cx);
    // Sorted by hash: comparing the values themselves would run through all of memory.
    let mut order: Vec<usize> = (0..copies.len()).collect();
    order.sort_unstable_by_key(|n| (copies.get(*n).map(|copy| copy.hash), *n));
    let hash = |n: &usize| copies.get(*n).map(|copy| copy.hash);
    let groups: Vec<&[usize]> = order.chunk_by(|a, b| hash(a) == hash(b)).collect();
    let mut times = vec![0; copies.len()];
    for n in groups.iter().flat_map(|group| group.iter().map(|n| (*n, group.len()))) {
        if let Some(slot) = times.get_mut(n.0) {
            *slot = n.1;
        }
    }
    let held = held(&times, &walked);
    let worth = |group: &&[usize]| {
        let held = group.iter().filter_map(|n| held.get(*n)).max().copied().unwrap_or_default();
        group.len() > held.max(1)
    };
    let payload = cx.measures.number("payload.bytes").unwrap_or_default();
    let least = payload.saturating_mul(threshold("duplicate-subschema.percent")) / 100;
    groups.into_iter().filter(worth).filter_map(|group| hit(group, &copies, least)).collect()
}

/// A sub-schema that is large enough to count.
struct Copy<'v> {
    /// Of its value, whatever the order of members.
    hash: u64,
    /// Of its compact JSON.
    bytes: usize,
    value: &'v Value,
    tool: usize,
    name: &'v str,
    at: &'v Pointer,
}

/// For the nodes of one schema: which copy each is, and which node holds it.
type Walked = (Vec<Option<usize>>, Vec<Option<usize>>);

/// Every inline object schema below a root that is large enough, in the order of the list.
fn copies<'c>(cx: &'c Context<'_>) -> (Vec<Copy<'c>>, Vec<Walked>) {
    let mut copies = Vec::new();
    let mut walked = Vec::new();
    let least = threshold("duplicate-subschema.bytes");
    for schema in cx.schemas() {
        let mut weights = BTreeMap::new();
        weigh(schema.root, &mut weights);
        let before = copies.len();
        let mut slots = vec![None; schema.nodes.len()];
        for (n, (node, slot)) in schema.nodes.iter().zip(&mut slots).enumerate() {
            let weight = weights.get(&std::ptr::from_ref(node.value)).filter(|_| n > 0 && !node.shared);
            if let Some((hash, bytes)) = weight.copied().filter(|(_, bytes)| *bytes as u64 >= least) {
                *slot = Some(copies.len());
                let name = cx.surface.tools.get(schema.tool).map_or("", Tool::label);
                copies.push(Copy { hash, bytes, value: node.value, tool: schema.tool, name, at: &node.at });
            }
        }
        if copies.len() > before {
            walked.push((slots, holders(&schema.nodes)));
        }
    }
    (copies, walked)
}

/// For each copy, how often the most frequent repeat occurs that holds it.
fn held(times: &[usize], walked: &[Walked]) -> Vec<usize> {
    let mut held = vec![0; times.len()];
    for (slots, holders) in walked {
        let mut most: Vec<usize> = Vec::with_capacity(slots.len());
        for (slot, holder) in slots.iter().zip(holders) {
            let above = holder.and_then(|holder| most.get(holder).copied()).unwrap_or_default();
            if let Some(entry) = slot.and_then(|n| held.get_mut(n)) {
                *entry = above;
            }
            most.push(above.max(slot.and_then(|n| times.get(n).copied()).unwrap_or_default()));
        }
    }
    held
}

/// The hit on a group of copies; none where they are parameters without parts, one in each of several tools, and `least`
/// bytes are not saved: nothing can be shared there.
fn hit(group: &[usize], copies: &[Copy<'_>], least: u64) -> Option<Hit> {
    // The first by name and place, so that the fingerprint does not hang on the order of the list.
    let placed = group.iter().filter_map(|n| copies.get(*n));
    let first = placed.clone().min_by_key(|copy| (copy.name, copy.at))?;
    let hit = Hit::tool(first.tool, first.at.clone()).also(placed.clone().map(|copy| copy.tool));
    // The digest tells repeats apart whose figures and places are equal, and stays when they move.
    let digest = digest::short(&[&sorted(first.value)]);
    let saved = (group.len() - 1) * first.bytes;
    let tools: BTreeSet<usize> = placed.map(|copy| copy.tool).collect();
    if tools.len() == group.len() && is_plain(first.value) && (saved as u64) < least {
        return None;
    }
    Some(hit.fact("occurrences", group.len()).fact("measured", saved).fact("digest", digest))
}

/// Whether a schema has no schemas inside that could be shared.
fn is_plain(schema: &Value) -> bool {
    const PARTS: [&str; 6] =
        ["properties", "items", "additionalProperties", "patternProperties", "prefixItems", "$ref"];
    PARTS.into_iter().all(|keyword| !schema.get(keyword).is_some_and(Value::is_object))
}

/// Hash and bytes of a value, and of every object inside it by address.
fn weigh(value: &Value, weights: &mut BTreeMap<*const Value, (u64, usize)>) -> (u64, usize) {
    let between = |parts: usize| 2 + parts.saturating_sub(1);
    match value {
        Value::Object(members) => {
            let (mut hash, mut bytes) = (members.len() as u64, between(members.len()));
            for (name, member) in members {
                let (inner, size) = weigh(member, weights);
                // A sum does not hang on the order of members.
                hash = hash.wrapping_add(hash_of(&(name, inner)));
                bytes += quoted(name) + 1 + size;
            }
            weights.insert(std::ptr::from_ref(value), (hash, bytes));
            (hash, bytes)
        }
        Value::Array(items) => {
            let inner: Vec<(u64, usize)> = items.iter().map(|item| weigh(item, weights)).collect();
            let hashes: Vec<u64> = inner.iter().map(|(hash, _)| *hash).collect();
            (hash_of(&("array", hashes)), between(items.len()) + inner.iter().map(|(_, bytes)| bytes).sum::<usize>())
        }
        Value::String(text) => (hash_of(&("string", text)), quoted(text)),
        plain => {
            let text = plain.to_string();
            (hash_of(&("plain", &text)), text.len())
        }
    }
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn quoted(text: &str) -> usize {
    // Letters that JSON escapes are rare in schemas; only then is the text written out.
    let plain = text.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\');
    if plain { text.len() + 2 } else { Value::from(text).to_string().len() }
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
