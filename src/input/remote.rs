//! How to reach a server over HTTP.
//!
//! Apart from the transport that uses it, because a host's config file and the command line say it too.

use std::collections::BTreeSet;
use std::fmt;

use data_encoding::BASE64_NOPAD;
use percent_encoding::percent_decode_str;

use crate::surface::exchange::HIDDEN;

/// Shorter values are no secrets, and would be found everywhere.
pub(super) const SECRET_LENGTH: usize = 8;

/// Headers that no server takes for a credential.
const PUBLIC: [&str; 4] = ["accept", "content-type", "mcp-protocol-version", "origin"];

/// How to reach a server over HTTP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remote {
    /// The address as the user wrote it, variables resolved.
    pub url: String,
    /// Headers sent with every request.
    pub headers: Vec<Header>,
    /// Which shape of HTTP to speak.
    pub shape: Shape,
}

/// Which shape of HTTP to speak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Streamable HTTP, and HTTP+SSE of 2024-11-05 where a server knows nothing else.
    #[default]
    Auto,
    /// Streamable HTTP only.
    Streamable,
    /// HTTP+SSE of 2024-11-05 only.
    Sse,
}

impl Shape {
    /// The shape of this name, if there is one.
    pub fn from_text(text: &str) -> Option<Self> {
        [Self::Auto, Self::Streamable, Self::Sse].into_iter().find(|shape| shape.as_str() == text)
    }

    /// Its name in options and settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Streamable => "http",
            Self::Sse => "sse",
        }
    }
}

/// A header that the user wants sent.
#[derive(Clone, PartialEq, Eq)]
pub struct Header {
    /// Its name.
    pub name: String,
    /// Its value; a secret, which no output may hold.
    pub value: String,
}

/// The name alone: a value could be a secret, and a panic or a log must not tell it.
impl fmt::Debug for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ***", self.name)
    }
}

impl Remote {
    /// The address as it may be told: without user, password and the values of its query, and without what looks
    /// like a token in its path.
    pub fn shown(&self) -> String {
        shown(&self.url)
    }

    /// A sentence in which this address may stand, as it may be told.
    pub fn told_in(&self, text: &str) -> String {
        text.replace(&self.url, &self.shown())
    }

    /// What of the headers and the address lets one in: whole, and each part that a server may take out of it.
    pub fn credentials(&self) -> Vec<String> {
        let mut found = Vec::new();
        for header in self.headers.iter().filter(|header| !header.is_public()) {
            found.push(header.value.clone());
            found.extend(parts(&header.value));
        }
        let address = Address::of(&self.url);
        for (_, value) in address.query.iter().chain(&address.fragment).flat_map(|pairs| members(pairs)) {
            found.push(value.to_owned());
            // As forms write a space.
            found.extend(value.contains('+').then(|| value.replace('+', " ")));
        }
        if let Some(user) = address.user {
            let (name, word) = user.split_once(':').unwrap_or((user, ""));
            found.extend([user, word].map(str::to_owned));
            found.extend(is_token(name).then(|| name.to_owned()));
        }
        found.extend(address.steps().filter(|step| is_token(step)).map(str::to_owned));
        // What a server reads of an address is decoded.
        let decoded: Vec<String> =
            found.iter().map(|value| percent_decode_str(value).decode_utf8_lossy().into_owned()).collect();
        found.extend(decoded);
        found.retain(|value| !value.is_empty());
        let mut seen = BTreeSet::new();
        found.retain(|value| seen.insert(value.clone()));
        found
    }
}

impl Header {
    /// Whether it says how one speaks and not who one is: a server must say the same, and masking it there would make
    /// a fault of it.
    fn is_public(&self) -> bool {
        PUBLIC.iter().any(|name| self.name.eq_ignore_ascii_case(name))
    }
}

/// The parts of a header's value: what stands behind its scheme, the last word, the values of parameters and cookies,
/// and the user and password of `Basic`.
fn parts(value: &str) -> Vec<String> {
    let mut found = Vec::new();
    if let Some((scheme, rest)) = value.trim().split_once(' ') {
        found.push(rest.to_owned());
        found.extend(rest.rsplit_once(' ').map(|(_, last)| last.to_owned()));
        if scheme.eq_ignore_ascii_case("basic") {
            let bytes = BASE64_NOPAD.decode(rest.trim().trim_end_matches('=').as_bytes()).unwrap_or_default();
            let user = String::from_utf8_lossy(&bytes).into_owned();
            found.extend(user.split_once(':').map(|(_, word)| word.to_owned()));
            found.push(user);
        }
    }
    let mut is_quoted = false;
    let pieces = value.split(|letter: char| {
        is_quoted ^= letter == '"';
        !is_quoted && (letter.is_whitespace() || matches!(letter, ',' | ';'))
    });
    let values = pieces.filter_map(|piece| piece.split_once(['=', ':'])).map(|(_, value)| value.trim_matches('"'));
    // Behind `https:` stands an address.
    found.extend(values.filter(|value| !value.starts_with("//")).map(str::to_owned));
    found
}

/// The parts of an address, as written.
struct Address<'u> {
    /// With `://`; empty without one.
    scheme: &'u str,
    /// User and password.
    user: Option<&'u str>,
    host: &'u str,
    path: Option<&'u str>,
    query: Option<&'u str>,
    fragment: Option<&'u str>,
}

