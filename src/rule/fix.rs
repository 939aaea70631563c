//! Fixes that need no thought, as JSON merge patches (RFC 7396) of a tool.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::text::pointer::Pointer;

/// Bytes of a tool that a patch for one finding may repeat: a merge patch replaces lists whole.
const MOST_REPEATED: usize = 4_096;

/// What to do with the node that a finding stands on. Nothing in it is invented.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(
    untagged,
    expecting = "a fix is \"remove\", \"unique\", \"rename\", { add = \"MEMBER\", value = … } or { into = \"MEMBER\" }"
)]
pub enum Fix {
    /// One of the words.
    Word(Word),
    /// Adds a member to the object at the place.
    Add {
        /// The member's name.
        add: String,
        /// Its value.
        value: Value,
        /// A member that must be there and hold something, so that the fix is sure. Such a fix narrows a schema, which
        /// inside `allOf` would be no fix.
        beside: Option<String>,
    },
    /// Moves a member of the tool into an object beside it.
    Into {
        /// The object's name.
        into: String,
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
    /// Gives the member at the place the name that the finding expects.
    Rename,
}

/// A fix for one finding.
#[derive(Clone, Copy, Debug)]
pub struct Edit<'f> {
    /// What to do.
    pub fix: &'f Fix,
    /// Where.
    pub at: &'f Pointer,
    /// What the finding says.
    pub facts: &'f Map<String, Value>,
}

impl Edit<'_> {
    /// The merge patch for this finding alone; none where the fix does not fit what stands there, or would repeat more
    /// than a few kilobytes of the tool.
    pub fn patch(&self, tool: &Value) -> Option<Value> {
        if !self.fits(tool) {
            return None;
        }
        let before = sparse(tool, &self.steps(tool))?;
        let mut after = before.clone();
        self.apply(&mut after);
        difference(&before, &after)
    }

    /// Where the change is made: a finding may stand on the item that is there twice.
    fn steps(&self, tool: &Value) -> Vec<String> {
        let mut steps: Vec<String> = self.at.steps().collect();
        if *self.fix == Fix::Word(Word::Unique) && !self.at.find(tool).is_some_and(Value::is_array) {
            steps.pop();
        }
        steps
    }

    fn fits(&self, tool: &Value) -> bool {
        let (Some(found), steps) = (self.at.find(tool), self.steps(tool)) else { return false };
        let holder = self.at.split_last().and_then(|(holder, _)| holder.find(tool)?.as_object());
        match self.fix {
            Fix::Word(Word::Remove) => holder.is_some(),
            Fix::Word(Word::Unique) => find(tool, &steps).is_some_and(Value::is_array),
            Fix::Word(Word::Rename) => {
                self.expected().zip(holder).is_some_and(|(name, holder)| !holder.contains_key(name))
            }
            Fix::Add { add, beside, .. } => {
                let holds = |members: &Map<String, Value>, name: &String| {
                    members.get(name).and_then(Value::as_object).is_some_and(|inner| !inner.is_empty())
                };
                let sure = |members: &Map<String, Value>| {
                    beside.as_ref().is_none_or(|name| holds(members, name) && !steps.iter().any(|step| step == "allOf"))
                };
                found.as_object().is_some_and(|members| !members.contains_key(add) && sure(members))
            }
            Fix::Into { into } => {
                let there = tool.get(into);
                steps.len() == 1
                    && there.is_none_or(Value::is_object)
                    && there.and_then(|there| there.get(steps.first()?)).is_none()
            }
        }
    }

    fn expected(&self) -> Option<&str> {
        self.facts.get("expected")?.as_str()
    }

    /// Makes the change, if what stands there is still what it is for.
    fn apply(&self, tool: &mut Value) {
        let steps = self.steps(tool);
        let Some((last, way)) = steps.split_last() else { return };
        match self.fix {
            Fix::Word(Word::Remove) => {
                if let Some(Value::Object(members)) = find_mut(tool, way) {
                    members.shift_remove(last);
                }
            }
            Fix::Word(Word::Unique) => {
                if let Some(Value::Array(items)) = find_mut(tool, &steps) {
                    let mut seen = BTreeSet::new();
                    items.retain(|item| seen.insert(item.to_string()));
                }
            }
            Fix::Word(Word::Rename) => {
                if let (Some(name), Some(Value::Object(members))) = (self.expected(), find_mut(tool, way))
                    && let Some(value) = members.shift_remove(last)
                {
                    members.insert(name.to_owned(), value);
                }
            }
            Fix::Add { add, value, .. } => {
                if let Some(Value::Object(members)) = find_mut(tool, &steps) {
                    members.insert(add.clone(), value.clone());
                }
            }
            Fix::Into { into } => {
                let Some(members) = tool.as_object_mut() else { return };
                if let Some(value) = members.shift_remove(last)
                    && let Some(inner) = members.entry(into.clone()).or_insert_with(|| json!({})).as_object_mut()
                {
                    inner.insert(last.clone(), value);
                }
            }
        }
    }
}

