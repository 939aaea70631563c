//! The merges within one piece: of all adjacent pairs of tokens that are a token together, the one of the lowest rank
//! becomes one, the leftmost first, until no pair is left.
//!
//! Apart, because the same answer is found in three ways, by length: a scan that is quadratic but has no overhead, a
//! heap that is never quadratic, and windows that let a megabyte without a word boundary cost little more than prose.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::table::Table;

/// Up to this length, looking through all pairs for the lowest is faster than keeping them ordered.
const SHORT: usize = 96;
/// From this length on, a piece is merged in windows. One heap for a megabyte would take twenty times as long as prose.
const WINDOW: usize = 512;
/// What a window sees beyond the tokens that are taken from it.
const OVERLAP: usize = 128;

/// The rank of a pair that is no token.
const NONE: u32 = u32::MAX;

/// Counts tokens in pieces, and keeps its working memory from one to the next.
pub(super) struct Merger {
    table: &'static Table,
    parts: Vec<Part>,
    nodes: Vec<Node>,
    heap: BinaryHeap<Reverse<(u32, usize)>>,
    /// Where the tokens end that the heap made last.
    ends: Vec<usize>,
}

/// A token of the scan: where it begins, and the rank of the pair that it forms with the next.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    rank: u32,
}

/// A token of the heap, at the index at which it begins.
#[derive(Clone, Copy)]
struct Node {
    previous: Option<usize>,
    /// Where the next token begins, and this one ends.
    next: usize,
    /// The rank of the pair that it forms with the next token.
    rank: u32,
}

impl Merger {
    pub(super) fn new(table: &'static Table) -> Self {
        Self { table, parts: Vec::new(), nodes: Vec::new(), heap: BinaryHeap::new(), ends: Vec::new() }
    }

    /// How many tokens a piece has.
    pub(super) fn count(&mut self, piece: &[u8]) -> usize {
        if piece.len() == 1 || self.table.rank(piece).is_some() {
            1
        } else if piece.len() <= SHORT {
            self.scan(piece)
        } else {
            let windows = self.windows(piece, WINDOW, OVERLAP);
            windows.unwrap_or_else(|| self.merge(piece))
        }
    }

    fn rank(&self, bytes: Option<&[u8]>) -> u32 {
        let rank = bytes.and_then(|bytes| self.table.rank(bytes));
        rank.unwrap_or(NONE)
    }

    /// The number of tokens of a short piece.
    fn scan(&mut self, piece: &[u8]) -> usize {
        let mut parts = std::mem::take(&mut self.parts);
        parts.clear();
        parts.extend((0..piece.len()).map(|start| Part { start, rank: self.rank(piece.get(start..start + 2)) }));
        while let Some((at, lowest)) = parts.iter().enumerate().min_by_key(|(_, part)| part.rank) {
            if lowest.rank == NONE {
                break;
            }
            parts.remove(at + 1);
            for at in [Some(at), at.checked_sub(1)].into_iter().flatten() {
                let rank = self.pair(piece, &parts, at);
                if let Some(part) = parts.get_mut(at) {
                    part.rank = rank;
                }
            }
        }
        self.parts = parts;
        self.parts.len()
    }

    /// The rank of the pair that a part forms with the next one.
    fn pair(&self, piece: &[u8], parts: &[Part], at: usize) -> u32 {
        let (Some(left), true) = (parts.get(at), at + 1 < parts.len()) else {
            return NONE;
        };
        let end = parts.get(at + 2).map_or(piece.len(), |part| part.start);
        self.rank(piece.get(left.start..end))
    }

