//! The user's secrets, and how they are found in a text however it writes them.
//!
//! A server that sends back what it was given writes it as its libraries do: escaped for JSON, for an address or for
//! HTML, one inside another, or in Base64. So escapes are taken off and the text is searched before and after; what is
//! found leads back to the text as it came, of which nothing else changes.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use data_encoding::{BASE64_NOPAD, BASE64URL_NOPAD, Encoding, HEXLOWER};

use crate::input::remote::SECRET_LENGTH;
use crate::surface::exchange::HIDDEN;
use crate::text::escape::{self, WayBack};
use crate::text::secret;

/// How often escapes are taken off: JSON in a string of JSON, an address in the query of another.
const LAYERS: usize = 2;

/// What stands where a text was cut ([`crate::text::safe::clip`]).
const CUT: char = '…';

/// How the first and last lines of a key begin, which tell nothing and are the same in all.
const FRAME_OF_KEY: &str = "-----";

/// Parts of the names of variables whose values are secrets wherever they turn up.
const SECRET_NAMES: [&str; 8] = ["key", "token", "secret", "pass", "credential", "auth", "cookie", "session"];

/// A value of the user that may stand in nothing that we write.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Secret {
    /// What stands in its place.
    name: String,
    value: String,
    /// Whether it is one by its name, so that it is masked in what the server says too. Other values of variables
    /// are ordinary words, and masking them there would change what is measured.
    everywhere: bool,
}

impl Secret {
    /// The value of a variable of the server.
    pub(super) fn variable(name: &str, value: &str) -> Self {
        let lower = name.to_lowercase();
        let everywhere = SECRET_NAMES.iter().any(|part| lower.contains(part)) || secret::is_secret_name(name);
        Self { name: format!("${{{name}}}"), value: value.to_owned(), everywhere }
    }

    /// What was given to let us in: a header's value, a part of an address.
    pub(super) fn credential(value: &str) -> Self {
        Self { name: HIDDEN.to_owned(), value: value.to_owned(), everywhere: true }
    }

    /// What looks like a credential among the words of a command. A weak one could be a word of the server as well.
    pub(super) fn word(value: &str) -> Self {
        Self { everywhere: secret::is_credential(value), ..Self::credential(value) }
    }

    /// The ways in which its value may be written. Escapes are none of them, unless it holds what looks like one.
    fn spellings(&self) -> Vec<Vec<u8>> {
        // A server trims what it reads, and logs the lines of a key one by one.
        let lines = self.value.lines().map(str::trim).filter(|line| !line.starts_with(FRAME_OF_KEY));
        let values = [self.value.as_str(), self.value.trim()].into_iter().chain(lines);
        let mut all = Vec::new();
        for value in values.filter(|value| value.len() >= SECRET_LENGTH) {
            let bytes = value.as_bytes();
            all.extend(std::iter::successors(Some(bytes.to_vec()), |text| escape::resolved(text)).take(LAYERS + 1));
            all.push(value.replace(' ', "+").into_bytes());
            all.push(HEXLOWER.encode(bytes).into_bytes());
            for encoding in [BASE64_NOPAD, BASE64URL_NOPAD] {
                all.extend((0..3).filter_map(|offset| encoded(&encoding, bytes, offset)));
            }
        }
        all.retain(|spelling| spelling.len() >= SECRET_LENGTH);
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// A value in Base64 as it stands behind `offset` other bytes, without the letters that hold bits of its neighbours.
fn encoded(encoding: &Encoding, value: &[u8], offset: usize) -> Option<Vec<u8>> {
    let bytes = [vec![0; offset], value.to_vec()].concat();
    let text = encoding.encode(&bytes).into_bytes();
    let first = [0, 2, 3].get(offset)?;
    text.get(*first..bytes.len() * 8 / 6).map(<[u8]>::to_vec)
}

/// Which secrets are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    /// All of them, and what is left of one that was cut off: in what we write ourselves.
    Ours,
    /// Those that are masked everywhere.
    Wire,
}

/// All secrets of a session.
pub(super) struct Mask {
    secrets: Vec<Secret>,
    /// The spellings, each with the place of its secret.
    spellings: Vec<(Vec<u8>, usize)>,
    /// Finds all of them in one pass; none when there are more than it can hold, and then all is hidden.
    finder: Option<AhoCorasick>,
}

/// Where a secret stands, and which.
struct Place {
    range: Range<usize>,
    secret: usize,
}

impl Mask {
    /// A mask for these.
    pub(super) fn new(secrets: Vec<Secret>) -> Self {
        let each = secrets.iter().enumerate();
        let spellings: Vec<(Vec<u8>, usize)> =
            each.flat_map(|(n, secret)| secret.spellings().into_iter().map(move |spelling| (spelling, n))).collect();
        let finder = AhoCorasick::builder()
            // Hosts of addresses come back in lower case.
            .ascii_case_insensitive(true)
            // A table of states would need hundreds of megabytes for a few long keys.
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(spellings.iter().map(|(spelling, _)| spelling))
            .ok();
        Self { secrets, spellings, finder }
    }

