//! What a validator would do with a value, counted.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::pattern::{Pattern, Unready};
use super::{LEFT_OVER, SAME, is_reference, leads_to, members, size};
use crate::surface::refs::Refs;

/// Steps of a look of a schema at a place. An honest result needs a few looks for each of its members.
const LOOK: usize = 16;
/// Steps for each byte of a pattern: a class of letters is hundreds of ranges.
const PARSE: usize = 256;
/// Steps for each byte of a compiled pattern.
const COMPILE: usize = 4;
/// Steps for each byte that meets a pattern which the engine takes in parts, if at all.
const FOREIGN: usize = 16;
/// Faults that a member which is not allowed weighs: each has a place of its own, and so is a finding of its own.
const MEMBER: usize = 4;

/// Keywords whose schemas look at every member or item.
const EVERY: [&str; 8] = [
    "items",
    "prefixItems",
    "additionalItems",
    "contains",
    "unevaluatedItems",
    "additionalProperties",
    "unevaluatedProperties",
    "patternProperties",
];
/// Keywords that ask whether their schemas hold before they tell what does not, if they tell it at all.
const ASKING: [&str; 5] = ["anyOf", "oneOf", "if", "unevaluatedItems", "unevaluatedProperties"];

/// What becomes of the faults that a look finds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Faults {
    /// They are listed.
    Listed,
    /// They are kept below the fault of a branch, each with a copy of the value.
    Copied,
    /// They are not asked for.
    Dropped,
}

/// A look of a schema at a place.
#[derive(Clone, Copy)]
struct Look<'s> {
    schema: &'s Value,
    value: &'s Value,
    /// How often it is done for each time that it is asked for.
    times: u32,
    /// How often it is asked for.
    asked: u16,
    faults: Faults,
}

impl Look<'_> {
    /// The looks that a keyword of the schema brings about; `left_over` keywords beside it ask once more.
    fn below(self, keyword: &str, left_over: u32) -> Self {
        let faults = match (self.faults, keyword) {
            (Faults::Dropped, _) | (_, "not" | "if" | "contains") => Faults::Dropped,
            (_, "anyOf" | "oneOf") => Faults::Copied,
            (faults, _) => faults,
        };
        let again = if SAME.contains(&keyword) || is_reference(keyword) { left_over } else { 0 };
        let asked = self.asked.saturating_add(u16::from(ASKING.contains(&keyword)));
        Self { times: self.times.saturating_mul(1 + again), asked, faults, ..self }
    }
}

/// The work of a validator.
pub(super) struct Work<'c, 's> {
    /// Steps that are left.
    pub(super) left: usize,
    /// Faults that there may be.
    pub(super) faults: usize,
    /// Values that they would hold copies of.
    pub(super) copied: usize,
    /// Whether there is a pattern that is too large for the engine.
    pub(super) has_large_pattern: bool,
    refs: &'c Refs<'c, 's>,
    open: Vec<Look<'s>>,
    /// How large values are, by their address.
    sizes: BTreeMap<*const Value, usize>,
    /// Patterns, and none for those that the engine does not take.
    patterns: BTreeMap<&'s str, Option<Pattern>>,
}

impl<'c, 's> Work<'c, 's> {
    /// Nothing yet, of a schema with these references, and with so many steps to take.
    pub(super) fn new(refs: &'c Refs<'c, 's>, left: usize) -> Self {
        Self {
            left,
            faults: 0,
            copied: 0,
            has_large_pattern: false,
            refs,
            open: Vec::new(),
            sizes: BTreeMap::new(),
            patterns: BTreeMap::new(),
        }
    }

    /// Counts what it takes to make so many schemas ready.
    pub(super) fn compile(&mut self, schemas: usize) {
        self.spend(schemas.saturating_mul(LOOK));
    }

    /// Counts what it takes to make the patterns of a schema ready.
    pub(super) fn compile_patterns(&mut self, schema: &'s Value) {
        let keyed = schema.get("patternProperties").and_then(Value::as_object);
        let own = schema.get("pattern").and_then(Value::as_str);
        for pattern in keyed.into_iter().flat_map(Map::keys).map(String::as_str).chain(own) {
            if self.patterns.contains_key(pattern) {
                continue;
            }
            self.spend(pattern.len().saturating_mul(PARSE));
            if self.left == 0 {
                return;
            }
            let ready = match Pattern::new(pattern) {
                Ok((ready, bytes)) => {
                    self.spend(bytes.saturating_mul(COMPILE));
                    Some(ready)
                }
                Err(why) => {
                    self.has_large_pattern |= matches!(why, Unready::TooLarge);
                    None
                }
            };
            self.patterns.insert(pattern, ready);
        }
    }

