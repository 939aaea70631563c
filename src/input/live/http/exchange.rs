//! One request and its answer, followed through redirects, on a thread that may block.

use std::io::Read as _;
use std::time::{Duration, Instant};

use ureq::http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use ureq::http::{self, Response, StatusCode};
use ureq::tls::RootCerts;
use ureq::{Agent, Body, Error};

use super::cause::{self, At, Cause, CauseKind};
use super::{Method, Net, Request, Shared};
use crate::text::address::{Origin, resolve};
use crate::text::safe;
use crate::text::sse::{Block, Blocks};

/// How long a name may take to be resolved, and then a connection to be made.
const CONNECT: Duration = Duration::from_secs(10);

/// Redirects of the same origin that are followed.
const MOST_REDIRECTS: usize = 3;

/// Bytes of a response's headers.
const MOST_HEADERS: usize = 64 * 1024;

/// Letters of an address that a cause repeats.
const MOST_ADDRESS: usize = 300;

/// Sends `request` and reports what comes, all but the end.
///
/// # Errors
///
/// Why the answer broke off, or never came.
pub(super) fn run(shared: &Shared, request: &Request, time: Duration) -> Result<(), Cause> {
    let began = Instant::now();
    let mut url = request.url.clone();
    for _ in 0..=MOST_REDIRECTS {
        let hop = Hop::new(shared, request, &url, time)?;
        let Some(response) = hop.call(time.saturating_sub(began.elapsed()))? else { return Ok(()) };
        match hop.redirect(&response)? {
            Some(target) => url = target,
            None => return hop.answer(response),
        }
    }
    Err(Cause::new(CauseKind::Redirect, format!("redirects more than {MOST_REDIRECTS} times")))
}

/// One request to one address.
struct Hop<'e> {
    shared: &'e Shared,
    request: &'e Request,
    url: &'e str,
    origin: Origin,
    /// Host and port of the proxy that this address is reached through.
    proxy: Option<String>,
    time: Duration,
}

impl<'e> Hop<'e> {
    fn new(shared: &'e Shared, request: &'e Request, url: &'e str, time: Duration) -> Result<Self, Cause> {
        let no_address = || Cause::new(CauseKind::Request, "the address of the server is no `http` or `https` address");
        let origin = Origin::of(url).ok_or_else(no_address)?;
        let uri: http::Uri = url.parse().map_err(|_| no_address())?;
        let proxy = shared.proxy.as_ref().filter(|proxy| !proxy.is_no_proxy(&uri));
        let proxy = proxy.map(|proxy| format!("{}:{}", proxy.host(), proxy.port()));
        Ok(Self { shared, request, url, origin, proxy, time })
    }

    /// The head of the answer; none when nobody wants it any more.
    fn call(&self, left: Duration) -> Result<Option<Response<Body>>, Cause> {
        let mut head = http::Request::builder().uri(self.url).method(self.request.method.as_str());
        for (name, value) in &self.request.headers {
            head = head.header(header_name(name)?, header_value(name, value)?);
        }
        let agent = self.agent(left)?;
        if !self.shared.attach(self.request.n, &agent) {
            return Ok(None);
        }
        let response = match &self.request.body {
            Some(body) => head.body(body.as_str()).map_err(Error::from).and_then(|request| agent.run(request)),
            None => head.body(()).map_err(Error::from).and_then(|request| agent.run(request)),
        };
        response.map(Some).map_err(|error| self.cause(&error, None))
    }

    fn agent(&self, left: Duration) -> Result<Agent, Cause> {
        let mut config = Agent::config_builder()
            .proxy(self.shared.proxy.clone())
            .user_agent(concat!("toolsurface/", env!("CARGO_PKG_VERSION")))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_response_header_size(MOST_HEADERS)
            .timeout_global(Some(left))
            .timeout_resolve(Some(CONNECT))
            .timeout_connect(Some(CONNECT));
        // A proxy may want TLS too.
        if self.origin.is_tls || self.proxy.is_some() {
            config = config.tls_config(self.shared.tls().clone());
        }
        let config = config.build();
        if self.origin.is_tls
            && matches!(config.tls_config().root_certs(), RootCerts::Specific(none) if none.is_empty())
        {
            let text = "no certificates of authorities were found on this system, by which to trust a server; install \
                        `ca-certificates`, or name a file with them in SSL_CERT_FILE";
            return Err(Cause::new(CauseKind::Tls, text));
        }
        Ok(config.into())
    }

    /// Where the answer says that the request should go instead, if it does.
    fn redirect(&self, response: &Response<Body>) -> Result<Option<String>, Cause> {
        let status = response.status();
        let keeps_body = match status {
            StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT => true,
            StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND | StatusCode::SEE_OTHER => false,
            _ => return Ok(None),
        };
        let Some(location) = response.headers().get(LOCATION).map(text) else { return Ok(None) };
        let refused = |text| Err(Cause::new(CauseKind::Redirect, text));
        let said = quoted(&location);
        let Some(target) = resolve(self.url, &location) else {
            return refused(format!("redirects to {said}, which is no address"));
        };
        match Origin::of(&target) {
            Some(origin) if origin == self.origin => {}
            Some(origin) => {
                return refused(format!(
                    "redirects to another origin, {}, where no credentials are sent; point at it directly if that is \
                     meant",
                    quoted(&origin.to_string())
                ));
            }
            None => return refused(format!("redirects to {said}, which is no `http` or `https` address")),
        }
        if self.request.method == Method::Post && !keeps_body {
            return refused(format!(
                "answers POST with the redirect {} to {said}, on which the message would be lost; point at that address",
                status.as_u16()
            ));
        }
        Ok(Some(target))
    }

