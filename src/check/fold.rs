//! Faults of a result that are one: the same in each row of a table.

use std::collections::BTreeMap;

use super::schema::Failure;

/// Each fault once, with the number of its rows: the same members, whatever the position in their lists.
pub(super) fn by_row(failures: impl IntoIterator<Item = Failure>) -> Vec<(Failure, usize)> {
    let mut seen: BTreeMap<(Vec<String>, String), usize> = BTreeMap::new();
    let mut folded: Vec<(Failure, usize)> = Vec::new();
    for failure in failures {
        let is_position = |step: &String| !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
        let members = failure.at.steps().map(|step| if is_position(&step) { "*".to_owned() } else { step }).collect();
        let position = *seen.entry((members, failure.expected.clone())).or_insert(folded.len());
        match folded.get_mut(position) {
            Some((_, rows)) => *rows += 1,
            None => folded.push((failure, 1)),
        }
    }
    folded
}
