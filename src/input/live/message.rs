//! The few messages that we send, and what an answer can be.

use serde_json::{Value, json};

use crate::spec::code::{self, METHOD_NOT_FOUND};
use crate::spec::meta::{META_CAPABILITIES, META_CLIENT, META_VERSION};
use crate::spec::revision::Revision;

/// Our name on the wire.
pub(super) const NAME: &str = "toolsurface";

/// An answer to a request of ours.
#[derive(Debug)]
pub(super) enum Reply {
    /// Its `result`.
    Result(Value),
    /// Its `error`.
    Error(Value),
}

/// A request.
pub(super) fn request(id: u64, method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

/// A notification.
pub(super) fn notification(method: &str, params: Option<&Value>) -> String {
    let mut message = json!({ "jsonrpc": "2.0", "method": method });
    if let (Some(params), Some(members)) = (params, message.as_object_mut()) {
        members.insert("params".to_owned(), params.clone());
    }
    message.to_string()
}

/// Our answer to a request of the server: `ping` is answered, anything else is a method that we do not have.
pub(super) fn answer(id: &Value, method: &str) -> String {
    if method == "ping" {
        return json!({ "jsonrpc": "2.0", "id": id, "result": {} }).to_string();
    }
    let error = json!({ "code": METHOD_NOT_FOUND, "message": "Method not found" });
    json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string()
}

/// The parameters of `initialize`.
pub(super) fn initialize(revision: Revision, version: &str) -> Value {
    json!({
        "protocolVersion": revision.as_str(),
        "capabilities": capabilities(),
        "clientInfo": client(version),
    })
}

/// The `_meta` of every modern request.
pub(super) fn meta(revision: Revision, version: &str) -> Value {
    json!({
        META_VERSION: revision.as_str(),
        META_CLIENT: client(version),
        META_CAPABILITIES: capabilities(),
    })
}

/// What we call ourselves.
pub(super) fn client(version: &str) -> Value {
    json!({ "name": NAME, "version": version })
}

/// The client capabilities that we declare: none, so that a server has nothing to ask of us.
pub(super) fn capabilities() -> Value {
    json!({})
}

/// Whether an error shows a modern server.
pub(super) fn is_modern(error: &Value) -> bool {
    let code = error.get("code").and_then(Value::as_i64);
    code.is_some_and(code::is_modern)
}

/// The revisions that an error says the server supports; empty when it does not say.
pub(super) fn supported(error: &Value) -> Vec<String> {
    versions(error.get("data").and_then(|data| data.get("supported"))).unwrap_or_default()
}

/// A list of revisions, if it is one.
pub(super) fn versions(list: Option<&Value>) -> Option<Vec<String>> {
    let list = list?.as_array()?;
    Some(list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}
