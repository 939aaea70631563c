//! What stands between the targets of one run: a host that connects them all shows their tools to one model.

use super::Outcome;

/// What stands between several targets.
#[derive(Clone, Debug)]
pub struct Across {
    /// All tools.
    pub tools: u64,
    /// Tokens of all payloads, o200k_base.
    pub tokens: u64,
    /// The target with the most tokens, and how many.
    pub dearest: Option<(String, u64)>,
    /// What the rules said of all together.
    pub outcome: Outcome,
}

impl Across {
    /// Sums up the outcomes of one run, beside what the rules said of all together.
    pub fn of(outcomes: &[Outcome], outcome: Outcome) -> Self {
        let costs: Vec<(&str, u64)> = outcomes
            .iter()
            .filter(|outcome| !outcome.surface.tools.is_empty())
            .filter_map(|outcome| Some((outcome.surface.target.as_str(), outcome.measures.number("payload.o200k")?)))
            .collect();
        // Of equally dear ones the first.
        let dearest = costs.iter().rev().max_by_key(|(_, tokens)| *tokens);
        Self {
            tools: outcomes.iter().map(|outcome| outcome.surface.tools.len() as u64).sum(),
            tokens: costs.iter().map(|(_, tokens)| tokens).sum(),
            dearest: dearest.map(|(target, tokens)| ((*target).to_owned(), *tokens)),
            outcome,
        }
    }
}
