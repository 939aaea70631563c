//! How the generated tables are laid out: what `build.rs` writes and its siblings here read.
//!
//! Apart, because the build script compiles this very file too (`#[path]`). A hash or a class bit that stood twice
//! could come to differ, and every count would then be silently wrong.

/// A slot holds the rank of a token in its low bits and a part of the token's hash, the tag, in the others.
pub(crate) const RANK_BITS: u32 = 18;
/// Selects the rank in a slot.
pub(crate) const RANK_MASK: u32 = (1 << RANK_BITS) - 1;
/// A free slot; no rank comes near it, `build.rs` makes sure of that.
pub(crate) const EMPTY: u32 = u32::MAX;

/// The longest token of either vocabulary has this many bytes; `build.rs` makes sure of it.
pub(crate) const LONGEST: usize = 128;

/// `\p{Lu}` and `\p{Lt}`: letters that only the first run of a word takes.
pub(crate) const UPPER: u8 = 1;
/// `\p{Ll}`: letters that only the second run of a word takes.
pub(crate) const LOWER: u8 = 1 << 1;
/// `\p{Lm}` and `\p{Lo}`: letters that both runs take.
pub(crate) const UNCASED: u8 = 1 << 2;
/// `\p{M}`: marks, which are no letters, yet both runs of o200k's words take them.
pub(crate) const MARK: u8 = 1 << 3;
/// `\p{N}`.
pub(crate) const NUMBER: u8 = 1 << 4;
/// `\s`.
pub(crate) const SPACE: u8 = 1 << 5;
/// `[\r\n]`, which are spaces as well.
pub(crate) const NEWLINE: u8 = 1 << 6;

/// Code points per page of the class table, as a power of two.
pub(crate) const PAGE_BITS: u32 = 7;

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of a token's bytes. Not made to withstand attack: the set of keys is fixed, and a text that meets full
/// stretches of the table only pays for their length, which is bounded.
#[inline]
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut state = bytes.len() as u64;
    for word in words {
        state = mix(state ^ u64::from_le_bytes(*word));
    }
    let tail = rest.iter().fold(0, |tail, &byte| tail << 8 | u64::from(byte));
    mix(state.rotate_left(56) ^ tail)
}

#[inline]
fn mix(state: u64) -> u64 {
    let product = state.wrapping_mul(MULTIPLIER);
    product ^ product >> 32
}

/// The slot where the search for a hash begins, in a table of `slots` slots.
#[inline]
pub(crate) fn home(hash: u64, slots: usize) -> usize {
    let scaled = (hash >> 32) * slots as u64;
    // Less than `slots`, so it fits.
    usize::try_from(scaled >> 32).unwrap_or(0)
}

/// The part of a hash that its slot keeps, in place above the rank. It spares nearly every comparison of bytes that
/// would fail.
#[inline]
pub(crate) fn tag(hash: u64) -> u32 {
    let [a, b, c, d, ..] = hash.to_le_bytes();
    u32::from_le_bytes([a, b, c, d]) << RANK_BITS
}