    /// Counts what it takes to hold `value` against `schema`, as far as there are steps for.
    pub(super) fn count(&mut self, schema: &'s Value, value: &'s Value) {
        let first = Look { schema, value, times: 1, asked: 1, faults: Faults::Listed };
        self.open(first, [(schema, value)]);
        while let Some(look) = self.open.pop().filter(|_| self.left > 0) {
            match look.schema {
                Value::Object(keywords) => self.look(look, keywords),
                Value::Bool(false) => self.fail(look, 1),
                _ => {}
            }
        }
    }

    fn look(&mut self, look: Look<'s>, keywords: &'s Map<String, Value>) {
        let left_over = LEFT_OVER.into_iter().map(|keyword| u32::from(keywords.contains_key(keyword))).sum();
        for (keyword, inner) in keywords {
            self.spend_for(look, 1);
            let below = look.below(keyword, left_over);
            if let Some(reference) = inner.as_str().filter(|_| is_reference(keyword)) {
                self.spend_for(look, reference.len());
                self.open(below, leads_to(reference, self.refs).map(|target| (target, look.value)));
            } else if SAME.contains(&keyword.as_str()) {
                self.open(below, held(keyword, inner).map(|schema| (schema, look.value)));
            } else if EVERY.contains(&keyword.as_str()) {
                let seen = |schema| seen(keyword, keywords, look.value).map(move |value| (schema, value));
                self.open(below, held(keyword, inner).flat_map(seen));
            }
            self.look_at_any(look, keyword, inner);
            match look.value {
                Value::Object(members) => self.look_at_object(look, keywords, (keyword, inner), members),
                Value::Array(_) => self.look_at_array(look, keyword),
                Value::String(text) => self.look_at_text(look, (keyword, inner), text),
                Value::Number(_) if is_for_numbers(keyword) => self.fail(look, 1),
                _ => {}
            }
        }
    }

    /// What a keyword does with a value of any kind.
    fn look_at_any(&mut self, look: Look<'s>, keyword: &str, inner: &'s Value) {
        match keyword {
            "type" => {
                self.spend_for(look, inner.as_array().map_or(0, Vec::len));
                self.fail(look, usize::from(!is_of(look.value, inner)));
            }
            "anyOf" | "oneOf" => self.fail(look, 1),
            "enum" | "const" => {
                let size = self.size(inner);
                self.spend_for(look, size.div_ceil(2));
                self.fail(look, 1);
            }
            "not" => {
                let size = self.size(inner);
                self.fail_with(look, 1, size);
            }
            _ => {}
        }
    }