/// The merge patch that makes all of these changes to a tool; none when no fix fits.
pub fn patch<'f>(tool: &Value, edits: impl IntoIterator<Item = Edit<'f>>) -> Option<Value> {
    let mut after = tool.clone();
    for edit in edits {
        // An earlier change may have taken away what this one is for.
        if edit.fits(&after) {
            edit.apply(&mut after);
        }
    }
    difference(tool, &after)
}

/// Of a node only what lies on a way; the end of it as it stands, but of an object nothing. None when that is much.
fn sparse(node: &Value, steps: &[String]) -> Option<Value> {
    match (node, steps.split_first()) {
        (Value::Object(members), Some((first, rest))) => {
            Some(Value::Object(Map::from_iter([(first.clone(), sparse(members.get(first)?, rest)?)])))
        }
        (Value::Object(_), None) => Some(json!({})),
        _ => is_short(node, &mut MOST_REPEATED.clone()).then(|| node.clone()),
    }
}

/// Whether a value has no more than so many bytes, about.
fn is_short(value: &Value, left: &mut usize) -> bool {
    let own = 4 + value.as_str().map_or(0, str::len);
    let Some(rest) = left.checked_sub(own) else { return false };
    *left = rest;
    match value {
        Value::Array(items) => items.iter().all(|item| is_short(item, left)),
        Value::Object(members) => members.iter().all(|(name, member)| {
            *left = left.saturating_sub(name.len());
            is_short(member, left)
        }),
        _ => true,
    }
}

fn find<'v>(node: &'v Value, steps: &[String]) -> Option<&'v Value> {
    steps.iter().try_fold(node, |node, step| match node {
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        _ => node.get(step),
    })
}

fn find_mut<'v>(node: &'v mut Value, steps: &[String]) -> Option<&'v mut Value> {
    steps.iter().try_fold(node, |node, step| match node {
        Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
        _ => node.get_mut(step),
    })
}

