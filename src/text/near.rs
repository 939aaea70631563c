//! Words that are nearly another: what a mistyped name was meant to be.

/// The nearest of `known` to a mistyped `word`, if one is near enough to be meant.
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let bound = word.chars().count() / 3 + 1;
    known
        .into_iter()
        .map(|candidate| (edits(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= bound)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Single-letter edits between two words: insert, delete, replace, swap of neighbours.
pub fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    let mut previous = None;
    for (i, letter) in from.chars().enumerate() {
        let mut next = vec![i + 1];
        for (j, other) in to.iter().enumerate() {
            let cell = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX / 2);
            let replaced = cell(&row, j) + usize::from(letter != *other);
            let mut best = replaced.min(cell(&row, j + 1) + 1).min(cell(&next, j) + 1);
            let swaps = j > 0 && previous == Some(*other) && to.get(j - 1) == Some(&letter);
            if swaps {
                best = best.min(cell(&before, j - 1) + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
        previous = Some(letter);
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(nearest("severty", ["severity", "budgets"]), Some("severity"));
        assert_eq!(nearest("zzz", ["severity", "budgets"]), None);
    }
}
