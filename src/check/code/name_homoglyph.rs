//! Names that look like another name, or like plain letters, but hold letters of another script.
//!
//! What looks alike is told by the skeletons of Unicode Technical Standard 39.

use std::collections::{BTreeMap, BTreeSet};

use unicode_security::{MixedScript as _, confusable_detection::skeleton};

use crate::check::{Context, Hit};
use crate::text::pointer::Pointer;

/// Letters that are named in a finding.
const SHOWN: usize = 4;
/// Bytes of a name that are looked at: a longer one is a fault of its own.
const LONGEST: usize = 1024;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    // `rn` looks like `m` and `1` like `l`: a skeleton alone would join plain names, so one of a group is not plain.
    let odd: BTreeSet<String> = names(cx).filter(|(_, name)| !name.is_ascii()).map(|(_, name)| bones(name)).collect();
    let mut groups: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
    if odd.is_empty() {
        return Vec::new();
    }
    for (n, name) in names(cx) {
        let bones = bones(name);
        if odd.contains(&bones) {
            groups.entry(bones).or_default().entry(name).or_insert(n);
        }
    }
    groups.into_values().filter_map(|group| hit(&group)).collect()
}

fn names<'c>(cx: &'c Context<'_>) -> impl Iterator<Item = (usize, &'c str)> {
    cx.tools().filter_map(|(n, tool)| Some((n, tool.name().filter(|name| name.len() <= LONGEST)?)))
}

fn bones(name: &str) -> String {
    skeleton(name).collect()
}

fn hit(names: &BTreeMap<&str, usize>) -> Option<Hit> {
    let later = names.values().max()?;
    let alone = names.len() == 1;
    if alone && !names.keys().any(|name| disguised(name)) {
        return None;
    }
    let letters: BTreeSet<char> = names.keys().flat_map(|name| name.chars()).filter(|one| !one.is_ascii()).collect();
    let letters = letters.into_iter().filter_map(|letter| {
        let plain = bones(letter.encode_utf8(&mut [0; 4]));
        (!plain.is_empty() && !plain.contains(letter)).then(|| format!("U+{:04X} for {plain}", u32::from(letter)))
    });
    let found: Vec<String> = letters.take(SHOWN).collect();
    let found = if found.is_empty() { "no letter of its own".to_owned() } else { found.join(", ") };
    let listed: Vec<&str> = names.keys().copied().collect();
    let joined = listed.join(", ");
    let hit = Hit::tool(*later, Pointer::root().key("name")).fact("tools", listed).fact("value", joined);
    Some(hit.fact("found", found).weaker_if(alone).also(names.values().copied()))
}

/// Whether a word of this name is written in Latin letters and in others that each look like a Latin one.
fn disguised(name: &str) -> bool {
    name.split(|letter: char| !letter.is_alphabetic()).any(|word| {
        let plain = |letter: char| {
            let bones = bones(letter.encode_utf8(&mut [0; 4]));
            bones.chars().all(|one| one.is_ascii_alphabetic())
        };
        let has_latin = word.contains(|letter: char| letter.is_ascii_alphabetic());
        has_latin && !word.is_single_script() && word.chars().filter(|letter| !letter.is_ascii()).all(plain)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Settings;
    use crate::input::dump;
    use crate::measure::Measures;

    fn told(names: &[&str]) -> Vec<(bool, usize, String)> {
        let tools: Vec<String> = names.iter().map(|name| serde_json::json!({ "name": name }).to_string()).collect();
        let surface = dump::read("t", "t", format!("[{}]", tools.join(",")).as_bytes()).unwrap().surface;
        let (measures, settings) = (Measures::default(), Settings::default());
        let hits = check(&Context::new(&surface, &measures, &settings));
        hits.iter().map(|hit| (hit.weaker, hit.also.len(), hit.facts["found"].as_str().unwrap().to_owned())).collect()
    }

    #[test]
    fn look_alikes() {
        assert_eq!(told(&["get_stop", "g\u{435}t_stop"]), [(false, 2, "U+0435 for e".to_owned())]);
        assert_eq!(told(&["g\u{435}t_stop"]), [(true, 1, "U+0435 for e".to_owned())]);
        // Wholly in another script, but one of the list looks the same in Latin.
        assert_eq!(told(&["pace", "\u{440}\u{430}\u{441}\u{435}"]).len(), 1);
    }

    #[test]
    fn what_is_written_as_it_should_be() {
        for names in [
            &["corn", "com", "v1", "vl", "I", "l"][..],
            &["получить_рейс", "найти_рейс", "рейс"],
            &["größe_messen", "grosse_messen", "café", "cafe"],
            &["\u{3b1}_curve", "\u{3bc}_meter", "查找_file", "ファイル_read"],
        ] {
            assert_eq!(told(names), [], "{names:?}");
        }
    }
}
