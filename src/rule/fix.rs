//! Fixes that need no thought, as JSON merge patches (RFC 7396) of a tool.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::text::pointer::Pointer;

/// What to do with the node that a finding stands on. Nothing in it is invented.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "a fix is \"remove\", \"unique\" or { add = \"MEMBER\", value = … }")]
pub enum Fix {
    /// One of the words.
    Word(Word),
    /// Adds a member to the object at the place.
    Add {
        /// The member's name.
        add: String,
        /// Its value.
        value: Value,
    },
}

/// A fix of one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Word {
    /// Takes the member at the place out of its object.
    Remove,
    /// Keeps the first of equal items in the list at the place.
    Unique,
}

impl Fix {
    /// The patch for a tool whose finding stands at `at`; none where the fix does not fit what stands there.
    pub fn patch(&self, tool: &Value, at: &Pointer) -> Option<Value> {
        let steps: Vec<String> = at.steps().collect();
        match self {
            Self::Word(Word::Remove) => {
                at.find(tool)?;
                replaced(tool, &steps, &Value::Null)
            }
            Self::Word(Word::Unique) => {
                // A finding may stand on the item that is there twice.
                let (list, steps) = if let Value::Array(items) = at.find(tool)? {
                    (items, steps)
                } else {
                    let (holder, _) = at.split_last()?;
                    (holder.find(tool)?.as_array()?, holder.steps().collect())
                };
                let mut kept: Vec<&Value> = Vec::new();
                for item in list {
                    if !kept.contains(&item) {
                        kept.push(item);
                    }
                }
                replaced(tool, &steps, &Value::Array(kept.into_iter().cloned().collect()))
            }
            Self::Add { add, value } => {
                at.find(tool)?.as_object().filter(|members| !members.contains_key(add))?;
                replaced(tool, &[steps, vec![add.clone()]].concat(), value)
            }
        }
    }
}

/// The patch that puts `value` at the end of these steps. A merge patch replaces lists whole, so that from the first
/// list on the way everything below stands in it as it will be.
fn replaced(node: &Value, steps: &[String], value: &Value) -> Option<Value> {
    let (first, rest) = steps.split_first()?;
    match node {
        Value::Object(members) => {
            let below = match (rest.is_empty(), members.get(first)) {
                (true, _) => value.clone(),
                (false, Some(inner @ Value::Object(_))) => replaced(inner, rest, value)?,
                (false, Some(inner @ Value::Array(_))) => changed(inner, rest, value)?,
                (false, _) => return None,
            };
            Some(Value::Object(Map::from_iter([(first.clone(), below)])))
        }
        _ => None,
    }
}

/// A copy of a node with `value` at the end of these steps; null takes a member out.
fn changed(node: &Value, steps: &[String], value: &Value) -> Option<Value> {
    let mut copy = node.clone();
    let (last, way) = steps.split_last()?;
    let mut here = &mut copy;
    for step in way {
        here = match here {
            Value::Object(members) => members.get_mut(step)?,
            Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    let members = here.as_object_mut()?;
    if value.is_null() {
        members.shift_remove(last);
    } else {
        members.insert(last.clone(), value.clone());
    }
    Some(copy)
}

/// A patch with another one put over it.
pub fn joined(first: Value, second: Value) -> Value {
    match (first, second) {
        (Value::Object(mut first), Value::Object(second)) => {
            for (name, value) in second {
                let known = first.shift_remove(&name);
                let value = known.map_or_else(|| value.clone(), |known| joined(known, value.clone()));
                first.insert(name, value);
            }
            Value::Object(first)
        }
        (_, second) => second,
    }
}

/// A document with a merge patch applied, as RFC 7396 says.
pub fn applied(target: &Value, patch: &Value) -> Value {
    let Value::Object(changes) = patch else { return patch.clone() };
    let mut members = target.as_object().cloned().unwrap_or_default();
    for (name, change) in changes {
        if change.is_null() {
            members.shift_remove(name);
        } else {
            let new = applied(members.get(name).unwrap_or(&Value::Null), change);
            members.insert(name.clone(), new);
        }
    }
    Value::Object(members)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn patch(fix: &Fix, tool: &Value, at: &str) -> Option<Value> {
        fix.patch(tool, &Pointer::from_text(at))
    }

    #[test]
    fn patches_name_what_changes_and_no_more() {
        let tool =
            json!({ "name": "a", "s": { "$schema": "x", "required": ["a", "b", "a"], "anyOf": [{ "k": 1, "l": 2 }] } });
        let remove = Fix::Word(Word::Remove);
        assert_eq!(patch(&remove, &tool, "/s/$schema"), Some(json!({ "s": { "$schema": null } })));
        assert_eq!(patch(&remove, &tool, "/s/anyOf/0/k"), Some(json!({ "s": { "anyOf": [{ "l": 2 }] } })));
        assert_eq!(patch(&remove, &tool, "/s/nothing"), None);
        let unique = Fix::Word(Word::Unique);
        let kept = json!({ "s": { "required": ["a", "b"] } });
        assert_eq!(patch(&unique, &tool, "/s/required"), Some(kept.clone()));
        assert_eq!(patch(&unique, &tool, "/s/required/2"), Some(kept));
        let add = Fix::Add { add: "properties".to_owned(), value: json!({}) };
        let patch = patch(&add, &tool, "/s").unwrap();
        assert_eq!(patch, json!({ "s": { "properties": {} } }));
        assert_eq!(applied(&tool, &patch)["s"]["properties"], json!({}));
        assert_eq!(
            joined(json!({ "s": { "a": 1 } }), json!({ "s": { "b": null } })),
            json!({ "s": { "a": 1, "b": null } })
        );
    }
}
