//! The keys of `_meta` that the protocol has taken for itself.

/// The revision that a request speaks.
pub const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// Who the client is.
pub const META_CLIENT: &str = "io.modelcontextprotocol/clientInfo";
/// What the client can do.
pub const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// Who the server is, in its results.
pub const META_SERVER: &str = "io.modelcontextprotocol/serverInfo";
/// The request that subscribed to a notification.
pub const META_SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";