    /// What a keyword does with a text.
    fn look_at_text(&mut self, look: Look<'s>, (keyword, inner): (&str, &'s Value), text: &str) {
        match keyword {
            "minLength" | "maxLength" => self.spend_for(look, text.len()),
            "pattern" => self.spend_for_match(look, inner.as_str().unwrap_or_default(), text),
            _ => return,
        }
        self.fail(look, 1);
    }

    /// What a keyword does with a list.
    fn look_at_array(&mut self, look: Look<'s>, keyword: &str) {
        match keyword {
            "uniqueItems" => {
                let size = self.size(look.value);
                self.spend_for(look, size);
                self.fail(look, 1);
            }
            "unevaluatedItems" => {
                let size = self.size(look.value);
                self.fail_with(look, 1, size);
            }
            "minItems" | "maxItems" | "contains" => self.fail(look, 1),
            _ => {}
        }
    }

    /// What a keyword does with an object.
    fn look_at_object(
        &mut self,
        look: Look<'s>,
        keywords: &'s Map<String, Value>,
        (keyword, inner): (&str, &'s Value),
        members: &'s Map<String, Value>,
    ) {
        match keyword {
            "properties" => {
                let Some(named) = inner.as_object() else { return };
                let below = look.below(keyword, 0);
                self.spend_for(look, named.len().min(members.len()));
                if named.len() < members.len() {
                    self.open(below, named.iter().filter_map(|(name, schema)| Some((schema, members.get(name)?))));
                } else {
                    self.open(below, members.iter().filter_map(|(name, value)| Some((named.get(name)?, value))));
                }
            }
            "required" => {
                let required = inner.as_array().map_or(&[][..], Vec::as_slice);
                self.spend_for(look, required.len());
                let is_missing = |name: &&Value| name.as_str().is_some_and(|name| !members.contains_key(name));
                self.fail(look, required.iter().filter(is_missing).count());
            }
            "dependentRequired" | "dependencies" => {
                let size = self.size(inner);
                self.spend_for(look, size);
                self.fail(look, size);
            }
            "patternProperties" => {
                for pattern in inner.as_object().into_iter().flat_map(Map::keys) {
                    members.keys().for_each(|name| self.spend_for_match(look, pattern, name));
                }
            }
            "propertyNames" => {
                let size = self.size(inner).saturating_mul(LOOK);
                self.spend_for(look, size.saturating_mul(members.len()));
                self.fail(look, members.len());
            }
            "additionalProperties" | "unevaluatedProperties" if *inner != Value::Bool(true) => {
                self.spend_for(look, members.len());
                let named = keywords.get("properties").and_then(Value::as_object);
                let is_over = |name: &&String| named.is_none_or(|named| !named.contains_key(*name));
                let over = members.keys().filter(is_over).count();
                self.fail_with(look, over.min(1), over);
                if look.faults == Faults::Listed {
                    self.faults = self.faults.saturating_add(over.saturating_mul(MEMBER));
                }
            }
            "minProperties" | "maxProperties" => self.fail(look, 1),
            _ => {}
        }
    }

    /// Adds looks that are to be done, as many as there are steps for.
    fn open(&mut self, like: Look<'s>, looks: impl IntoIterator<Item = (&'s Value, &'s Value)>) {
        for (schema, value) in looks {
            self.spend_for(like, LOOK);
            if self.left == 0 {
                return;
            }
            self.open.push(Look { schema, value, ..like });
        }
    }

    fn spend(&mut self, steps: usize) {
        self.left = self.left.saturating_sub(steps);
    }

    fn spend_for(&mut self, look: Look<'_>, steps: usize) {
        let repeated = look.times.saturating_mul(u32::from(look.asked));
        self.spend(steps.saturating_mul(usize::try_from(repeated).unwrap_or(usize::MAX)));
    }

    fn spend_for_match(&mut self, look: Look<'_>, pattern: &str, text: &str) {
        if self.left == 0 {
            return;
        }
        let ready = self.patterns.get_mut(pattern).and_then(Option::as_mut);
        let steps = ready.map_or(text.len().saturating_mul(FOREIGN), |ready| ready.steps(text));
        self.spend_for(look, steps);
    }

    fn fail(&mut self, look: Look<'s>, faults: usize) {
        self.fail_with(look, faults, 0);
    }

    /// Counts faults that hold so much each of their own.
    fn fail_with(&mut self, look: Look<'s>, faults: usize, own: usize) {
        if faults == 0 || look.faults == Faults::Dropped {
            return;
        }
        let value = if look.faults == Faults::Copied { self.size(look.value) } else { 0 };
        self.faults = self.faults.saturating_add(faults);
        self.copied = self.copied.saturating_add(own).saturating_add(value.saturating_mul(faults));
    }

    /// How large a value is: the values in it, and its text.
    fn size(&mut self, value: &'s Value) -> usize {
        if !matches!(value, Value::Array(_) | Value::Object(_)) {
            return size(value);
        }
        if let Some(known) = self.sizes.get(&std::ptr::from_ref(value)) {
            return *known;
        }
        let size = size(value);
        self.spend(size);
        self.sizes.insert(value, size);
        size
    }
}

/// The items or members of a value that a keyword looks at.
fn seen<'s>(
    keyword: &str,
    keywords: &'s Map<String, Value>,
    value: &'s Value,
) -> impl Iterator<Item = &'s Value> + use<'s> {
    let (items, members) = match value {
        Value::Array(items) if !keyword.ends_with("Properties") => (Some(items), None),
        Value::Object(members) if keyword.ends_with("Properties") => (None, Some(members)),
        _ => (None, None),
    };
    let named = keywords.get("properties").and_then(Value::as_object).filter(|_| keyword == "additionalProperties");
    let is_over = move |(name, _): &(&String, &Value)| named.is_none_or(|named| !named.contains_key(*name));
    let members = members.into_iter().flatten().filter(is_over).map(|(_, value)| value);
    items.into_iter().flatten().chain(members)
}

fn is_for_numbers(keyword: &str) -> bool {
    matches!(keyword, "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf")
}

/// Whether a value is surely of this type, or one of these.
fn is_of(value: &Value, types: &Value) -> bool {
    let is = |name: &Value| match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::Number(number) => name == "number" || name == "integer" && (number.is_i64() || number.is_u64()),
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
    };
    types.as_array().map_or_else(|| is(types), |types| types.iter().any(is))
}

/// The schemas that a keyword holds: those of its items or members, or itself.
fn held<'s>(keyword: &str, value: &'s Value) -> impl Iterator<Item = &'s Value> {
    let named = matches!(keyword, "dependentSchemas" | "dependencies" | "patternProperties");
    let own = Some(value).filter(|value| value.is_object() && !named);
    let parts = Some(value).filter(|_| own.is_none());
    own.into_iter().chain(parts.into_iter().flat_map(members))
}
