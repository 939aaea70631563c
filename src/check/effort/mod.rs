//! How much work it is to hold a value against a schema of the audited server.
//!
//! A few references that each lead to two more make a validator look at one place a billion times, and a fault in a
//! branch of `oneOf` keeps a copy of the value for each branch. Both are known before anything is validated: the schema
//! is laid beside the value, and what a validator would do is counted.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use self::{work::Work, written::Written};
use crate::surface::refs::Refs;
use crate::surface::schema::{Node, Target, nodes};

mod pattern;
mod work;
mod written;

/// Steps that the checks of one server may take together, of some nanoseconds each.
const MOST_STEPS: usize = 1 << 27;
/// Faults that are listed: a validator holds all of them at once.
const MOST_FAULTS: usize = 1 << 19;
/// Values that faults may hold copies of.
const MOST_COPIED: usize = 1 << 22;

/// Bytes of text that are as large as a value.
const TEXT: usize = 32;

/// Keywords whose schemas look at the same place.
const SAME: [&str; 9] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"];
/// Keywords that look at what the others left over, and so ask the schemas at the same place once more.
const LEFT_OVER: [&str; 2] = ["unevaluatedItems", "unevaluatedProperties"];

/// How far a value can be held against a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// Every fault can be listed.
    All,
    /// The first can.
    First,
    /// Only whether there is one can be told.
    Verdict,
    /// Nothing can.
    TooMuch,
}

/// What the checks of one server may still do, and what they left out for want of it.
#[derive(Default)]
pub(super) struct Bounds {
    spent: Cell<usize>,
    left_out: RefCell<BTreeMap<&'static str, BTreeSet<usize>>>,
}

impl Bounds {
    /// How far a validator of `schema`, of the tool at this position, can be let loose on `value`. What it cannot tell
    /// at all is noted.
    pub(super) fn effort(&self, tool: usize, schema: &Value, value: &Value) -> Effort {
        let effort = self.counted(tool, schema, value);
        if effort == Effort::TooMuch {
            self.leave_out(tool, "to hold a value against its schema takes too long");
        }
        effort
    }

    fn counted(&self, tool: usize, schema: &Value, value: &Value) -> Effort {
        let left = MOST_STEPS.saturating_sub(self.spent.get());
        if left == 0 {
            return Effort::TooMuch;
        }
        let nodes = nodes(schema);
        let refs = Refs::new(schema, &nodes);
        let mut work = Work::new(&refs, left);
        work.compile(nodes.len());
        let compiled = Written::new(&nodes, &refs).size_of_all();
        if let Some(size) = compiled {
            work.compile(size);
            for node in &nodes {
                work.compile_patterns(node.value);
            }
            work.count(schema, value);
        }
        self.spent.set(MOST_STEPS - work.left);
        if work.has_large_pattern {
            self.leave_out(tool, "a pattern is too large to be compiled");
        }
        match work {
            Work { left: 0, .. } => Effort::TooMuch,
            _ if compiled.is_none() => Effort::TooMuch,
            Work { copied, .. } if copied > MOST_COPIED => Effort::Verdict,
            Work { faults, .. } if faults > MOST_FAULTS => Effort::First,
            _ => Effort::All,
        }
    }

    /// Notes that something of the tool at this position was left out, and why.
    pub(super) fn leave_out(&self, tool: usize, why: &'static str) {
        self.left_out.borrow_mut().entry(why).or_default().insert(tool);
    }

    /// What was left out since this was last asked: the reasons, each with the positions of the tools.
    pub(super) fn take_left_out(&self) -> BTreeMap<&'static str, BTreeSet<usize>> {
        self.left_out.take()
    }
}

/// Schemas that are counted with references written out.
pub(super) const LARGEST: u64 = written::MOST_SCHEMAS as u64;
/// References that lead on from one another, and nesting, together, that are followed for it.
pub(super) const DEEPEST: usize = written::MOST_DEPTH;

/// How many schemas `nodes` are once their references are written out; none when that is beyond the bounds.
pub(super) fn written_out<'s>(nodes: &[Node<'s>], refs: &Refs<'_, 's>) -> Option<u64> {
    Written::new(nodes, refs).size_of_all().map(|size| size as u64)
}

/// How large a value is: the values in it, and its text.
pub(super) fn size(value: &Value) -> usize {
    let names = value.as_object().into_iter().flat_map(Map::keys).map(|name| 1 + name.len() / TEXT);
    let own = value.as_str().map_or(1, |text| 1 + text.len() / TEXT);
    own + names.sum::<usize>() + members(value).map(size).sum::<usize>()
}

/// The items or members of a value.
fn members(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten().chain(value.as_object().into_iter().flat_map(|members| members.values()))
}

fn is_reference(keyword: &str) -> bool {
    matches!(keyword, "$ref" | "$dynamicRef" | "$recursiveRef")
}