    /// `text` without secrets.
    pub(super) fn masked(&self, text: &str, within: Within) -> String {
        self.hidden(text.as_bytes(), within)
            .map_or_else(|| text.to_owned(), |clean| String::from_utf8_lossy(&clean).into_owned())
    }

    /// `text` with the names of secrets in their place; none when it holds no secret.
    pub(super) fn hidden(&self, text: &[u8], within: Within) -> Option<Vec<u8>> {
        if self.spellings.is_empty() {
            return None;
        }
        let places = self.places(text, within, LAYERS);
        if places.is_empty() {
            return None;
        }
        let mut clean = Vec::with_capacity(text.len());
        let mut from = 0;
        for place in places {
            clean.extend_from_slice(text.get(from..place.range.start).unwrap_or_default());
            let value = text.get(place.range.clone()).unwrap_or_default();
            if within == Within::Wire && value.iter().all(u8::is_ascii_digit) {
                // It may be a number, and anything but digits would make JSON of it that the server never sent.
                clean.resize(clean.len() + value.len(), b'9');
            } else {
                let name = self.secrets.get(place.secret).map_or(HIDDEN, |secret| secret.name.as_str());
                clean.extend_from_slice(name.as_bytes());
            }
            from = place.range.end;
        }
        clean.extend_from_slice(text.get(from..).unwrap_or_default());
        Some(clean)
    }

    /// Where secrets stand, in order and apart from each other.
    fn places(&self, text: &[u8], within: Within, layers: usize) -> Vec<Place> {
        let Some(finder) = &self.finder else { return vec![Place { range: 0..text.len(), secret: 0 }] };
        let mut found = Vec::new();
        if let Some(inner) = escape::resolved(text).filter(|_| layers > 0) {
            let mut back = WayBack::to(text);
            let inner = self.places(&inner, within, layers - 1);
            found.extend(inner.into_iter().map(|place| Place { range: back.of(&place.range), ..place }));
        }
        for hit in finder.find_overlapping_iter(text) {
            let Some((_, secret)) = self.spellings.get(hit.pattern().as_usize()) else { continue };
            let counts = within == Within::Ours || self.secrets.get(*secret).is_some_and(|secret| secret.everywhere);
            if counts {
                found.push(Place { range: hit.range(), secret: *secret });
            }
        }
        if within == Within::Ours {
            found.extend(self.cut_off(text));
        }
        united(found)
    }