    /// Reports the answer as it comes.
    fn answer(&self, response: Response<Body>) -> Result<(), Cause> {
        let n = self.request.n;
        let (head, body) = response.into_parts();
        let headers = headers(&head.headers);
        let length: usize = headers.iter().map(|(name, value)| name.len() + value.len()).sum();
        self.report(Net::Head { n, status: head.status.as_u16(), headers });
        self.count(length)?;
        let mut read = cause::Body { bytes: 0, promised: body.content_length() };
        let mut pieces = Pieces::new(is_stream(&head.headers), self.shared.line);
        let result = self.body(body, &mut pieces, &mut read);
        // The part of an answer that broke off is no answer, but that it was too long is still worth saying.
        if let Some(piece) = pieces.end().filter(|piece| result.is_ok() || matches!(piece, Block::Overlong(_))) {
            self.report_piece(piece);
        }
        match pieces.open() {
            0 => result,
            open => result.and(Err(Cause::new(
                CauseKind::Broken,
                format!(
                    "the stream ended in the middle of an event, {} bytes into it; a blank line must end it",
                    safe::thousands(open)
                ),
            ))),
        }
    }

    fn body(&self, body: Body, pieces: &mut Pieces, read: &mut cause::Body) -> Result<(), Cause> {
        let mut reader = body.into_reader();
        let mut chunk = vec![0; 64 * 1024];
        loop {
            let length = reader.read(&mut chunk).map_err(|error| self.cause(&Error::from(error), Some(*read)))?;
            if length == 0 {
                return Ok(());
            }
            read.bytes = read.bytes.saturating_add(length as u64);
            for piece in pieces.push(chunk.get(..length).unwrap_or_default()) {
                self.report_piece(piece);
            }
            self.count(length)?;
        }
    }

    /// Counts what came, heads too.
    fn count(&self, length: usize) -> Result<(), Cause> {
        if self.shared.count(length) {
            return Ok(());
        }
        let most = safe::thousands(self.shared.most);
        let text = format!("the server sent {most} bytes in all, and the rest was not read");
        Err(Cause::new(CauseKind::Excess, text))
    }

    fn report_piece(&self, piece: Block) {
        let n = self.request.n;
        self.report(match piece {
            Block::Whole(bytes) => Net::Part { n, bytes },
            Block::Overlong(bytes) => Net::Overlong { n, bytes },
        });
    }

    /// Without a listener it is lost; the connection is then closed from outside, which ends the reading too.
    fn report(&self, net: Net) {
        let _gone = self.shared.news.send(net);
    }

    fn cause(&self, error: &Error, body: Option<cause::Body>) -> Cause {
        let at = At { origin: &self.origin, proxy: self.proxy.as_deref(), time: self.time, connect: CONNECT, body };
        cause::of(error, &at)
    }
}

/// A body on its way to its pieces.
enum Pieces {
    /// A body that counts when it is whole.
    Whole { most: usize, held: Vec<u8>, length: u64 },
    /// A stream, block by block.
    Stream(Blocks),
}

impl Pieces {
    fn new(is_stream: bool, most: usize) -> Self {
        if is_stream { Self::Stream(Blocks::new(most)) } else { Self::Whole { most, held: Vec::new(), length: 0 } }
    }

    /// Takes in a chunk and gives back the pieces that it ends.
    fn push(&mut self, chunk: &[u8]) -> Vec<Block> {
        match self {
            Self::Stream(blocks) => return blocks.push(chunk),
            Self::Whole { most, held, length } => {
                *length = length.saturating_add(chunk.len() as u64);
                if *length > *most as u64 {
                    *held = Vec::new();
                } else {
                    held.extend_from_slice(chunk);
                }
            }
        }
        Vec::new()
    }

    /// The piece that the end of the body ends.
    fn end(&mut self) -> Option<Block> {
        match self {
            Self::Stream(_) | Self::Whole { length: 0, .. } => None,
            Self::Whole { most, length, .. } if *length > *most as u64 => Some(Block::Overlong(*length)),
            Self::Whole { held, .. } => Some(Block::Whole(std::mem::take(held))),
        }
    }

    /// Bytes that no piece holds.
    fn open(&self) -> u64 {
        match self {
            Self::Stream(blocks) => blocks.open(),
            Self::Whole { .. } => 0,
        }
    }
}

fn header_name(name: &str) -> Result<HeaderName, Cause> {
    HeaderName::try_from(name).map_err(|_| {
        Cause::new(CauseKind::Request, format!("{} is no name that a header may have", safe::quoted(name)))
    })
}

/// The value, which no output may hold.
fn header_value(name: &str, value: &str) -> Result<HeaderValue, Cause> {
    HeaderValue::try_from(value).map_err(|_| {
        let name = safe::quoted(name);
        Cause::new(
            CauseKind::Request,
            format!("the value of the header {name} holds a line break or another control character"),
        )
    })
}

fn headers(map: &HeaderMap) -> Vec<(String, String)> {
    map.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect()
}

fn text(value: &HeaderValue) -> String {
    String::from_utf8_lossy(value.as_bytes()).into_owned()
}

fn is_stream(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).map(text).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("text/event-stream"))
}

/// An address that the server named. In full, so that the user's secrets can be found in it and masked.
fn quoted(address: &str) -> String {
    if address.chars().count() > MOST_ADDRESS {
        return "an address that is too long to show".to_owned();
    }
    format!("`{}`", safe::line(address).replace('`', "'"))
}
