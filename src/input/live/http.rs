//! The HTTP client under a session: requests out, heads and bodies in, each on a thread of its own.
//!
//! Apart from the session so that no connection can ever block it: what comes waits in a bounded channel, and every
//! exchange has its time. HTTP/1.1 only, without cookies, through the proxy that the environment names. Each request
//! has a connection to itself, because a server may close an idle one at the moment when the next request goes out,
//! and that would look like its fault. Certificates are judged by what the system trusts: the authorities of a company
//! count, and a build of this tool does not age.

#![allow(dead_code, reason = "the session over HTTP, which comes next, is its one caller")]

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use ureq::tls::{Certificate, TlsConfig};
use ureq::{Agent, Proxy};

use super::limits::Limits;

mod cause;
mod exchange;

pub(super) use cause::{Cause, CauseKind};

/// What waits between the threads and the session; more, and the server waits.
const WAITING: usize = 16;

/// Requests that are on their way at once; more wait for one of these to end.
const MOST_FLYING: usize = 8;

/// One HTTP request as it goes out, secrets in clear.
#[derive(Clone)]
pub(super) struct Request {
    /// Its number, by which all that it brings is told apart; never used twice.
    pub(super) n: u64,
    /// Its method.
    pub(super) method: Method,
    /// Its absolute address.
    pub(super) url: String,
    /// Its headers, in this order.
    pub(super) headers: Vec<(String, String)>,
    /// Its body.
    pub(super) body: Option<String>,
}

/// The method of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// Sends a message.
    Post,
    /// Opens a stream.
    Get,
    /// Ends a session.
    Delete,
}

impl Method {
    /// Its name on the wire.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Post => "POST",
            Self::Get => "GET",
            Self::Delete => "DELETE",
        }
    }
}

/// What the network brought, each for the request `n`.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Net {
    /// Status and headers, the names in lower case. `Content-Encoding` and `Content-Length` are gone where the body
    /// was decoded.
    Head {
        /// The request.
        n: u64,
        /// The status.
        status: u16,
        /// The headers; bytes of values that are no UTF-8 are replaced.
        headers: Vec<(String, String)>,
    },
    /// A whole body, decoded; or of a `text/event-stream` one event block as received.
    Part {
        /// The request.
        n: u64,
        /// The body or the block.
        bytes: Vec<u8>,
    },
    /// A body or a block that was longer than [`Limits::line`]; its text is gone.
    Overlong {
        /// The request.
        n: u64,
        /// Its length in bytes, as far as it was read.
        bytes: u64,
    },
    /// The exchange is over.
    End {
        /// The request.
        n: u64,
        /// Why it broke off, or never came to an answer.
        cause: Option<Cause>,
    },
}

impl Net {
    /// The request that it is for.
    pub(super) fn n(&self) -> u64 {
        match self {
            Self::Head { n, .. } | Self::Part { n, .. } | Self::Overlong { n, .. } | Self::End { n, .. } => *n,
        }
    }
}

/// All exchanges of one session. Dropping it closes every connection.
pub(super) struct Client {
    shared: Arc<Shared>,
    news: Receiver<Net>,
}

/// What the threads and the client share.
struct Shared {
    /// Bytes of one body or block.
    line: usize,
    /// Bytes that all answers together may bring, and what is left of them.
    most: u64,
    left: AtomicU64,
    /// What is trusted, read when it is first needed.
    tls: OnceLock<TlsConfig>,
    proxy: Option<Proxy>,
    news: SyncSender<Net>,
    traffic: Mutex<Traffic>,
}

#[derive(Default)]
struct Traffic {
    /// Requests that are on their way, until their end is taken out of the channel. The agent closes its connection.
    flying: BTreeMap<u64, Option<Agent>>,
    /// Requests that wait for one of them to end.
    waiting: VecDeque<(Request, Duration)>,
}

impl Shared {
    fn traffic(&self) -> MutexGuard<'_, Traffic> {
        self.traffic.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the system trusts.
    fn tls(&self) -> &TlsConfig {
        self.tls.get_or_init(|| {
            // A certificate that cannot be read counts as one that is not there.
            let found = rustls_native_certs::load_native_certs().certs;
            trusting(found.iter().map(|found| Certificate::from_der(found).to_owned()))
        })
    }

