//! Why an exchange failed, in words for a user.
//!
//! Apart from the exchange, because the HTTP library, TLS and the system each have their own errors, and a user needs
//! one sentence with the way out. What the server said enters only as an origin or an address, never as free text.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::time::Duration;

use rustls::{AlertDescription, CertificateError};
use ureq::{Error, Timeout};

use super::super::limits::spoken;
use crate::text::{address::Origin, safe};

/// Why an exchange failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Cause {
    /// What failed.
    pub(in super::super) kind: CauseKind,
    /// A clause for a user: the true cause and the way out. It can hold an address that the server named.
    pub(in super::super) text: String,
}

/// What failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum CauseKind {
    /// The request cannot be sent as the user wrote it.
    Request,
    /// No connection.
    Connect,
    /// No TLS over the connection.
    Tls,
    /// Time ran out.
    Timeout,
    /// A redirect that is not followed.
    Redirect,
    /// What came is no HTTP, or it ended early.
    Broken,
    /// More came than is read.
    Excess,
}

impl Cause {
    pub(super) fn new(kind: CauseKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}

/// The way out when a proxy is in the way.
const PROXY: &str = "ALL_PROXY, HTTPS_PROXY or HTTP_PROXY names it, and NO_PROXY says where it is not used";

/// How far an exchange had come.
pub(super) struct At<'e> {
    /// Where the request went.
    pub(super) origin: &'e Origin,
    /// Host and port of the proxy in between.
    pub(super) proxy: Option<&'e str>,
    /// The time that the whole exchange had.
    pub(super) time: Duration,
    /// The time that the connection had.
    pub(super) connect: Duration,
    /// How much of the answer came, once its head was there.
    pub(super) body: Option<Body>,
}

/// How much of a body came.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    /// Its bytes, decoded.
    pub(super) bytes: u64,
    /// How many its `Content-Length` promises.
    pub(super) promised: Option<u64>,
}

impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = safe::thousands(self.bytes);
        match self.promised {
            Some(promised) => write!(f, "{bytes} of {} bytes", safe::thousands(promised)),
            None => write!(f, "{bytes} bytes"),
        }
    }
}

/// The cause that an error of the HTTP library stands for.
pub(super) fn of(error: &Error, at: &At<'_>) -> Cause {
    let place = safe::line(&at.origin.place());
    match error {
        Error::Timeout(which) => time_out(*which, at, &place),
        Error::Io(cause) => match cause.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
            Some(cause) => tls(cause, &place),
            None => network(cause, at, &place),
        },
        Error::HostNotFound => {
            Cause::new(CauseKind::Connect, format!("the host of `{place}` has no address; check it, and the network"))
        }
        Error::Rustls(cause) => tls(cause, &place),
        Error::ConnectProxyFailed(reason) => {
            let proxy = safe::line(at.proxy.unwrap_or_default());
            Cause::new(
                CauseKind::Connect,
                format!("the proxy `{proxy}` does not connect to `{place}`: {reason}; {PROXY}"),
            )
        }
        Error::LargeResponseHeader(_, most) => {
            let most = safe::thousands(*most as u64);
            Cause::new(CauseKind::Excess, format!("the headers of its answer are longer than {most} bytes"))
        }
        Error::Decompress(..) => {
            Cause::new(CauseKind::Broken, "the body is not the gzip that its `Content-Encoding` says")
        }
        other => unreadable(&other.to_string(), at),
    }
}

fn time_out(which: Timeout, at: &At<'_>, place: &str) -> Cause {
    let text = match (which, at.body) {
        (Timeout::Resolve | Timeout::Connect, _) => {
            let (to, within) = (at.proxy.map_or(place.to_owned(), safe::line), spoken(at.connect));
            let tls = if at.origin.is_tls { "does it speak TLS on this port, and " } else { "" };
            format!("no connection to `{to}` within {within}: {tls}can it be reached from here without a proxy?")
        }
        (_, None) => format!("no answer within {}", spoken(at.time)),
        (_, Some(body)) => format!("the answer had not ended after {}; {body} of it had come", spoken(at.time)),
    };
    Cause::new(CauseKind::Timeout, text)
}

