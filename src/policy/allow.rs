//! Reasoned exceptions: `[[allow]]`, and those of them that allow nothing.

use std::fmt;

use globset::GlobMatcher;

use crate::finding::Finding;

/// An exception that the user wrote down.
#[derive(Clone, Debug)]
pub struct Allow {
    /// The rule it is about.
    pub rule: String,
    /// The glob over subject names, as written.
    pub subject: String,
    /// The glob.
    pub matcher: GlobMatcher,
    /// Why.
    pub reason: String,
    /// The last day on which it holds.
    pub until: Option<Day>,
    /// The line of the settings file, from 1.
    pub line: usize,
}

/// A calendar day. Order is by date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    year: u16,
    month: u8,
    of_month: u8,
}

/// An allow entry that allows nothing, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    /// The rule it is about.
    pub rule: String,
    /// The glob over subject names.
    pub subject: String,
    /// The line of the settings file, from 1.
    pub line: usize,
    /// The day on which it ended, when that is why; else there is no such finding.
    pub ended: Option<Day>,
}

impl Allow {
    /// Whether it holds for this finding on this day.
    pub fn covers(&self, finding: &Finding, today: Day) -> bool {
        self.rule == finding.rule
            && self.matcher.is_match(finding.subject.name())
            && self.until.is_none_or(|until| today <= until)
    }
}

/// The entries that no finding used.
pub(super) fn stale(entries: &[Allow], uses: &[usize], today: Day) -> Vec<Stale> {
    let unused = entries.iter().zip(uses).filter(|(_, uses)| **uses == 0);
    unused
        .map(|(allow, _)| Stale {
            rule: allow.rule.clone(),
            subject: allow.subject.clone(),
            line: allow.line,
            ended: allow.until.filter(|until| *until < today),
        })
        .collect()
}

impl Day {
    /// Reads `2027-01-31`.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
        let shape = (year.len(), month.len(), day.len(), parts.next());
        let day = Self { year: year.parse().ok()?, month: month.parse().ok()?, of_month: day.parse().ok()? };
        let real = (1..=12).contains(&day.month) && (1..=day.days_in_month()).contains(&day.of_month);
        (shape == (4, 2, 2, None) && real).then_some(day)
    }

    /// The day of a time in seconds since 1970-01-01, UTC.
    pub fn from_unix(seconds: u64) -> Self {
        let mut left = seconds / 86_400;
        let mut day = Self { year: 1970, month: 1, of_month: 1 };
        loop {
            let days = u64::from(day.days_in_month());
            if left < days {
                day.of_month += u8::try_from(left).unwrap_or_default();
                return day;
            }
            left -= days;
            day.month += 1;
            if day.month > 12 {
                day.month = 1;
                day.year = day.year.saturating_add(1);
            }
        }
    }

    fn days_in_month(self) -> u8 {
        let leap = self.year.is_multiple_of(4) && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400));
        match self.month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.of_month)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        assert_eq!(Day::from_unix(0).to_string(), "1970-01-01");
        assert_eq!(Day::from_unix(951_782_400).to_string(), "2000-02-29");
        assert_eq!(Day::from_unix(1_796_083_200).to_string(), "2026-12-01");
        assert!(Day::from_text("2026-12-01") < Day::from_text("2027-01-01"));
        for wrong in ["2026-13-01", "2026-02-29", "26-01-01", "2026-1-1", "soon", "2026-01-01-x"] {
            assert_eq!(Day::from_text(wrong), None, "{wrong}");
        }
    }
}
