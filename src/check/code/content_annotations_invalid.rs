//! Annotations of blocks of content in a form that the schema does not know.

use serde_json::Value;

use super::super::{Context, Hit, fold, schema::Failure};
use crate::surface::assemble::kind_of;
use crate::text::{pointer::Pointer, safe};

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for call in cx.surface.calls() {
        let Some(result) = call.done() else { continue };
        for (failure, occurrences) in fold::by_row(failures(result)) {
            let found = failure.at.find(result).map_or_else(String::new, |value| match value {
                Value::String(_) | Value::Number(_) => safe::clip(&value.to_string(), 40),
                other => kind_of(other).to_owned(),
            });
            let hit = Hit::tool(call.tool, failure.at).fact("found", found).fact("expected", failure.expected);
            hits.push(hit.fact("occurrences", occurrences));
        }
    }
    hits
}

fn failures(result: &Value) -> Vec<Failure> {
    let blocks = result.get("content").and_then(Value::as_array).into_iter().flatten().enumerate();
    let content = Pointer::root().key("content");
    let annotated = blocks.filter_map(|(i, block)| {
        let annotations = block.get("annotations")?;
        Some((content.index(i).key("annotations"), annotations))
    });
    annotated.flat_map(|(at, annotations)| faults(&at, annotations)).collect()
}

fn faults(at: &Pointer, annotations: &Value) -> Vec<Failure> {
    let fault = |at: Pointer, expected: &str| Failure { at, keyword: String::new(), expected: expected.to_owned() };
    let Value::Object(members) = annotations else { return vec![fault(at.clone(), "an object")] };
    let mut faults = Vec::new();
    match members.get("audience") {
        Some(Value::Array(roles)) => {
            let wrong = roles.iter().enumerate().filter(|(_, role)| *role != "user" && *role != "assistant");
            faults.extend(wrong.map(|(i, _)| fault(at.key("audience").index(i), "\"user\" or \"assistant\"")));
        }
        Some(_) => faults.push(fault(at.key("audience"), "an array")),
        None => {}
    }
    if members.get("priority").is_some_and(|value| !value.as_f64().is_some_and(|value| (0.0..=1.0).contains(&value))) {
        faults.push(fault(at.key("priority"), "a number from 0 to 1"));
    }
    if members.get("lastModified").is_some_and(|value| !value.as_str().is_some_and(is_date)) {
        faults.push(fault(at.key("lastModified"), "a date in the form of ISO 8601"));
    }
    faults
}

/// Whether a text begins as an extended date of ISO 8601 does, alone or before a time.
fn is_date(text: &str) -> bool {
    let (date, time) = text.split_once(['T', 't', ' ']).map_or((text, None), |(date, time)| (date, Some(time)));
    let parts: Vec<&str> = date.split('-').collect();
    let digits = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let is_day = parts.iter().all(digits) && lengths == [4, 2, 2];
    is_day && time.is_none_or(|time| time.starts_with(|letter: char| letter.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for text in ["2026-11-30", "2026-11-30T08:00:00Z", "2026-11-30T08:00:00.5+01:00"] {
            assert!(is_date(text), "{text}");
        }
        for text in ["", "yesterday", "30.11.2026", "1764489600", "2026-11", "Mon, 30 Nov 2026 08:00:00 GMT"] {
            assert!(!is_date(text), "{text}");
        }
    }
}