    /// What is left of a secret at the place where a text was cut.
    fn cut_off(&self, text: &[u8]) -> Option<Place> {
        let mut mark = [0; 4];
        let mark = CUT.encode_utf8(&mut mark).as_bytes();
        let cut = text.windows(mark.len()).rposition(|window| window == mark)?;
        // The cut may go through an escape.
        let escape = text.get(..cut)?.iter().rposition(|byte| escape::is_mark(*byte));
        let ends = [Some(cut), escape.filter(|at| cut - at < escape::LONGEST)];
        let places = ends.into_iter().flatten().flat_map(|end| {
            let before = text.get(..end).unwrap_or_default();
            self.spellings.iter().filter_map(move |(spelling, secret)| {
                let start =
                    (end.saturating_sub(spelling.len())..(end + 1).saturating_sub(SECRET_LENGTH)).find(|start| {
                        let rest = before.get(*start..).unwrap_or_default();
                        spelling.get(..rest.len()).is_some_and(|first| first.eq_ignore_ascii_case(rest))
                    })?;
                Some(Place { range: start..end, secret: *secret })
            })
        });
        places.max_by_key(|place| place.range.len())
    }
}

/// Places in order, those that touch made one; it has the name of the first and longest of them.
fn united(mut places: Vec<Place>) -> Vec<Place> {
    places.sort_by_key(|place| (place.range.start, std::cmp::Reverse(place.range.end)));
    places.dedup_by(|next, last| {
        let touches = next.range.start <= last.range.end;
        if touches {
            last.range.end = last.range.end.max(next.range.end);
        }
        touches
    });
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUE: &str = "tok+3n/Se&cr<et>99 Zq%41";

    fn mask(secrets: &[(&str, &str)]) -> Mask {
        Mask::new(secrets.iter().map(|(name, value)| Secret::variable(name, value)).collect())
    }

    #[test]
    fn a_secret_is_found_however_it_is_written() {
        let mask = mask(&[("KEY", VALUE)]);
        let json: String = VALUE.chars().map(|letter| format!("\\u{:04X}", u32::from(letter))).collect();
        let percent: String = VALUE.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let html: String = VALUE.chars().map(|letter| format!("&#{};", u32::from(letter))).collect();
        for written in [
            VALUE,
            &VALUE.to_uppercase(),
            &json,
            &json.replace('\\', "\\\\"),
            &percent,
            &percent.replace('%', "%25"),
            &percent.replace('%', "\\u0025"),
            &html,
            r"tok+3n\/Se\u0026cr\u003cet\u003E99 Zq%41",
            "tok%2B3n%2fSe%26cr%3Cet%3e99+Zq%2541",
            "tok+3n/Se&amp;cr&lt;et&gt;99 Zq%41",
            &HEXLOWER.encode(VALUE.as_bytes()),
        ] {
            let text = format!("\"a\\nb\": \"{written}\", %7B");
            assert_eq!(mask.masked(&text, Within::Wire), r#""a\nb": "${KEY}", %7B"#, "{written}");
        }
    }

    #[test]
    fn a_secret_is_found_in_base64_behind_anything() {
        let mask = mask(&[("KEY", VALUE)]);
        for encoding in [data_encoding::BASE64, data_encoding::BASE64URL] {
            for before in ["", "x", "xy", "user:", "Bearer "] {
                let whole = encoding.encode(format!("{before}{VALUE}, and more").as_bytes());
                let clean = mask.masked(&whole, Within::Wire);
                let (start, end) = clean.split_once("${KEY}").unwrap();
                let told = encoding.encode(format!("{before}{}, and more", "?".repeat(VALUE.len())).as_bytes());
                // No letter of the rest tells more than half a byte of the secret.
                assert!(whole.starts_with(start) && whole.ends_with(end), "{clean}");
                assert!(start.len() <= before.len() * 8 / 6 + 1, "{clean}");
                assert!(told.ends_with(end.get(1..).unwrap()), "{clean}");
            }
        }
    }

    #[test]
    fn the_rest_stays_as_it_came() {
        let mask = mask(&[("KEY", VALUE), ("MODE", "production"), ("PASS", "short")]);
        let text = format!("\\u0041%41&amp; \u{e4} {VALUE} \\ud83d %4 production short");
        let clean = "\\u0041%41&amp; \u{e4} ${KEY} \\ud83d %4 production short";
        assert_eq!(mask.masked(&text, Within::Wire), clean);
        assert_eq!(mask.hidden(b"\xff production \\u0041", Within::Wire), None);
        assert_eq!(mask.hidden(b"\xff production", Within::Ours).unwrap(), b"\xff ${MODE}");
    }

    #[test]
    fn secrets_within_others_leave_nothing() {
        let mask = mask(&[("KEY", "abcdefgh"), ("TOKEN", "efghijklmn")]);
        assert_eq!(mask.masked("x abcdefghijklmn y efghijklmn", Within::Wire), "x ${KEY} y ${TOKEN}");
    }

    #[test]
    fn numbers_stay_numbers() {
        let mask = mask(&[("KEY", "1234567801")]);
        assert_eq!(mask.masked(r#"{"id":1234567801}"#, Within::Wire), r#"{"id":9999999999}"#);
        assert_eq!(mask.masked("no 1234567801", Within::Ours), "no ${KEY}");
    }

    #[test]
    fn lines_and_trimmed_values_are_secrets() {
        let key = "-----BEGIN KEY-----\r\nMIIEvQIBADANBgkqh\r\n  kiG9w0BAQEFAASC\r\nshort\r\n-----END KEY-----\r\n";
        let mask = mask(&[("KEY", key), ("TOKEN", " s3cret-s3cret\n")]);
        assert_eq!(mask.masked("-----BEGIN KEY-----", Within::Wire), "-----BEGIN KEY-----");
        for line in ["MIIEvQIBADANBgkqh", "kiG9w0BAQEFAASC"] {
            assert_eq!(mask.masked(line, Within::Wire), "${KEY}");
        }
        assert_eq!(mask.masked("short s3cret-s3cret.", Within::Wire), "short ${TOKEN}.");
        let json = serde_json::to_string(key).unwrap();
        assert_eq!(mask.masked(&json, Within::Wire), "\"${KEY}\"");
    }

    #[test]
    fn a_cut_leaves_no_part_of_a_secret() {
        let mask = mask(&[("KEY", VALUE), ("DATABASE_URL", "postgres://me:pw@db/x")]);
        for (text, clean) in [
            ("token tok+3n/Se…", "token ${KEY}…"),
            (r"token tok+3n/Se\u0026cr\u00…", r"token ${KEY}\u00…"),
            ("no host `tok%2B3n%2FSe…`; try again", "no host `${KEY}…`; try again"),
            ("token tok+3n/…", "token tok+3n/…"),
            ("cannot speak to postgres", "cannot speak to postgres"),
        ] {
            assert_eq!(mask.masked(text, Within::Ours), clean);
        }
    }
}
