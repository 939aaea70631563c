//! A real peer: a server built with `rmcp`, audited live in both eras. Without a test harness, because this program
//! is the server too: with `--serve` it speaks MCP on its standard input and output.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests fail by panicking")]

mod common;

use std::time::Duration;

use common::{Place, healthy};
use rmcp::model::{
    Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool as Offered,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use toolsurface::input::live::{EraChoice, Launch, Options, Server, converse};
use toolsurface::spec::revision::Era;
use toolsurface::surface::{Surface, Tool};

const INSTRUCTIONS: &str = "Numbers of parcels have twelve digits.";
const NAMES: [&str; 3] = ["find_parcel", "trace_parcel", "weigh_parcel"];

/// Arguments of `cargo test`, such as a filter, are none of ours.
fn main() {
    if std::env::args().any(|arg| arg == "--serve") {
        serve();
        return;
    }
    for (choice, era, revision) in [
        (EraChoice::Auto, Era::Modern, "2026-07-28"),
        (EraChoice::Legacy, Era::Legacy, "2025-11-25"),
        (EraChoice::Modern, Era::Modern, "2026-07-28"),
    ] {
        a_real_peer_is_read_whole(choice, era, revision);
        let defaults: &[&str] = if era == Era::Modern { &["cache-ttl-zero", "server-info-missing"] } else { &[] };
        a_real_peer_is_found_healthy(choice, defaults);
    }
}

fn command() -> Vec<String> {
    vec![std::env::current_exe().unwrap().display().to_string(), "--serve".to_owned()]
}

fn a_real_peer_is_read_whole(choice: EraChoice, era: Era, revision: &str) {
    let launch = Launch { command: command(), ..Launch::default() };
    // So long that a busy machine is not taken for a silent server.
    let options = Options { era: choice, probe_time: Duration::from_secs(20), ..Options::default() };
    let exchange = converse(Server::Local(&launch), &options, &|_| ());
    let surface = Surface::from_exchange("peer", &exchange);
    let told = exchange.to_jsonl();
    assert_eq!(surface.incidents, [], "{choice:?}\n{told}");
    assert_eq!((surface.era, surface.negotiated.as_deref()), (Some(era), Some(revision)), "{told}");
    let names: Vec<_> = surface.tools.iter().map(Tool::name).collect();
    assert_eq!(names, NAMES.map(Some), "{told}");
    assert_eq!(surface.pages.len(), 2, "{told}");
    assert_eq!(surface.instructions.as_deref(), Some(INSTRUCTIONS), "{told}");
    assert_eq!(
        (surface.server.name.as_deref(), surface.server.version.as_deref()),
        (Some("peer"), Some("1.2.3")),
        "{told}"
    );
    let wire = surface.wire.unwrap();
    assert!(wire.noise.is_empty() && wire.invalid_utf8.is_empty(), "{told}");
    for tool in &surface.tools {
        assert_eq!(tool.value, healthy(tool.name().unwrap()), "{told}");
    }
}

/// Healthy but for what the library leaves at its default.
fn a_real_peer_is_found_healthy(choice: EraChoice, defaults: &[&str]) {
    let command = command();
    let args =
        ["audit", "--format", "json", "--fail-on", "warn", "--probe-timeout", "20", "--era", choice.as_str(), "--"];
    let args: Vec<&str> = args.into_iter().chain(command.iter().map(String::as_str)).collect();
    let ran = Place::new().run(&args).exits(0).quiet();
    assert_eq!(ran.rules("new"), defaults);
}

struct Peer;

impl ServerHandler for Peer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("peer", "1.2.3"))
            .with_instructions(INSTRUCTIONS)
    }

    /// Two pages.
    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let first = request.and_then(|request| request.cursor).is_none();
        let (names, next) = if first { (&NAMES[..2], Some("2".to_owned())) } else { (&NAMES[2..], None) };
        let tools = names.iter().map(|name| serde_json::from_value::<Offered>(healthy(name)).unwrap()).collect();
        Ok(ListToolsResult { next_cursor: next, ..ListToolsResult::with_all_items(tools) })
    }
}

fn serve() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let running = Peer.serve(rmcp::transport::stdio()).await.unwrap();
        running.waiting().await.unwrap();
    });
}