fn leads_to<'s>(reference: &str, refs: &Refs<'_, 's>) -> Option<&'s Value> {
    match refs.lead(reference) {
        Target::Here(target) => Some(target),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Validator;
    use serde_json::json;
    use std::fmt::Write as _;

    /// A chain of definitions, each of which refers to the next one twice under `keyword`.
    fn doubling(keyword: &str, length: usize) -> Value {
        let mut text = String::from("{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
        for n in 0..length {
            let next = format!("{{\"$ref\":\"#/$defs/d{}\"}}", n + 1);
            let _ = write!(text, "\"d{n}\":{{\"{keyword}\":[{next},{next}]}},");
        }
        let _ = write!(text, "\"d{length}\":{{\"type\":\"string\"}}}}}}");
        serde_json::from_str(&text).unwrap()
    }

    fn effort(schema: &Value, value: &Value) -> Effort {
        Bounds::default().effort(0, schema, value)
    }

    /// Faults that are listed of a value that can be held against a schema.
    fn listed(schema: &Value, value: &Value) -> usize {
        assert_eq!(effort(schema, value), Effort::All);
        Validator::of_server(schema).unwrap().mismatches(value, Effort::All).len()
    }

    #[test]
    fn doubling_is_seen_before_it_costs() {
        assert_eq!(effort(&doubling("anyOf", 10), &json!(1)), Effort::All);
        assert_eq!(effort(&doubling("anyOf", 40), &json!(1)), Effort::TooMuch);
        assert_eq!(effort(&json!({ "$ref": "#" }), &json!(1)), Effort::TooMuch);
        let both = json!({ "items": { "anyOf": [{ "$ref": "#" }, { "$ref": "#" }] } });
        let deep = |depth: usize| (0..depth).fold(json!(1), |value, _| json!([value]));
        assert_eq!(effort(&both, &deep(10)), Effort::All);
        assert_eq!(effort(&both, &deep(60)), Effort::TooMuch);
        let left_over = |depth: usize| {
            let innermost = json!({ "properties": { "z": {} } });
            (0..depth).fold(innermost, |inner, _| json!({ "anyOf": [inner], "unevaluatedProperties": false }))
        };
        assert_eq!(effort(&left_over(3), &json!({ "z": 1 })), Effort::All);
        assert_eq!(effort(&left_over(40), &json!({ "z": 1 })), Effort::TooMuch);
    }

    #[test]
    fn what_is_borne_is_quick() {
        let started = std::time::Instant::now();
        for keyword in ["anyOf", "allOf", "oneOf"] {
            assert!(listed(&doubling(keyword, 14), &json!(1)) > 0);
        }
        assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
    }

    #[test]
    fn an_honest_result_is_bearable() {
        let schema = json!({ "type": "object", "properties": { "rows": { "type": "array", "items": { "$ref": "#/$defs/row" } } },
            "$defs": { "row": { "properties": { "id": { "type": "string" }, "below": { "$ref": "#/$defs/rows" } },
                "required": ["id"], "additionalProperties": false }, "rows": { "items": { "$ref": "#/$defs/row" } } } });
        let mut rows: Vec<Value> = (0..50_000).map(|n| json!({ "id": n.to_string(), "below": [] })).collect();
        assert_eq!(listed(&schema, &json!({ "rows": rows })), 0);
        rows.push(json!({ "id": null, "other": 1 }));
        assert_eq!(listed(&schema, &json!({ "rows": rows })), 2);
        let choice = json!({ "items": { "oneOf": [{ "type": "string" }, { "type": "null" }, { "enum": [1, 2, 3] }] } });
        assert_eq!(listed(&choice, &json!(vec![5; 50_000])), 50_000);
    }

    #[test]
    fn what_faults_hold_is_counted() {
        let ones = |many: usize| json!(vec![1; many]);
        let strings = json!({ "items": { "type": "string" } });
        assert_eq!(effort(&strings, &ones(200_000)), Effort::All);
        assert_eq!(effort(&strings, &ones(600_000)), Effort::First);
        let branches = |many: usize| json!({ "oneOf": vec![json!({ "required": ["a"], "maxItems": 0 }); many] });
        assert_eq!(effort(&branches(2), &ones(100_000)), Effort::All);
        assert_eq!(effort(&branches(1_000), &ones(10_000)), Effort::Verdict);
        let large: Vec<usize> = (0..20_000).collect();
        assert_eq!(effort(&json!({ "items": { "enum": large } }), &ones(20)), Effort::All);
        assert_eq!(effort(&json!({ "items": { "enum": large } }), &ones(20_000)), Effort::TooMuch);
        assert_eq!(effort(&json!({ "items": { "not": { "enum": large } } }), &ones(1_000)), Effort::Verdict);
    }

    #[test]
    fn less_is_told_of_what_is_larger() {
        let schema = json!({ "items": { "type": "string" } });
        let told = |effort| Validator::of_server(&schema).unwrap().mismatches(&json!([1, "a", 2]), effort);
        let places = |effort| told(effort).into_iter().map(|fault| fault.at.to_string()).collect::<Vec<_>>();
        assert_eq!(places(Effort::All), ["/0", "/2"]);
        assert_eq!(places(Effort::First), ["/0"]);
        assert_eq!(places(Effort::Verdict), [""]);
    }

    #[test]
    fn all_values_share_one_bound() {
        let (bounds, schema, value) = (Bounds::default(), doubling("anyOf", 12), json!(1));
        let first = bounds.effort(0, &schema, &value);
        let times = (1..1_000).take_while(|_| bounds.effort(0, &schema, &value) == Effort::All).count();
        assert_eq!(first, Effort::All);
        assert!((2..500).contains(&times), "{times}");
    }
}
