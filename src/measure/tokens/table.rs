//! The vocabularies as `build.rs` laid them out: a hash table that is read where it lies in the binary.
//!
//! Apart, because it is the only place that knows the generated files; there is no loading, no allocation, and the
//! system reads only the pages that a text touches.

use super::layout::{self, EMPTY, LONGEST, RANK_MASK};

/// A number in a generated file.
type Word = [u8; 4];

/// The tokens of one encoding and their ranks.
pub(super) struct Table {
    /// The tokens one after the other, by rank.
    blob: &'static [u8],
    /// Where each token begins in `blob`, and at last where the last one ends.
    offsets: &'static [Word],
    /// Open addressing with linear probing; see `layout` for what a slot holds.
    slots: &'static [Word],
}

macro_rules! table {
    ($name:literal) => {
        Table {
            blob: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".blob")),
            offsets: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".offsets")).as_chunks().0,
            slots: include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".slots")).as_chunks().0,
        }
    };
}

pub(super) static O200K_BASE: Table = table!("o200k_base");
pub(super) static CL100K_BASE: Table = table!("cl100k_base");

impl Table {
    /// The rank of a token, or nothing where these bytes are no token.
    pub(super) fn rank(&self, bytes: &[u8]) -> Option<u32> {
        if bytes.len() > LONGEST {
            return None;
        }
        let hash = layout::hash(bytes);
        let tag = layout::tag(hash);
        let mut at = layout::home(hash, self.slots.len());
        loop {
            let slot = u32::from_le_bytes(*self.slots.get(at)?);
            if slot == EMPTY {
                return None;
            }
            if slot & !RANK_MASK == tag && self.token(slot & RANK_MASK) == Some(bytes) {
                return Some(slot & RANK_MASK);
            }
            at += 1;
            if at == self.slots.len() {
                at = 0;
            }
        }
    }

    fn token(&self, rank: u32) -> Option<&'static [u8]> {
        let at = rank as usize;
        let from = u32::from_le_bytes(*self.offsets.get(at)?);
        let to = u32::from_le_bytes(*self.offsets.get(at + 1)?);
        self.blob.get(from as usize..to as usize)
    }
}
