//! The error codes of JSON-RPC and of the protocol.

/// The server does not have this method.
pub const METHOD_NOT_FOUND: i64 = -32601;
/// The method does not take these parameters.
pub const INVALID_PARAMS: i64 = -32602;
/// A header over HTTP is missing, or is not what the body says. Since 2026-07-28.
pub const HEADER_MISMATCH: i64 = -32020;
/// The request needs a capability that the client did not declare. Since 2026-07-28.
pub const MISSING_CAPABILITY: i64 = -32021;
/// The server does not speak the revision of the request. Since 2026-07-28.
pub const UNSUPPORTED_VERSION: i64 = -32022;

/// Whether only a server of the modern era sends this code.
pub fn is_modern(code: i64) -> bool {
    matches!(code, HEADER_MISMATCH | MISSING_CAPABILITY | UNSUPPORTED_VERSION)
}
