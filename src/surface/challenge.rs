//! The `WWW-Authenticate` header of a server that asks for authorization.

use std::fmt;

use crate::text::{address::Origin, safe};

/// Where the metadata of a protected resource stands on a host, when nobody says where it is.
pub const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// Where the metadata of a protected resource stands when nobody says it: for its own path first, then for its host.
pub fn metadata_of(url: &str) -> Vec<String> {
    let Some(origin) = Origin::of(url) else { return Vec::new() };
    let path = url.splitn(4, '/').nth(3).unwrap_or_default();
    let path = path.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let own = (!path.is_empty()).then(|| format!("{origin}{WELL_KNOWN}/{path}"));
    own.into_iter().chain([format!("{origin}{WELL_KNOWN}")]).collect()
}

/// One challenge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Challenge {
    /// The scheme, such as `Bearer`.
    pub scheme: String,
    /// Names in lower case, and values without their quotes.
    pub parameters: Vec<(String, String)>,
}

impl Challenge {
    /// Reads the first challenge of a header's value; none when it names no scheme.
    pub fn read(value: &str) -> Option<Self> {
        let value = value.trim();
        let (scheme, mut rest) = value.split_once(' ').unwrap_or((value, ""));
        if scheme.is_empty() || scheme.contains(['=', ',']) {
            return None;
        }
        let mut parameters = Vec::new();
        while let Some((name, after)) = rest.trim_start_matches([' ', ',', '\t']).split_once('=') {
            // A further scheme stands before its first parameter.
            if name.trim().contains(' ') {
                break;
            }
            let (text, left) = value_of(after.trim_start());
            parameters.push((name.trim().to_lowercase(), text));
            rest = left;
        }
        Some(Self { scheme: scheme.to_owned(), parameters })
    }

    /// The value of a parameter, by its name in lower case.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Where the metadata of the protected resource stands.
    pub fn resource_metadata(&self) -> Option<&str> {
        self.parameter("resource_metadata")
    }
}

/// A token or a quoted text at the start, and what follows it.
fn value_of(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([',', ' ']).unwrap_or(text.len());
        let (token, rest) = text.split_at(end);
        return (token.to_owned(), rest);
    };
    let mut value = String::new();
    let mut letters = quoted.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (value, quoted.get(at + 1..).unwrap_or_default()),
            '\\' => value.extend(letters.next().map(|(_, letter)| letter)),
            _ => value.push(letter),
        }
    }
    (value, "")
}

/// Scheme, scopes and metadata in a few words.
impl fmt::Display for Challenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "scheme {}", safe::quoted(&self.scheme))?;
        for (name, shown) in [("scope", "scopes"), ("error", "error"), ("resource_metadata", "resource metadata at")] {
            if let Some(value) = self.parameter(name) {
                write!(f, ", {shown} {}", safe::quoted(value))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_stands_at_two_places() {
        let place = "https://a.test/.well-known/oauth-protected-resource";
        assert_eq!(metadata_of("https://u:p@a.test/v1/mcp?key=1"), [format!("{place}/v1/mcp"), place.to_owned()]);
        assert_eq!(metadata_of("https://a.test/"), [place]);
        assert!(metadata_of("mcp").is_empty());
    }

    #[test]
    fn parameters_are_read() {
        let read = |text| Challenge::read(text).unwrap();
        let full = read(
            r#"Bearer realm="a, \"b\"", scope="tools:read x" , Resource_Metadata=https://h/.well-known/x, error=invalid_token"#,
        );
        assert_eq!(full.scheme, "Bearer");
        assert_eq!(full.parameter("realm"), Some("a, \"b\""));
        assert_eq!(full.resource_metadata(), Some("https://h/.well-known/x"));
        assert_eq!(
            full.to_string(),
            "scheme `Bearer`, scopes `tools:read x`, error `invalid_token`, resource metadata at `https://h/.well-known/x`"
        );
        assert_eq!(read("Bearer").parameters, []);
        assert_eq!(read("Basic realm=\"x\", Bearer scope=\"y\"").parameters.len(), 1);
        assert_eq!(Challenge::read("scope=\"x\""), None);
        assert_eq!(Challenge::read(""), None);
    }
}