/// The merge patch that leads from one value to another; none when they are equal. Our changes put no null anywhere,
/// which a merge patch could not say.
fn difference(before: &Value, after: &Value) -> Option<Value> {
    if before == after {
        return None;
    }
    let (Value::Object(old), Value::Object(new)) = (before, after) else { return Some(after.clone()) };
    let gone = old.keys().filter(|name| !new.contains_key(*name)).map(|name| (name.clone(), Value::Null));
    let changed = new.iter().filter_map(|(name, value)| {
        let change = old.get(name).map_or_else(|| Some(value.clone()), |known| difference(known, value));
        Some((name.clone(), change?))
    });
    Some(Value::Object(gone.chain(changed).collect()))
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

    fn one(fix: &Fix, tool: &Value, at: &str) -> Option<Value> {
        let facts = Map::from_iter([("expected".to_owned(), json!("readOnlyHint"))]);
        Edit { fix, at: &Pointer::from_text(at), facts: &facts }.patch(tool)
    }

    fn closing() -> Fix {
        Fix::Add { add: "additionalProperties".to_owned(), value: json!(false), beside: Some("properties".to_owned()) }
    }

    #[test]
    fn patches_name_what_changes_and_no_more() {
        let tool =
            json!({ "name": "a", "s": { "$schema": "x", "required": ["a", "b", "a"], "anyOf": [{ "k": 1, "l": 2 }] } });
        let remove = Fix::Word(Word::Remove);
        assert_eq!(one(&remove, &tool, "/s/$schema"), Some(json!({ "s": { "$schema": null } })));
        assert_eq!(one(&remove, &tool, "/s/anyOf/0/k"), Some(json!({ "s": { "anyOf": [{ "l": 2 }] } })));
        assert_eq!(one(&remove, &tool, "/s/nothing"), None);
        let unique = Fix::Word(Word::Unique);
        let kept = json!({ "s": { "required": ["a", "b"] } });
        assert_eq!(one(&unique, &tool, "/s/required"), Some(kept.clone()));
        assert_eq!(one(&unique, &tool, "/s/required/2"), Some(kept));
        let add = Fix::Add { add: "properties".to_owned(), value: json!({}), beside: None };
        let patch = one(&add, &tool, "/s").unwrap();
        assert_eq!(patch, json!({ "s": { "properties": {} } }));
        assert_eq!(applied(&tool, &patch)["s"]["properties"], json!({}));
    }

    #[test]
    fn hints_are_renamed_and_moved() {
        let tool = json!({ "name": "a", "readOnlyHint": true, "annotations": { "read_only": true } });
        let renamed = json!({ "annotations": { "read_only": null, "readOnlyHint": true } });
        assert_eq!(one(&Fix::Word(Word::Rename), &tool, "/annotations/read_only"), Some(renamed));
        let into = Fix::Into { into: "annotations".to_owned() };
        let moved = json!({ "readOnlyHint": null, "annotations": { "readOnlyHint": true } });
        assert_eq!(one(&into, &tool, "/readOnlyHint"), Some(moved.clone()));
        assert_eq!(one(&into, &json!({ "name": "a", "readOnlyHint": true }), "/readOnlyHint"), Some(moved));
        let both = json!({ "readOnlyHint": true, "annotations": { "readOnlyHint": false, "read_only": true } });
        assert_eq!(one(&into, &both, "/readOnlyHint"), None);
        assert_eq!(one(&Fix::Word(Word::Rename), &both, "/annotations/read_only"), None);
    }

    #[test]
    fn what_is_not_sure_is_left_alone() {
        let closing = closing();
        let object = json!({ "type": "object", "properties": { "x": {} } });
        assert!(one(&closing, &json!({ "s": object }), "/s").is_some());
        for tool in [json!({ "s": { "type": "object" } }), json!({ "s": { "type": "object", "properties": {} } })] {
            assert_eq!(one(&closing, &tool, "/s"), None);
        }
        assert_eq!(one(&closing, &json!({ "s": { "allOf": [object] } }), "/s/allOf/0"), None);
    }

    #[test]
    fn several_changes_in_one_list_are_all_made() {
        let branch = json!({ "type": "object", "properties": { "x": {} } });
        let tool = json!({ "s": { "anyOf": [branch, branch], "required": ["a", "a"] } });
        let (closing, unique, facts) = (closing(), Fix::Word(Word::Unique), Map::new());
        let places = ["/s/anyOf/0", "/s/anyOf/1", "/s/required"].map(Pointer::from_text);
        let edits = places.iter().map(|at| Edit {
            fix: if at.as_str().ends_with("required") { &unique } else { &closing },
            at,
            facts: &facts,
        });
        let patch = patch(&tool, edits).unwrap();
        let closed = json!({ "type": "object", "properties": { "x": {} }, "additionalProperties": false });
        assert_eq!(patch, json!({ "s": { "anyOf": [closed, closed], "required": ["a"] } }));
    }

    #[test]
    fn long_lists_are_not_repeated_for_each_finding() {
        let branch = json!({ "type": "object", "properties": { "x": {} } });
        let tool = json!({ "s": { "anyOf": vec![branch; 1_000] } });
        assert_eq!(one(&closing(), &tool, "/s/anyOf/7"), None);
        let facts = Map::new();
        let (fix, at) = (closing(), Pointer::from_text("/s/anyOf/7"));
        assert!(patch(&tool, [Edit { fix: &fix, at: &at, facts: &facts }]).is_some());
    }
}
