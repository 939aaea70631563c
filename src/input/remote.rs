//! How to reach a server over HTTP.
//!
//! Apart from the transport that uses it, because a host's config file and the command line say it too.

use std::fmt;

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
