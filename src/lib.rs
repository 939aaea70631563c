//! toolsurface audits the tool surface of MCP servers.
pub mod check;
pub mod demo;
pub mod error;
pub mod exit;
pub mod finding;
pub mod input;
pub mod measure;
pub mod metric;
pub mod rule;
pub mod spec;
pub mod subject;
pub mod surface;
pub mod text;