fn network(cause: &io::Error, at: &At<'_>, place: &str) -> Cause {
    let words = cause.to_string();
    let words = words.split(" (os error").next().unwrap_or_default();
    let place = at.proxy.map_or_else(|| format!("`{place}`"), |proxy| format!("the proxy `{}`", safe::line(proxy)));
    // The standard library has no kind for this.
    if let Some(why) = words.strip_prefix("failed to lookup address information: ") {
        let way_out = if at.proxy.is_some() { PROXY } else { "check the address, and the network" };
        return Cause::new(CauseKind::Connect, format!("the host of {place} is not known: {why}; {way_out}"));
    }
    match (cause.kind(), at.body) {
        (ErrorKind::ConnectionRefused, _) => Cause::new(
            CauseKind::Connect,
            match at.proxy {
                None => format!("connection refused: does a server listen on {place}?"),
                Some(_) => format!("connection refused by {place}; {PROXY}"),
            },
        ),
        (_, Some(body)) => Cause::new(CauseKind::Broken, format!("the answer broke off after {body}")),
        (
            ErrorKind::UnexpectedEof
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe,
            _,
        ) => {
            let ending = if at.origin.is_tls { "; does it speak TLS on this port?" } else { "" };
            Cause::new(CauseKind::Broken, format!("{place} closed the connection before it answered{ending}"))
        }
        _ => Cause::new(CauseKind::Connect, format!("{place} cannot be reached: {words}; check the network")),
    }
}

fn tls(error: &rustls::Error, place: &str) -> Cause {
    const STORE: &str = "put its certificate into the store of the system, or name its file in SSL_CERT_FILE";
    let text = match error {
        rustls::Error::InvalidCertificate(why) => {
            let why = match why {
                CertificateError::UnknownIssuer => format!(
                    "no authority that this system knows has signed it; if it is self-signed or of a private \
                     authority, {STORE}"
                ),
                CertificateError::BadSignature => {
                    format!("it is not the one that is trusted under this name; was it made anew since? Then {STORE}")
                }
                // Its name in the library is all that tells it.
                other if other.to_string().contains("CaUsedAsEndEntity") => {
                    "it is made for an authority (CA:TRUE) and not for a server; make one with the extension \
                     `basicConstraints=CA:FALSE`"
                        .to_owned()
                }
                CertificateError::Expired | CertificateError::ExpiredContext { .. } => "it has expired".to_owned(),
                CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                    "it is not valid yet; is the clock right?".to_owned()
                }
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                    "it was made out to another name; use the name that it holds".to_owned()
                }
                // The server's own names can stand in the text of others.
                other => format!("{}; {STORE}", safe::clip(&other.to_string(), 120)),
            };
            format!("the certificate of `{place}` is not trusted: {why}{}", named_file())
        }
        rustls::Error::InvalidMessage(_) => {
            format!("`{place}` does not speak TLS; does its address begin with `http://`?")
        }
        rustls::Error::AlertReceived(AlertDescription::CertificateRequired) => {
            format!("`{place}` asks for a client certificate, and none can be sent")
        }
        rustls::Error::AlertReceived(alert) => format!("`{place}` refused TLS with the alert {alert:?}"),
        other => format!("no TLS with `{place}`: {}", safe::clip(&other.to_string(), 120)),
    };
    Cause::new(CauseKind::Tls, text)
}

/// A word on a file of certificates that was to be trusted and holds none.
fn named_file() -> String {
    let named = std::env::var_os("SSL_CERT_FILE").map(PathBuf::from);
    let holds_one = |path: &PathBuf| {
        let text = std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        text.contains("-----BEGIN CERTIFICATE")
    };
    named.filter(|path| !(path.is_file() && holds_one(path))).map_or_else(String::new, |path| {
        format!("; SSL_CERT_FILE names {}, which holds no certificate", safe::quoted(&path.to_string_lossy()))
    })
}

/// What came breaks HTTP itself. The library's words are few and its own, except where they quote.
fn unreadable(words: &str, at: &At<'_>) -> Cause {
    if words.contains("too many headers") {
        return Cause::new(CauseKind::Excess, "its answer has more headers than are read");
    }
    let words = words.strip_prefix("protocol: ").unwrap_or(words);
    let words = safe::clip(words.strip_prefix("http parse fail: ").unwrap_or(words), 120);
    let text = match at.body {
        Some(_) => format!("the body is not framed as HTTP wants: {words}"),
        None if words == "invalid HTTP version" && !at.origin.is_tls => {
            "what came is no HTTP/1.1 answer; if the server speaks TLS, its address begins with `https://`".to_owned()
        }
        None => format!("the head of its answer breaks HTTP: {words}"),
    };
    Cause::new(CauseKind::Broken, text)
}
