//! Requests in the name of a foreign web page that were served. Which origins a public server lets in is its own
//! decision; one on this machine has nobody to let in.

use super::super::{Context, Hit};
use crate::surface::wire::Wire;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let served = cx.surface.wire.iter().flat_map(Wire::asked).find_map(|asked| {
        asked.result()?;
        let http = asked.http?;
        let origin = http.sent("origin")?;
        let (own, other) = (host(&http.ask.url)?, host(origin)?);
        (own != other).then_some((own, origin))
    });
    let hit = served.map(|(own, origin)| Hit::server().fact("value", origin).weaker_if(!is_local(own)));
    hit.into_iter().collect()
}

/// The host of an address, without user, port and brackets.
fn host(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let authority = authority.rsplit('@').next().unwrap_or_default();
    let host = match authority.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    Some(host).filter(|host| !host.is_empty())
}

fn is_local(host: &str) -> bool {
    host == "::1" || host.eq_ignore_ascii_case("localhost") || (host.starts_with("127.") && host.split('.').count() == 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_addresses() {
        for (url, name, local) in [
            ("http://127.0.0.1:8080/mcp", "127.0.0.1", true),
            ("http://[::1]:9/mcp", "::1", true),
            ("https://user:x@LOCALHOST", "LOCALHOST", true),
            ("https://127.example.com/x", "127.example.com", false),
            ("https://mcp.example.com:443?x", "mcp.example.com", false),
        ] {
            assert_eq!(host(url), Some(name));
            assert_eq!(is_local(name), local, "{url}");
        }
        assert_eq!(host("null"), None);
    }
}
