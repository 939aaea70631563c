//! Every string inside a value, and where it stands.

use serde_json::Value;

use crate::text::pointer::Pointer;

/// A step of a place; places are written out for the few texts that hide something.
#[derive(Clone, Copy)]
pub(super) enum Step<'v> {
    /// Of an object.
    Member(&'v str),
    /// Of a list.
    Item(usize),
}

/// Calls `seen` with every string and member name inside a value, and where it stands.
pub(super) fn walk<'v>(value: &'v Value, steps: &mut Vec<Step<'v>>, seen: &mut impl FnMut(&[Step<'v>], &'v str)) {
    match value {
        Value::String(text) => seen(steps, text),
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                steps.push(Step::Item(i));
                walk(item, steps, seen);
                steps.pop();
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                steps.push(Step::Member(name));
                seen(steps, name);
                walk(member, steps, seen);
                steps.pop();
            }
        }
        _ => {}
    }
}

/// The place that steps lead to.
pub(super) fn place(steps: &[Step<'_>]) -> Pointer {
    steps.iter().fold(Pointer::root(), |at, step| match step {
        Step::Member(name) => at.key(name),
        Step::Item(i) => at.index(*i),
    })
}
