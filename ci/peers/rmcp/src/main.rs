//! A server on `rmcp`: `stdio`, or `http`, `json` with a port; both eras.

use std::sync::Arc;

use rmcp::model::{Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use serde_json::{Map, Value, json};

const TOOLS: &str = include_str!("../../tools.json");

struct Peer;

impl ServerHandler for Peer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("peer", "1.2.3"))
            .with_instructions("Numbers have twelve digits.")
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools: Map<String, Value> = serde_json::from_str(TOOLS).unwrap();
        let number = json!({"type": "string", "minLength": 12, "description": "Number of the parcel"});
        let schema = json!({"type": "object", "properties": {"number": number}, "required": ["number"]});
        let tools = tools
            .into_iter()
            .map(|(name, description)| {
                json!({"name": name, "description": description, "inputSchema": schema,
                    "annotations": {"readOnlyHint": true}})
            })
            .map(|tool| serde_json::from_value::<Tool>(tool).unwrap())
            .collect();
        Ok(ListToolsResult::with_all_items(tools))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let words: Vec<String> = std::env::args().collect();
    let Some(port) = words.get(2) else {
        Peer.serve(rmcp::transport::stdio()).await.unwrap().waiting().await.unwrap();
        return;
    };
    let plain = words[1] == "json";
    let config = StreamableHttpServerConfig::default().with_json_response(plain).with_legacy_session_mode(!plain);
    let service = StreamableHttpService::new(|| Ok(Peer), Arc::new(LocalSessionManager::default()), config);
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await.unwrap();
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await.unwrap();
}
