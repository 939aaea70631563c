//! Requests in the name of a foreign web page that were served. Which origins a public server lets in is its own
//! decision; one on this machine has nobody to let in.

use super::super::{Context, Hit};
use crate::surface::wire::Wire;
use crate::text::address::Origin;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let served = cx.surface.wire.iter().flat_map(Wire::asked).find_map(|asked| {
        asked.result()?;
        let http = asked.http?;
        let origin = http.sent("origin")?;
        let (own, other) = (Origin::of(&http.ask.url)?, Origin::of(origin)?);
        (!own.host.eq_ignore_ascii_case(&other.host)).then_some((own, origin))
    });
    let hit = served.map(|(own, origin)| Hit::server().fact("value", origin).weaker_if(!is_local(&own.host)));
    hit.into_iter().collect()
}

fn is_local(host: &str) -> bool {
    host == "[::1]"
        || host.eq_ignore_ascii_case("localhost")
        || (host.starts_with("127.") && host.split('.').count() == 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_few_names() {
        for (url, local) in [
            ("http://127.0.0.1:8080/mcp", true),
            ("http://[::1]:9/mcp", true),
            ("https://user:x@LOCALHOST", true),
            ("https://127.example.com/x", false),
            ("https://mcp.example.com:443?x", false),
        ] {
            assert_eq!(is_local(&Origin::of(url).unwrap().host), local, "{url}");
        }
    }
}
