//! Structured content without any text beside it. What the text says is not compared: the specification itself shows
//! a summary in its place.

use std::collections::BTreeSet;

use super::super::{Context, Hit};
use crate::surface::asked::{Call, is_failed};
use crate::text::pointer::Pointer;

pub(super) fn check(cx: &Context<'_>) -> Vec<Hit> {
    let calls = cx.surface.calls().into_iter();
    let tools: BTreeSet<usize> = calls.filter(|call| is_mute(call).unwrap_or_default()).map(|call| call.tool).collect();
    tools.into_iter().map(|tool| Hit::tool(tool, Pointer::root().key("content"))).collect()
}

/// Whether a call gave structured content and no text; none when it gave no content that can be judged.
fn is_mute(call: &Call<'_>) -> Option<bool> {
    let result = call.done().filter(|result| !is_failed(result))?;
    result.get("structuredContent").filter(|content| !content.is_null())?;
    let blocks = result.get("content")?.as_array()?;
    Some(!blocks.iter().any(|block| block.get("type").is_some_and(|kind| kind == "text")))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::surface::Surface;
    use crate::surface::exchange::Exchange;

    #[test]
    fn tools_that_say_nothing_to_read() {
        let tape = |result: Value| {
            let list = serde_json::json!({ "jsonrpc": "2.0", "id": 1, "result": { "tools": [{ "name": "t" }] } });
            let answer = serde_json::json!({ "jsonrpc": "2.0", "id": 2, "result": result });
            let lines = [
                r#"{"out":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"}"#.to_owned(),
                serde_json::json!({ "in": list.to_string() }).to_string(),
                r#"{"out":"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}"}"#
                    .to_owned(),
                serde_json::json!({ "in": answer.to_string() }).to_string(),
            ];
            let surface = Surface::from_exchange("t", &Exchange::from_jsonl(&lines.join("\n")).unwrap());
            is_mute(&surface.calls()[0])
        };
        let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(tape(json(r#"{"content":[],"structuredContent":{"a":1}}"#)), Some(true));
        assert_eq!(tape(json(r#"{"content":[{"type":"text","text":"{}"}],"structuredContent":{}}"#)), Some(false));
        assert_eq!(tape(json(r#"{"content":[],"structuredContent":{},"isError":true}"#)), None);
        assert_eq!(tape(json(r#"{"structuredContent":{}}"#)), None);
        assert_eq!(tape(json(r#"{"resultType":"task","structuredContent":{},"content":[]}"#)), None);
    }
}
