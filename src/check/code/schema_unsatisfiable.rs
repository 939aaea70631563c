//! Demands of one schema that exclude each other. What stands below `not` or `if` is meant to fail at times, and is left
//! alone.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::super::{
    Context, Hit,
    values::{are_same, in_words, is_of, types},
};
use super::schema_enum_type_mismatch::none_fits;
use crate::surface::schema::holders;
use crate::text::safe;

/// Beyond this amount doubles do not tell neighbours apart.
const SAFE: f64 = 9_007_199_254_740_991.0;
/// Lower and upper bounds of a size, with the type that they speak of.
const SIZES: [(&str, &str, &str); 4] = [
    ("minLength", "maxLength", "string"),
    ("minItems", "maxItems", "array"),
    ("minContains", "maxContains", "array"),
    ("minProperties", "maxProperties", "object"),
];
/// Types that numbers have.
const NUMBERS: [&str; 2] = ["integer", "number"];
/// Names that are told of a contradiction.
const MOST_CHARS: usize = 40;

/// Two demands that exclude each other: in words, and the types whose values they rule out; all of them when empty.
struct Clash(String, &'static [&'static str]);

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for schema in cx.schemas() {
        let mut asked = Vec::with_capacity(schema.nodes.len());
        for (node, holder) in schema.nodes.iter().zip(holders(&schema.nodes)) {
            let is_asked = matches!(node.under, "not" | "if")
                || holder.is_some_and(|holder| asked.get(holder).copied().unwrap_or_default());
            asked.push(is_asked);
            let Value::Object(members) = node.value else { continue };
            let Some(Clash(found, of)) = (!is_asked).then(|| clash(node.value, members)).flatten() else { continue };
            let is_all = of.is_empty() || types(node.value).is_some_and(|own| own.iter().all(|name| of.contains(name)));
            hits.push(Hit::tool(schema.tool, node.at.clone()).fact("found", found).weaker_if(!is_all));
        }
    }
    hits
}

fn clash(schema: &Value, members: &Map<String, Value>) -> Option<Clash> {
    const ANY: &[&str] = &[];
    listed(schema, members)
        .map(|found| Clash(found, ANY))
        .or_else(|| numbers(schema, members).map(|found| Clash(found, &NUMBERS)))
        .or_else(|| sizes(members))
        .or_else(|| objects(members).map(|found| Clash(found, &["object"])))
}

/// A list of values, or the only one, that the rest of the schema excludes.
fn listed(schema: &Value, members: &Map<String, Value>) -> Option<String> {
    let told = |value: &Value| safe::clip(&value.to_string(), MOST_CHARS);
    let values = members.get("enum").and_then(Value::as_array);
    if values.is_some_and(Vec::is_empty) {
        return Some("enum lists no value".to_owned());
    }
    let allows = |value: &Value| is_within(members, value);
    if let Some(only) = members.get("const") {
        if let Some(types) = types(schema).filter(|types| !is_of(only, types)) {
            return Some(format!("const {} with type {}", told(only), in_words(&types)));
        }
        if values.is_some_and(|values| !values.iter().any(|value| are_same(value, only))) {
            return Some(format!("const {}, which the enum does not list", told(only)));
        }
        return (!allows(only)).then(|| format!("const {} outside the bounds beside it", told(only)));
    }
    let values = values?;
    let types = types(schema);
    let is_open = |value: &Value| types.as_ref().is_none_or(|types| is_of(value, types)) && allows(value);
    let none = !values.iter().any(is_open) && !none_fits(schema);
    none.then(|| "an enum with all values outside the bounds beside it".to_owned())
}

/// Whether a value is within the bounds that speak of its kind.
fn is_within(members: &Map<String, Value>, value: &Value) -> bool {
    let bound = |keyword: &str| members.get(keyword).and_then(Value::as_f64);
    match value {
        Value::Number(number) => number.as_f64().is_none_or(|number| {
            bound("minimum").is_none_or(|low| number >= low)
                && bound("maximum").is_none_or(|high| number <= high)
                && bound("exclusiveMinimum").is_none_or(|low| number > low || low.abs() > SAFE)
                && bound("exclusiveMaximum").is_none_or(|high| number < high || high.abs() > SAFE)
        }),
        Value::String(text) => {
            let length = text.chars().count() as f64;
            bound("minLength").is_none_or(|low| length >= low) && bound("maxLength").is_none_or(|high| length <= high)
        }
        _ => true,
    }
}

