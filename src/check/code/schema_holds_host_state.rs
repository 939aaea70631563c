//! Clock values and folders of the machine that got into a definition.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use crate::check::strings::{Step, place, walk};
use crate::check::{Context, Hit};

/// A moment with a second or a part of it, as only a clock writes it.
static CLOCK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^20\d\d-\d\d-\d\d[T ]\d\d:\d\d:(?:\d\d[.,]\d{3,}|[0-5][1-9]|[1-5]0)(?:Z|[+-]\d\d:?\d\d)?$").ok()
});
/// A moment that somebody chose: the last second of a day, and parts that are all nought or nine.
static CHOSEN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"23:59:59|(?:00:00|:00)[.,]0+(?:Z|[+-]|$)|12:34:56").ok());
/// A folder of a person.
static HOME: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(?:/(?:home|Users)/([\w.-]+)|[A-Z]:[\\/]+Users[\\/]+([\w.-]+))(?:[\\/]|$)").ok());
/// A text that tells where the server runs or what day it is.
static TOLD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:current(?:ly)?|allowed|mounted|configured|accessible|default) (?:working |project |mounted )?(?:director(?:y|ies)|folders?|paths?|roots?|workspace)(?: (?:is|are))?: *[`\x22']?((?:/(?:home|Users|root|mnt|tmp|srv|private|var/folders)(?:/[\w.-]+)*|[A-Z]:\\Users\\[\w.-]+))|\b(?:today(?:'s date)?|(?:the )?current (?:date|time|datetime)|server time)(?: is|:| is:) *[`\x22']?(20\d\d-\d\d-\d\d)",
    )
    .ok()
});

/// Names of people in examples.
const ANYBODY: [&str; 29] = [
    "alice",
    "bob",
    "dev",
    "developer",
    "example",
    "foo",
    "jane",
    "janedoe",
    "jdoe",
    "joe",
    "john",
    "johndoe",
    "me",
    "my",
    "myname",
    "myuser",
    "name",
    "node",
    "public",
    "runner",
    "shared",
    "someone",
    "test",
    "ubuntu",
    "user",
    "user1",
    "username",
    "you",
    "yourname",
];

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (n, tool) in cx.tools() {
        let Some(members) = tool.value.as_object() else { continue };
        for (name, value) in members.iter().filter(|(name, _)| matches!(name.as_str(), "description" | "inputSchema")) {
            walk(value, &mut vec![Step::Member(name)], &mut |steps, text| {
                hits.extend(found(steps, text).map(|value| Hit::tool(n, place(steps)).fact("value", value)));
            });
        }
        // Numbers are no strings: a second counted from 1970, in the default of a time.
        for input in cx.schemas_of(n).iter().filter(|schema| schema.is_input) {
            for node in &input.nodes {
                let moment = node.value.get("default").and_then(Value::as_u64).filter(|moment| is_moment(*moment));
                let timely = node.name.is_some_and(is_time);
                if let Some(moment) = moment.filter(|_| timely) {
                    hits.push(Hit::tool(n, node.at.key("default")).fact("value", moment.to_string()));
                }
            }
        }
    }
    hits
}

/// The state that a text holds, if any.
fn found(steps: &[Step<'_>], text: &str) -> Option<String> {
    match steps.last()? {
        Step::Member("default" | "const") => {
            let matches = |form: &LazyLock<Option<Regex>>| form.as_ref().is_some_and(|form| form.is_match(text));
            (matches(&CLOCK) && !matches(&CHOSEN) || is_home(text)).then(|| text.to_owned())
        }
        Step::Member("description") => {
            // Behind "e.g." stands nobody's folder.
            let told = TOLD.as_ref()?.captures(text)?;
            let start = told.get(0)?.start();
            let value = told.get(1).or_else(|| told.get(2))?.as_str();
            let before = text.get(..start)?.trim_end().to_lowercase();
            let example = before.ends_with("e.g.") || before.ends_with("example:") || before.ends_with("(e.g.,");
            (!example && !is_anybody(value)).then(|| value.to_owned())
        }
        _ => None,
    }
}

fn is_home(text: &str) -> bool {
    HOME.as_ref().is_some_and(|form| form.is_match(text)) && !is_anybody(text)
}

/// Whether a path is that of a person in an example.
fn is_anybody(text: &str) -> bool {
    let owner =
        HOME.as_ref().and_then(|form| form.captures(text)).and_then(|found| found.get(1).or_else(|| found.get(2)));
    owner.is_some_and(|owner| {
        let name = owner.as_str().to_lowercase();
        ANYBODY.contains(&name.as_str()) || name.starts_with("your")
    })
}

/// Whether a number is a moment of these years, and no round one.
fn is_moment(number: u64) -> bool {
    let seconds = if number > 1_000_000_000_000 { number / 1_000 } else { number };
    (1_700_000_000..2_000_000_000).contains(&seconds) && !number.is_multiple_of(100)
}

fn is_time(name: &str) -> bool {
    let lower = name.to_lowercase();
    ["time", "since", "until", "start", "end", "date", "from", "to", "before", "after"]
        .into_iter()
        .any(|word| lower.ends_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_and_examples() {
        let value = |text| found(&[Step::Member("default")], text);
        let told = |text| found(&[Step::Member("description")], text);
        for text in
            ["2026-10-31T18:28:08.447Z", "2026-10-31T18:28:08Z", "/home/mreyes/boats", "C:\\Users\\mreyes\\boats"]
        {
            assert!(value(text).is_some(), "{text}");
        }
        for text in [
            "2024-01-01T00:00:00Z",
            "2024-01-01T00:00:00.000Z",
            "2024-12-31T23:59:59.999Z",
            "2024-01-01",
            "/home/user/a",
            "/etc/hosts",
            "/",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
        for text in [
            "Reads a chart. Allowed directories: /mnt/charts, /home/mreyes",
            "Today is 2026-11-30.",
            "Current date: 2026-11-30",
        ] {
            assert!(told(text).is_some(), "{text}");
        }
        for text in [
            "A path, for example /home/mreyes/a.txt.",
            "Working directory, e.g. /home/user/boats",
            "Defaults to today.",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
        assert!(is_moment(1_796_012_345) && !is_moment(1_796_000_000) && !is_moment(30));
    }
}
