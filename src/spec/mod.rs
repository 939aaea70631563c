//! What the MCP specification fixes, apart from any server: its revisions, keys and error codes, and the JSON Schema
//! dialects.

pub mod code;
pub mod dialect;
pub mod meta;
pub mod revision;
