//! The dialects of JSON Schema that a `$schema` may name.

/// A published dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// draft-04.
    Draft4,
    /// draft-06.
    Draft6,
    /// draft-07.
    Draft7,
    /// 2019-09.
    Draft2019,
    /// 2020-12, the default of MCP since 2025-11-25.
    Draft2020,
}

impl Dialect {
    /// The dialect that this `$schema` value names; a trailing `#` and the scheme do not matter.
    pub fn from_uri(uri: &str) -> Option<Self> {
        let plain = uri.trim_end_matches('#').trim_end_matches('/');
        let path =
            plain.strip_prefix("https://json-schema.org/").or_else(|| plain.strip_prefix("http://json-schema.org/"))?;
        match path {
            "draft-04/schema" => Some(Self::Draft4),
            "draft-06/schema" => Some(Self::Draft6),
            "draft-07/schema" => Some(Self::Draft7),
            "draft/2019-09/schema" => Some(Self::Draft2019),
            "draft/2020-12/schema" => Some(Self::Draft2020),
            _ => None,
        }
    }

    /// All dialects, from the oldest.
    pub const ALL: [Self; 5] = [Self::Draft4, Self::Draft6, Self::Draft7, Self::Draft2019, Self::Draft2020];

    /// The dialect of this short name.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.as_str() == word)
    }

    /// The usual short name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Draft4 => "draft-04",
            Self::Draft6 => "draft-06",
            Self::Draft7 => "draft-07",
            Self::Draft2019 => "2019-09",
            Self::Draft2020 => "2020-12",
        }
    }
}
