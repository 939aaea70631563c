//! What a pattern of the audited server costs. The engine is linear in the text, but where no small automaton does, each
//! byte costs as much as the pattern is large.

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{self, NFA, WhichCaptures};
use regex_automata::{Anchored, Input};

/// Bytes that a pattern may take when compiled: the engine's own bound.
const MOST_BYTES: usize = 10 << 20;
/// Bytes of text that a state of the automaton must be good for once the cache was cleared a few times.
const BYTES_PER_STATE: usize = 100;

/// A pattern made ready for trial.
pub(super) struct Pattern {
    forward: (DFA, Cache),
    backward: (DFA, Cache),
    states: usize,
}

/// Why a pattern is not ready.
pub(super) enum Unready {
    /// It takes too many bytes when compiled.
    TooLarge,
    /// It is none for this engine.
    Foreign,
}

impl Pattern {
    /// Compiles a pattern, and says how many bytes that took.
    pub(super) fn new(pattern: &str) -> Result<(Self, usize), Unready> {
        let forward = nfa(pattern, false)?;
        let (states, bytes) = (forward.states().len(), forward.memory_usage());
        let backward = automaton(nfa(pattern, true)?)?;
        Ok((Self { forward: automaton(forward)?, backward, states }, bytes))
    }

    /// The steps that it takes to match a text.
    pub(super) fn steps(&mut self, text: &str) -> usize {
        let Self { forward: (forward, there), backward: (backward, back), states } = self;
        let is_quick = forward.try_search_fwd(there, &Input::new(text).earliest(true)).is_ok()
            && backward.try_search_rev(back, &Input::new(text).anchored(Anchored::Yes)).is_ok();
        text.len().saturating_mul(if is_quick { 1 } else { *states })
    }
}

fn nfa(pattern: &str, reverse: bool) -> Result<NFA, Unready> {
    let config = thompson::Config::new().nfa_size_limit(Some(MOST_BYTES)).which_captures(WhichCaptures::None);
    let pattern = jsonschema_regex::to_rust_regex(pattern).map_err(|()| Unready::Foreign)?;
    let nfa = NFA::compiler().configure(config.reverse(reverse)).build(&pattern);
    nfa.map_err(|error| if error.size_limit().is_some() { Unready::TooLarge } else { Unready::Foreign })
}

fn automaton(nfa: NFA) -> Result<(DFA, Cache), Unready> {
    let config = DFA::config()
        .unicode_word_boundary(true)
        .skip_cache_capacity_check(true)
        .minimum_cache_clear_count(Some(3))
        .minimum_bytes_per_state(Some(BYTES_PER_STATE));
    let dfa = DFA::builder().configure(config).build_from_nfa(nfa).map_err(|_| Unready::Foreign)?;
    let cache = dfa.create_cache();
    Ok((dfa, cache))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(pattern: &str, text: &str) -> usize {
        Pattern::new(pattern).map(|(mut pattern, _)| pattern.steps(text)).unwrap_or_default()
    }

    #[test]
    fn what_needs_no_small_automaton_costs_more() {
        let mut mixed = 1_u64;
        let mut letter = || {
            mixed = mixed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            if mixed >> 63 == 0 { 'a' } else { 'b' }
        };
        let text: String = (0..50_000).map(|_| letter()).collect();
        for honest in ["^[a-z]+$", r"^\w{1,64}$", "a.*b", "^(a+)+$", r"\bab\b", "^[0-9a-f]{8}-[0-9a-f]{4}$"] {
            assert_eq!(steps(honest, &text), 50_000, "{honest}");
        }
        for hostile in ["a[ab]{500}[cd].*[ef]", "^.*[ab]{500}a[ab]{500}c"] {
            assert!(steps(hostile, &text) > 20_000_000, "{hostile}");
        }
    }

    #[test]
    fn patterns_that_are_not_compiled() {
        assert!(matches!(Pattern::new("((a{1000}){1000}){1000}"), Err(Unready::TooLarge)));
        assert!(matches!(Pattern::new("^(?!x)"), Err(Unready::Foreign)));
        let (_, bytes) = Pattern::new("^[a-z]{3}$").ok().unwrap();
        assert!((100..10_000).contains(&bytes), "{bytes}");
    }
}
