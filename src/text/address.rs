//! Addresses of HTTP: which origin one has, and where a relative one leads.

use std::fmt;

use fluent_uri::{Uri, UriRef};

/// Scheme, host and port: what decides whether credentials may be sent.
#[derive(Clone, Debug)]
pub struct Origin {
    /// Whether it is `https`.
    pub is_tls: bool,
    /// The host as written, so that what is secret in it can be found; an IPv6 address in its brackets.
    pub host: String,
    /// The port, also where the address leaves it out.
    pub port: u16,
}

impl Origin {
    /// The origin of an absolute `http` or `https` address; none when it is no such address.
    pub fn of(url: &str) -> Option<Self> {
        let url = Uri::parse(url).ok()?;
        let is_tls = match url.scheme().as_str().to_lowercase().as_str() {
            "http" => false,
            "https" => true,
            _ => return None,
        };
        let authority = url.authority().filter(|authority| !authority.host().is_empty())?;
        let port = authority.port_to_u16().ok()?.unwrap_or(default_port(is_tls));
        Some(Self { is_tls, host: authority.host().to_owned(), port })
    }

    /// Host and port, without the port that its scheme implies.
    pub fn place(&self) -> String {
        if self.port == default_port(self.is_tls) { self.host.clone() } else { format!("{}:{}", self.host, self.port) }
    }
}

impl PartialEq for Origin {
    fn eq(&self, other: &Self) -> bool {
        self.is_tls == other.is_tls && self.host.eq_ignore_ascii_case(&other.host) && self.port == other.port
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", if self.is_tls { "https" } else { "http" }, self.place())
    }
}

fn default_port(is_tls: bool) -> u16 {
    if is_tls { 443 } else { 80 }
}

/// Where `reference` leads from `base`, without its fragment; none when either is no address.
pub fn resolve(base: &str, reference: &str) -> Option<String> {
    let base = Uri::parse(base).ok()?;
    let reference = UriRef::parse(reference).ok()?;
    let target = reference.resolve_against(&base.strip_fragment()).ok()?;
    Some(target.strip_fragment().as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(url: &str) -> Option<String> {
        Origin::of(url).map(|origin| origin.to_string())
    }

    #[test]
    fn origins_are_scheme_host_and_port() {
        for (url, expected) in [
            ("https://Example.test/mcp?a=b", Some("https://Example.test")),
            ("HTTPS://example.test:443", Some("https://example.test")),
            ("http://user:secret@[::1]:8080/", Some("http://[::1]:8080")),
            ("http://example.test:443", Some("http://example.test:443")),
            ("file:///etc/passwd", None),
            ("http:///mcp", None),
            ("http://example.test:99999/", None),
            ("/mcp", None),
        ] {
            assert_eq!(origin(url).as_deref(), expected, "{url}");
        }
        assert_ne!(Origin::of("http://a.test"), Origin::of("https://a.test"));
        assert_eq!(Origin::of("http://a.test:80/x"), Origin::of("http://A.test"));
    }

    #[test]
    fn references_are_resolved() {
        for (reference, expected) in [
            ("/messages?id=1", Some("https://a.test/messages?id=1")),
            ("messages", Some("https://a.test/v1/messages")),
            ("?id=1", Some("https://a.test/v1/sse?id=1")),
            ("../m#f", Some("https://a.test/m")),
            ("//b.test/m", Some("https://b.test/m")),
            ("http://a.test/m", Some("http://a.test/m")),
            ("with space", None),
        ] {
            assert_eq!(resolve("https://a.test/v1/sse#top", reference).as_deref(), expected, "{reference}");
        }
    }
}