    /// Notes who can close the connection of `n`; says whether anybody still wants its answer.
    fn attach(&self, n: u64, agent: &Agent) -> bool {
        let mut traffic = self.traffic();
        let place = traffic.flying.get_mut(&n);
        place.map(|place| *place = Some(agent.clone())).is_some()
    }

    /// Counts bytes that came; says whether more may come.
    fn count(&self, bytes: usize) -> bool {
        let less = |left: u64| Some(left.saturating_sub(bytes as u64));
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok_and(|left| left > bytes as u64)
    }
}

impl Client {
    /// A client without connections. [`Limits::line`] bounds one body or event block, [`Limits::stdout`] all answers
    /// together, in decoded bytes.
    pub(super) fn new(limits: &Limits) -> Self {
        Self::through(Proxy::try_from_env(), limits)
    }

    fn through(proxy: Option<Proxy>, limits: &Limits) -> Self {
        let (theirs, news) = mpsc::sync_channel(WAITING);
        let shared = Shared {
            line: limits.line,
            most: limits.stdout,
            left: AtomicU64::new(limits.stdout),
            tls: OnceLock::new(),
            proxy,
            news: theirs,
            traffic: Mutex::default(),
        };
        Self { shared: Arc::new(shared), news }
    }

    /// Sends a request. Never blocks; `time` bounds the whole exchange, the reading of its body included.
    pub(super) fn send(&self, request: Request, time: Duration) {
        self.shared.traffic().waiting.push_back((request, time));
        self.start();
    }

    /// Waits for the next thing to happen, until then; none when nothing came in time.
    pub(super) fn next(&self, until: Instant) -> Option<Net> {
        loop {
            let now = Instant::now();
            // Looked at before the channel, or a flood would never meet its deadline.
            if now >= until {
                return None;
            }
            let net = self.news.recv_timeout(until - now).ok()?;
            let wanted = match net {
                Net::End { n, .. } => self.shared.traffic().flying.remove(&n).is_some(),
                _ => self.shared.traffic().flying.contains_key(&net.n()),
            };
            if wanted {
                self.start();
                return Some(net);
            }
        }
    }

    /// Stops reading the answer to `n` and closes its connection; nothing more of it comes out of [`Self::next`].
    pub(super) fn abandon(&self, n: u64) {
        let mut traffic = self.shared.traffic();
        traffic.waiting.retain(|(request, _)| request.n != n);
        let agent = traffic.flying.remove(&n).flatten();
        drop(traffic);
        if let Some(agent) = agent {
            agent.shutdown();
        }
        self.start();
    }

    /// Does the same for all that is on its way or waits.
    pub(super) fn abandon_all(&self) {
        let traffic = std::mem::take(&mut *self.shared.traffic());
        for agent in traffic.flying.into_values().flatten() {
            agent.shutdown();
        }
    }

    /// Starts what waits, as far as there is room.
    fn start(&self) {
        let mut traffic = self.shared.traffic();
        while traffic.flying.len() < MOST_FLYING {
            let Some((request, time)) = traffic.waiting.pop_front() else { return };
            let n = request.n;
            traffic.flying.insert(n, None);
            let shared = Arc::clone(&self.shared);
            let started = Builder::new().name(format!("http {n}")).spawn(move || {
                let cause = exchange::run(&shared, &request, time).err();
                let _gone = shared.news.send(Net::End { n, cause });
            });
            if let Err(cause) = started {
                let cause = Cause::new(CauseKind::Request, format!("no thread for a request: {cause}"));
                // With a full channel it is lost, and the session's own time-out ends the wait.
                let _full = self.shared.news.try_send(Net::End { n, cause: Some(cause) });
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.abandon_all();
    }
}

fn trusting(roots: impl Iterator<Item = Certificate<'static>>) -> TlsConfig {
    TlsConfig::builder()
        .root_certs(roots.into())
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build()
}

#[cfg(test)]
mod tests;