    /// The number of tokens of a long piece, put together from windows; nothing, if the windows do not fit together.
    ///
    /// Why it is exact: a row of tokens is what the merges yield for a text if and only if each two neighbours are what
    /// they yield for the bytes of these two alone. For the first merge across a border would be the lowest and
    /// leftmost pair of the text, so of the two neighbours as well, and until then these two have merged in the same
    /// order as they do alone. A window begins with a whole token of the window before it and must find the same token
    /// there; then each two neighbours in the joint row stood side by side in one window. That the overlap is long
    /// enough is only likely, therefore it is checked.
    fn windows(&mut self, piece: &[u8], width: usize, overlap: usize) -> Option<usize> {
        let mut window = piece.get(..width)?;
        self.merge(window);
        let mut total = 0;
        let mut from = 0;
        while from + width < piece.len() {
            let taken = self.ends.partition_point(|&end| end + overlap <= width);
            let start = *self.ends.get(taken.checked_sub(1)?)?;
            let end = *self.ends.get(taken)?;
            total += taken;
            from += start;
            let next = piece.get(from..piece.len().min(from + width))?;
            // The same bytes have the same tokens: this makes long repetitions cheap.
            if next != window {
                self.merge(next);
                window = next;
            }
            if self.ends.first() != Some(&(end - start)) {
                return None;
            }
        }
        Some(total + self.ends.len())
    }

    /// The number of tokens of a piece of any length; where they end is kept.
    fn merge(&mut self, piece: &[u8]) -> usize {
        self.link(piece);
        while let Some(Reverse((rank, at))) = self.heap.pop() {
            // An entry is out of date if one of its tokens has grown since or is gone.
            let Some(node) = self.nodes.get(at).copied().filter(|node| node.rank == rank) else {
                continue;
            };
            let Some(right) = self.nodes.get_mut(node.next) else {
                continue;
            };
            right.rank = NONE;
            let next = right.next;
            if let Some(after) = self.nodes.get_mut(next) {
                after.previous = Some(at);
            }
            if let Some(left) = self.nodes.get_mut(at) {
                left.next = next;
            }
            self.renew(piece, at);
            if let Some(previous) = node.previous {
                self.renew(piece, previous);
            }
        }
        self.ends.clear();
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            at = node.next;
            self.ends.push(at);
        }
        self.ends.len()
    }

    /// Sets up one token per byte, and all their pairs.
    fn link(&mut self, piece: &[u8]) {
        let mut nodes = std::mem::take(&mut self.nodes);
        nodes.clear();
        nodes.extend((0..piece.len()).map(|at| Node {
            previous: at.checked_sub(1),
            next: at + 1,
            rank: self.rank(piece.get(at..at + 2)),
        }));
        let mut pairs = std::mem::take(&mut self.heap).into_vec();
        pairs.clear();
        let ranks = nodes.iter().map(|node| node.rank).enumerate();
        pairs.extend(ranks.filter(|(_, rank)| *rank != NONE).map(|(at, rank)| Reverse((rank, at))));
        self.nodes = nodes;
        self.heap = BinaryHeap::from(pairs);
    }

    /// Looks up the pair that a token forms with the next one, after either has changed.
    fn renew(&mut self, piece: &[u8], at: usize) {
        let next = self.nodes.get(at).and_then(|node| self.nodes.get(node.next));
        let rank = self.rank(next.and_then(|next| piece.get(at..next.next)));
        if let Some(node) = self.nodes.get_mut(at) {
            node.rank = rank;
        }
        if rank != NONE {
            self.heap.push(Reverse((rank, at)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::table;
    use super::*;

    /// Windows far too small, so that many do not fit together: those that do must agree with the heap, and the scan
    /// with both.
    #[test]
    fn all_ways_agree() {
        let mut state = 1_u64;
        let mut fitted = 0;
        let mut refused = 0;
        for round in 0..6000 {
            let alphabet: &[u8] = [&b"ab"[..], b"etaoin", b"\n\t ", b"=-_*#", "\u{4f60}\u{597d}".as_bytes()][round % 5];
            let mut piece = Vec::new();
            for _ in 0..(round % 90 + 2) {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                piece.push(alphabet[(state >> 33) as usize % alphabet.len()]);
            }
            for table in [&table::O200K_BASE, &table::CL100K_BASE] {
                let mut merger = Merger::new(table);
                let expected = merger.merge(&piece);
                assert_eq!(merger.scan(&piece), expected, "{piece:?}");
                match merger.windows(&piece, 16, 4) {
                    Some(count) => {
                        fitted += 1;
                        assert_eq!(count, expected, "{piece:?}");
                    }
                    None => refused += 1,
                }
            }
        }
        assert!(fitted > 500 && refused > 500, "{fitted} fitted, {refused} refused");
    }
}
