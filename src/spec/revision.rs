//! The dated revisions of the protocol, and ranges of them.

use std::fmt;

/// A dated revision of the MCP specification. Order is by date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Revision {
    /// 2024-11-05, the first.
    V2024_11_05,
    /// 2025-03-26: Streamable HTTP, annotations.
    V2025_03_26,
    /// 2025-06-18: output schemas, titles.
    V2025_06_18,
    /// 2025-11-25: names, dialect, icons.
    V2025_11_25,
    /// 2026-07-28: no handshake, metadata on every request.
    V2026_07_28,
}

impl Revision {
    /// All revisions, oldest first.
    pub const ALL: [Self; 5] =
        [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25, Self::V2026_07_28];

    /// The newest revision, assumed where nothing says which one is in force.
    pub const NEWEST: Self = Self::V2026_07_28;

    /// The newest revision that opens with `initialize`.
    pub const NEWEST_LEGACY: Self = Self::V2025_11_25;

    /// The date that names it on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The revision of this date, if there is one.
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|revision| revision.as_str() == text)
    }

    /// The revision in force for a server that named `text`: that one, or the newest one that is not younger.
    ///
    /// Dates compare as text. An unknown date before the first revision, or no date at all, has no answer.
    pub fn in_force(text: &str) -> Option<Self> {
        let dated = text.len() == 10 && text.chars().all(|letter| letter.is_ascii_digit() || letter == '-');
        Self::ALL.into_iter().rev().find(|revision| dated && revision.as_str() <= text)
    }

    /// Whether `text` names a revision, or a day on which one may yet come out.
    pub fn may_name(text: &str) -> bool {
        let parts: Vec<Option<u32>> = text.split('-').map(|part| part.parse().ok()).collect();
        let [Some(year), Some(month), Some(day)] = parts.as_slice() else { return false };
        let is_day =
            text.len() == 10 && (2026..2099).contains(year) && (1..=12).contains(month) && (1..=31).contains(day);
        Self::from_text(text).is_some() || (is_day && text > Self::NEWEST.as_str())
    }

    /// The era it belongs to.
    pub fn era(self) -> Era {
        if self < Self::V2026_07_28 { Era::Legacy } else { Era::Modern }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How a session opens: with `initialize` (legacy) or with metadata on every request (modern).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// Revisions up to 2025-11-25.
    Legacy,
    /// Revision 2026-07-28 and later.
    Modern,
}

impl Era {
    /// The specification's own word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            Self::Modern => "modern",
        }
    }
}

/// A range of revisions, written like `>=2025-06-18, <2026-07-28`. Empty means all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Revisions {
    from: Option<Revision>,
    before: Option<Revision>,
}

impl Revisions {
    /// Reads a range.
    ///
    /// # Errors
    ///
    /// A sentence naming the part that is no bound.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let mut range = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let revision = |date: &str| {
                Revision::from_text(date.trim()).ok_or_else(|| format!("`{}` is not a revision", date.trim()))
            };
            if let Some(date) = part.strip_prefix(">=") {
                range.from = Some(revision(date)?);
            } else if let Some(date) = part.strip_prefix('<') {
                range.before = Some(revision(date)?);
            } else {
                return Err(format!("`{part}` is not a bound; write `>=DATE` or `<DATE`"));
            }
        }
        Ok(range)
    }

    /// Whether `revision` lies in the range.
    pub fn contains(&self, revision: Revision) -> bool {
        self.from.is_none_or(|from| from <= revision) && self.before.is_none_or(|before| revision < before)
    }
}

impl fmt::Display for Revisions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from, self.before) {
            (None, None) => f.write_str("all"),
            (Some(from), None) => write!(f, "from {from}"),
            (None, Some(before)) => write!(f, "before {before}"),
            (Some(from), Some(before)) => write!(f, "from {from}, before {before}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        let range = Revisions::from_text(">=2025-06-18, <2026-07-28").unwrap();
        assert!(!range.contains(Revision::V2025_03_26));
        assert!(range.contains(Revision::V2025_06_18));
        assert!(!range.contains(Revision::V2026_07_28));
        assert!(Revisions::from_text("").unwrap().contains(Revision::V2024_11_05));
        assert!(Revisions::from_text("2025-06-18").is_err());
        assert!(Revisions::from_text("<2025-06-19").is_err());
    }

    #[test]
    fn days_that_name_no_revision() {
        for (text, may) in [
            ("2025-06-18", true),
            ("2027-03-01", true),
            ("2026-01-01", false),
            ("1900-01-01", false),
            ("2027-13-01", false),
            ("2099-01-01", false),
            ("9999-99-99", false),
            ("DRAFT-2026-v1", false),
            ("", false),
        ] {
            assert_eq!(Revision::may_name(text), may, "{text}");
        }
    }

    #[test]
    fn unknown_dates_take_the_revision_before_them() {
        assert_eq!(Revision::in_force("2025-11-25"), Some(Revision::V2025_11_25));
        assert_eq!(Revision::in_force("2026-01-01"), Some(Revision::V2025_11_25));
        assert_eq!(Revision::in_force("2023-01-01"), None);
        assert_eq!(Revision::in_force("DRAFT-2026"), None);
    }
}
