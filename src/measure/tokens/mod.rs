//! Exact token counts, without loading a vocabulary.
//!
//! Apart from the other measures, because it is a re-implementation that must agree with `OpenAI`'s tokenizer to the
//! token; `tests/tokens.rs` holds it against tiktoken-rs, from whose data `build.rs` makes the tables.

mod layout;
mod merge;
mod split;
mod table;

use self::merge::Merger;
use self::table::Table;

/// A byte-pair encoding whose counts are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// The encoding of GPT-4o and later.
    O200kBase,
    /// The encoding of GPT-4 and GPT-3.5.
    Cl100kBase,
}

impl Encoding {
    /// Every encoding, the default one first.
    pub const ALL: [Encoding; 2] = [Encoding::O200kBase, Encoding::Cl100kBase];

    /// The name that the encoding has everywhere.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Encoding::O200kBase => "o200k_base",
            Encoding::Cl100kBase => "cl100k_base",
        }
    }

    /// The short name that stands in the ids of measures.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Encoding::O200kBase => "o200k",
            Encoding::Cl100kBase => "cl100k",
        }
    }

    /// How many tokens a text has. The text of a special token is ordinary text here.
    #[must_use]
    pub fn count(self, text: &str) -> usize {
        let mut merger = Merger::new(self.table());
        let mut total = 0;
        let mut rest = text;
        while !rest.is_empty() {
            let length = match self {
                Encoding::O200kBase => split::o200k(rest),
                Encoding::Cl100kBase => split::cl100k(rest),
            };
            let (piece, tail) = rest.split_at_checked(length).unwrap_or((rest, ""));
            total += merger.count(piece.as_bytes());
            rest = tail;
        }
        total
    }

    fn table(self) -> &'static Table {
        match self {
            Encoding::O200kBase => &table::O200K_BASE,
            Encoding::Cl100kBase => &table::CL100K_BASE,
        }
    }
}