/// A bound of numbers.
#[derive(Clone, Copy)]
struct Bound<'s> {
    keyword: &'static str,
    text: &'s Value,
    value: f64,
    exclusive: bool,
}

/// Bounds that leave no number, or no whole one where only those are asked for.
fn numbers(schema: &Value, members: &Map<String, Value>) -> Option<String> {
    let bound = |keyword: &'static str, exclusive: bool| {
        let text = members.get(keyword).filter(|value| value.is_number())?;
        Some(Bound { keyword, text, value: text.as_f64()?, exclusive })
    };
    // Of two bounds on one side the stricter holds; at the same amount that is the exclusive one.
    let lows = [bound("minimum", false), bound("exclusiveMinimum", true)].into_iter().flatten();
    let highs = [bound("maximum", false), bound("exclusiveMaximum", true)].into_iter().flatten();
    let low = lows.reduce(|one, other| if other.value >= one.value { other } else { one })?;
    let high = highs.reduce(|one, other| if other.value <= one.value { other } else { one })?;
    let told = |bound: Bound<'_>| format!("{} {}", bound.keyword, safe::clip(&bound.text.to_string(), 30));
    let are_safe = low.value.abs() <= SAFE && high.value.abs() <= SAFE;
    if low.value > high.value {
        return Some(format!("{} above {}", told(low), told(high)));
    }
    if low.value >= high.value && (low.exclusive || high.exclusive) && are_safe {
        return Some(format!("{} and {}", told(low), told(high)));
    }
    let whole = types(schema).is_some_and(|own| own.contains(&"integer") && !own.contains(&"number"));
    if !are_safe || !whole {
        return None;
    }
    let first = if low.exclusive { low.value.floor() + 1.0 } else { low.value.ceil() };
    let last = if high.exclusive { high.value.ceil() - 1.0 } else { high.value.floor() };
    if first > last {
        return Some(format!("no integer between {} and {}", told(low), told(high)));
    }
    let step = members.get("multipleOf").and_then(Value::as_f64).filter(|step| *step >= 1.0 && step.fract() == 0.0)?;
    let is_none = (first / step).ceil() * step > last;
    is_none.then(|| format!("no multiple of {step} between {} and {}", told(low), told(high)))
}

/// A lower bound of a size above the upper one.
fn sizes(members: &Map<String, Value>) -> Option<Clash> {
    SIZES.iter().find_map(|(low, high, of)| {
        let (least, most) = (members.get(*low)?.as_f64()?, members.get(*high)?.as_f64()?);
        let of: &'static [&'static str] = match *of {
            "string" => &["string"],
            "array" => &["array"],
            _ => &["object"],
        };
        // Without `contains` nothing is counted.
        let counts = *low != "minContains" || members.contains_key("contains");
        (least > most && counts).then(|| Clash(format!("{low} {least} above {high} {most}"), of))
    })
}

