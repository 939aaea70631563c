//! How to reach a server over HTTP.
//!
//! Apart from the transport that uses it, because a host's config file and the command line say it too.

use std::fmt;

use percent_encoding::percent_decode_str;

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

    /// What of the headers and the address lets one in.
    pub fn credentials(&self) -> Vec<String> {
        let mut found = Vec::new();
        for header in &self.headers {
            found.push(header.value.clone());
            // `Bearer abc`: the server sees `abc`.
            found.extend(header.value.rsplit_once(' ').map(|(_, last)| last.to_owned()));
        }
        let (before, query) = self.url.split_once('?').unwrap_or((&self.url, ""));
        found.extend(query.split('&').filter_map(|pair| pair.split_once('=')).map(|(_, value)| value.to_owned()));
        let rest = before.split_once("://").map_or(before, |(_, rest)| rest);
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        found.extend(authority.rsplit_once('@').map(|(user, _)| user.to_owned()));
        found.extend(
            authority.rsplit_once('@').and_then(|(user, _)| user.split_once(':')).map(|(_, word)| word.to_owned()),
        );
        found.extend(path.split('/').filter(|step| is_token(step)).map(str::to_owned));
        // What a server reads of an address is decoded.
        let decoded = found.iter().map(|value| percent_decode_str(value).decode_utf8_lossy().into_owned());
        let decoded: Vec<String> = decoded.filter(|value| !found.contains(value)).collect();
        found.extend(decoded);
        found
    }
}

/// An address as it may be told: without what could let somebody in.
pub fn shown(url: &str) -> String {
    let (before, query) = match url.split_once('?') {
        Some((before, query)) => (before, Some(query)),
        None => (url, None),
    };
    let (scheme, rest) = before.split_once("://").map_or(("", before), |(scheme, rest)| (scheme, rest));
    let (authority, path) = rest.split_once('/').map_or((rest, None), |(authority, path)| (authority, Some(path)));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let mut text = if scheme.is_empty() { String::new() } else { format!("{scheme}://") };
    text.push_str(host);
    if let Some(path) = path {
        let steps: Vec<&str> = path.split('/').map(|step| if is_token(step) { "***" } else { step }).collect();
        text.push('/');
        text.push_str(&steps.join("/"));
    }
    if let Some(query) = query {
        let hide = |pair: &str| pair.split_once('=').map_or_else(|| pair.to_owned(), |(name, _)| format!("{name}=***"));
        let pairs: Vec<String> = query.split('&').map(hide).collect();
        text.push('?');
        text.push_str(&pairs.join("&"));
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
}
