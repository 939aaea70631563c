//! Text and JSON as received, before anything is known of MCP.
//!
//! Apart from the rest because it is where hostile bytes become values: every function here is total, bounded and
//! ignorant of tools, rules and reports.

pub mod address;
pub mod digest;
pub mod escape;
pub mod header;
pub mod json;
pub mod log;
pub mod markdown;
pub mod near;
pub mod pointer;
pub mod regular;
pub mod safe;
pub(crate) mod secret;
pub mod sse;
pub mod veil;
