//! What the MCP specification fixes, apart from any server: its revisions, keys and error codes, the JSON Schema
//! dialects, and dated numbers about the world around it.

pub mod code;
pub mod dialect;
pub mod meta;
pub mod revision;
pub mod threshold;