impl<'u> Address<'u> {
    fn of(url: &'u str) -> Self {
        let split = |text: &'u str, mark| text.split_once(mark).map_or((text, None), |(one, two)| (one, Some(two)));
        let (rest, fragment) = split(url, '#');
        let (rest, query) = split(rest, '?');
        let (scheme, rest) = rest.split_at(rest.find("://").map_or(0, |at| at + 3));
        let (authority, path) = split(rest, '/');
        let (user, host) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
        Self { scheme, user, host, path, query, fragment }
    }

    /// The steps of its path.
    fn steps(&self) -> impl Iterator<Item = &'u str> {
        self.path.into_iter().flat_map(|path| path.split('/'))
    }
}

/// The members of a query, or of a fragment that is written like one. Some are a value without a name.
fn members(query: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    query.split('&').map(|member| match member.split_once('=') {
        // What only ends with `=` is likely Base64.
        Some((name, value)) if !value.trim_matches('=').is_empty() => (Some(name), value),
        _ => (None, member),
    })
}

/// An address as it may be told: without what could let somebody in.
pub fn shown(url: &str) -> String {
    let address = Address::of(url);
    let mut text = format!("{}{}", address.scheme, address.host);
    if address.path.is_some() {
        let steps: Vec<&str> = address.steps().map(|step| if is_token(step) { HIDDEN } else { step }).collect();
        text.push('/');
        text.push_str(&steps.join("/"));
    }
    for (mark, query) in [('?', address.query), ('#', address.fragment)] {
        let Some(query) = query else { continue };
        let members: Vec<String> = members(query)
            .map(|member| match member {
                (Some(name), _) => format!("{name}={HIDDEN}"),
                (None, value) if value.len() >= SECRET_LENGTH => HIDDEN.to_owned(),
                (None, value) => value.to_owned(),
            })
            .collect();
        text.push(mark);
        text.push_str(&members.join("&"));
    }
    text
}

/// Whether a step of a path looks like a token: long, with digits and letters and nothing that parts words.
fn is_token(step: &str) -> bool {
    let digits = step.bytes().filter(u8::is_ascii_digit).count();
    step.len() >= 20 && digits >= 3 && step.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-=.~".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_told_without_what_lets_one_in() {
        for (url, shown) in [
            ("https://a.test/mcp", "https://a.test/mcp"),
            ("https://me:pw123@a.test:8/mcp?apiKey=abc&x", "https://a.test:8/mcp?apiKey=***&x"),
            ("https://a.test/s/Zk3kf92ksl20dkfja92kf/mcp", "https://a.test/s/***/mcp"),
            ("https://a.test/a-long-name-of-a-real-service/mcp", "https://a.test/a-long-name-of-a-real-service/mcp"),
            ("http://a.test", "http://a.test"),
            ("http://a.test/mcp?hunter2secret&x", "http://a.test/mcp?***&x"),
            ("http://a.test/mcp#access_token=a?b/c", "http://a.test/mcp#access_token=***"),
            ("http://a.test/mcp?dG9rZW4tdG9rZW4==&key=", "http://a.test/mcp?***&key="),
            ("/messages?sessionId=abc", "/messages?sessionId=***"),
        ] {
            assert_eq!(super::shown(url), shown);
        }
    }

    #[test]
    fn credentials_are_known() {
        let remote = Remote {
            url: "https://me:pw123@a.test/s/Zk3kf92ksl20dkfja92kf?apiKey=a%2Fc".to_owned(),
            headers: vec![Header { name: "Authorization".to_owned(), value: "Bearer t0ken".to_owned() }],
            shape: Shape::Auto,
        };
        let all = ["Bearer t0ken", "t0ken", "a%2Fc", "me:pw123", "pw123", "Zk3kf92ksl20dkfja92kf", "a/c"];
        assert_eq!(remote.credentials(), all);
        assert!(!format!("{remote:?}").contains("t0ken"));
    }

    #[test]
    fn parts_of_values_are_credentials_too() {
        for (name, value, others) in [
            ("Authorization", "Basic bWU6cHcxMjM=", &["bWU6cHcxMjM=", "pw123", "me:pw123"][..]),
            ("Cookie", "a=t0ken; b=x1", &["b=x1", "t0ken", "x1"]),
            ("Authorization", "Token token=\"t0 k,en\"", &["token=\"t0 k,en\"", "k,en\"", "t0 k,en"]),
            ("X-Auth", "key=t0ken,id=7", &["t0ken", "7"]),
            ("Referer", "https://a.test/x", &[]),
        ] {
            let header = Header { name: name.to_owned(), value: value.to_owned() };
            let remote = Remote { url: "https://a.test".to_owned(), headers: vec![header], shape: Shape::Auto };
            assert_eq!(remote.credentials(), [&[value], others].concat());
        }
        let header = Header { name: "accept".to_owned(), value: "text/event-stream".to_owned() };
        let url = "https://ghp_1234567890abcdef:x@a.test/mcp?t0ken+1&k=v#access_token=t2";
        let remote = Remote { url: url.to_owned(), headers: vec![header], shape: Shape::Auto };
        let all = ["t0ken+1", "t0ken 1", "v", "t2", "ghp_1234567890abcdef:x", "x", "ghp_1234567890abcdef"];
        assert_eq!(remote.credentials(), all);
    }
}
