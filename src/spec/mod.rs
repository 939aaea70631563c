//! What the MCP specification fixes, apart from any server: its revisions, and the JSON Schema dialects.

pub mod dialect;
pub mod revision;