/// A member that must be there and must not, or fewer members than there must be.
fn objects(members: &Map<String, Value>) -> Option<String> {
    let properties = members.get("properties").and_then(Value::as_object);
    let required = members.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let required: BTreeSet<&str> = required.collect();
    let is_refused = |name: &&str| properties.is_some_and(|all| all.get(*name) == Some(&Value::Bool(false)));
    if let Some(name) = required.iter().copied().find(is_refused) {
        return Some(format!("{} is required, and its schema is false", safe::clip(name, MOST_CHARS)));
    }
    let most = members.get("maxProperties").and_then(Value::as_f64);
    let count = required.len() as f64;
    if let Some(most) = most.filter(|most| count > *most) {
        return Some(format!("{count} names in required and maxProperties {most}"));
    }
    let least = members.get("minProperties").and_then(Value::as_f64)?;
    let closed = members.get("additionalProperties") == Some(&Value::Bool(false));
    let listed = properties.map_or(0, Map::len);
    let few = closed && !members.contains_key("patternProperties") && (listed as f64) < least;
    few.then(|| format!("minProperties {least}, but only {listed} in closed properties"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{hits_on, place};
    use super::*;

    fn hits(schema: &str) -> Vec<String> {
        let said = |hit: &Hit| {
            let mark = if hit.weaker { "?" } else { "" };
            format!("{}{mark}: {}", place(hit), hit.facts["found"].as_str().unwrap())
        };
        hits_on(check, schema).iter().map(said).collect()
    }

    #[test]
    fn what_excludes_each_other() {
        for (schema, said) in [
            (r#"{"type":"integer","minimum":2000,"maximum":200}"#, ": minimum 2000 above maximum 200"),
            (r#"{"type":["number","null"],"minimum":2,"maximum":1}"#, "?: minimum 2 above maximum 1"),
            (r#"{"type":"number","exclusiveMinimum":5,"maximum":5}"#, ": exclusiveMinimum 5 and maximum 5"),
            (r#"{"type":"integer","minimum":1.2,"maximum":1.8}"#, ": no integer between minimum 1.2 and maximum 1.8"),
            (
                r#"{"type":"integer","exclusiveMinimum":1,"exclusiveMaximum":2}"#,
                ": no integer between exclusiveMinimum 1 and exclusiveMaximum 2",
            ),
            (
                r#"{"type":"integer","minimum":1,"maximum":4,"multipleOf":5}"#,
                ": no multiple of 5 between minimum 1 and maximum 4",
            ),
            (r#"{"type":"string","minLength":5,"maxLength":4}"#, ": minLength 5 above maxLength 4"),
            (r#"{"type":"array","items":{"enum":[]}}"#, "/items: enum lists no value"),
            (r#"{"type":"string","const":5}"#, ": const 5 with type string"),
            (r#"{"const":"a","enum":["b"]}"#, ": const \"a\", which the enum does not list"),
            (r#"{"const":5,"minimum":6}"#, ": const 5 outside the bounds beside it"),
            (
                r#"{"type":"integer","enum":[1,2],"minimum":3}"#,
                ": an enum with all values outside the bounds beside it",
            ),
            (
                r#"{"type":"object","properties":{"a":false},"required":["a"]}"#,
                ": a is required, and its schema is false",
            ),
            (
                r#"{"type":"object","properties":{"a":{}},"additionalProperties":false,"minProperties":2}"#,
                ": minProperties 2, but only 1 in closed properties",
            ),
            (
                r#"{"type":"object","required":["a","b"],"maxProperties":1}"#,
                ": 2 names in required and maxProperties 1",
            ),
        ] {
            assert_eq!(hits(schema), [said], "{schema}");
        }
    }

    #[test]
    fn what_leaves_a_value() {
        for schema in [
            r#"{"type":"integer","minimum":5,"maximum":5}"#,
            r#"{"type":"integer","exclusiveMinimum":1,"maximum":2}"#,
            r#"{"type":"number","minimum":1.2,"maximum":1.8}"#,
            r#"{"type":"integer","minimum":9223372036854775807,"exclusiveMaximum":9223372036854775808}"#,
            r#"{"type":"integer","minimum":0,"maximum":4,"multipleOf":5}"#,
            r#"{"type":"string","enum":[1,2]}"#,
            r#"{"type":"string","enum":[1,"a"],"minLength":1}"#,
            r#"{"not":{"enum":[]},"if":{"properties":{"a":{"const":1,"type":"string"}}}}"#,
            r#"{"type":"array","minContains":2,"maxContains":1}"#,
            r#"{"type":"number","minimum":5,"exclusiveMinimum":true,"maximum":5}"#,
            r#"{"properties":{"a":false,"b":{}},"required":["b"]}"#,
            r#"{"minLength":"5","maxLength":4}"#,
        ] {
            assert!(hits(schema).is_empty(), "{schema}: {:?}", hits(schema));
        }
    }
}
