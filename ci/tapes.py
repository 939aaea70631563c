"""Makes real input of a case: a list file, or a capture of what a client and the server of the case would say.

`../shared/cases/FORMAT.md` says what each mode holds. What a case does not show is left out: it is unknown.
"""

import json
import re
import shlex

NEWEST_LEGACY = "2025-11-25"
URL = "https://case.example.test/mcp"
JSON_TYPE = [["content-type", "application/json"]]
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "replay", "version": "1"}}
TOOL = {"name": "get_time", "title": "Get time", "description": "Gets the time of day at the server.",
        "inputSchema": {"type": "object", "additionalProperties": False},
        "annotations": {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False}}


class NotBuilt(Exception):
    """What the case needs and this script or the binary lacks: reason and detail."""


# ---- the text of a case, as written: numbers, escapes and member order survive ----

def blank(text, at):
    return re.compile(r"\s*").match(text, at).end()


def entries(text, at):
    """Key or index, start and end of each value inside the object or array that opens at `at`."""
    decode, is_object = json.JSONDecoder().raw_decode, text[at] == "{"
    at, index = blank(text, at + 1), 0
    while text[at] not in "}]":
        key = index
        if is_object:
            key, at = decode(text, at)
            at = blank(text, blank(text, at) + 1)
        end = decode(text, at)[1]
        yield key, at, end
        at, index = blank(text, end), index + 1
        if text[at] == ",":
            at = blank(text, at + 1)


def raw(text, *path):
    """The text of the value at a path, without blanks around it."""
    start, end = blank(text, 0), len(text.rstrip())
    for step in path:
        start, end = next((a, b) for key, a, b in entries(text, start) if key == step)
    return text[start:end]


def compact(text):
    return re.sub(r'("(?:[^"\\]|\\.)*")|\s+', r"\1", text)


# ---- input: what each mode becomes ----

def list_file(case, text):
    return "case.json", raw(text, "input")


def out(number, method, params=None):
    return {"out": json.dumps(request(number, method, params))}


def request(number, method, params=None):
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}
    if number is None:
        del message["id"]
    return message


def answer(number, result):
    """The text of an answer, around the text of its result."""
    return '{"jsonrpc":"2.0","id":%d,"result":%s}' % (number, result)


def greeting(version):
    client = {"name": "replay", "version": "1"}
    return {"protocolVersion": version, "capabilities": {}, "clientInfo": client}


def capture(frames, begins=({"event": "spawn"},), **made):
    lines = [{"capture": "toolsurface/1", **made}, *begins, *frames]
    return "case.jsonl", "".join(json.dumps(line) + "\n" for line in lines)


def pages_capture(case, text):
    """Requests with each page's cursor, and the answers. What opened the session is unknown, so it is left out."""
    frames = []
    for index, page in enumerate(case["input"]["pages"]):
        number = index + 2
        frames.append(out(number, "tools/list", {"cursor": page["cursor"]} if page["cursor"] is not None else None))
        result = compact(raw(text, "input", "pages", index, "result"))
        frames.append({"in": answer(number, result)})
    return capture(frames)


def answers(lines):
    """The results of the answers on stdout, by id; an error counts as an answer without a result."""
    found = {}
    for line in lines:
        try:
            message = json.loads(line)
        except ValueError:
            continue
        if isinstance(message, dict) and isinstance(message.get("id"), int) and {"result", "error"} & message.keys():
            result = message.get("result")
            found[message["id"]] = result if isinstance(result, dict) else {}
    return found


def stdio_capture(case, text):
    """A legacy client that lists once, and again when it is told of a change; then the server's stderr and its end.

    Each request stands where such a client sends it: the first two when the one before is answered, the further page
    when its cursor is there, and a new list only when the server answers one.
    """
    data = case["input"]
    found = answers(data["stdout"])
    frames = [out(1, "initialize", greeting(found.get(1, {}).get("protocolVersion", NEWEST_LEGACY)))]
    sent, cursor = 1, None
    for line in data["stdout"]:
        number = next(iter(answers([line])), None)
        if number == sent + 1 and sent > 1:
            sent += 1
            frames.append(out(sent, "tools/list"))
        frames.append({"in": line})
        if number == sent == 1:
            frames += [out(None, "notifications/initialized"), out(2, "tools/list")]
            sent = 2
        elif number == sent and found[number].get("nextCursor") is not None:
            sent += 1
            frames.append(out(sent, "tools/list", {"cursor": found[number]["nextCursor"]}))
    frames += [{"err": line} for line in data["stderr"]]
    if "exit_code" in data:
        frames.append({"event": "exit", "code": data["exit_code"]})
    return capture(frames)


def timing_capture(case, text):
    """Starts with their times. What was listed is not shown; one tool without a fault stands for it."""
    data, frames, number = case["input"], [], 0
    opened = {"protocolVersion": NEWEST_LEGACY, "capabilities": {"tools": {}}, "serverInfo": {"name": "a", "version": "1"}}
    for event in data["events"]:
        at, what = event["t_ms"], event["event"]
        if what in ("spawn", "respawn"):
            number = 1
            made = [{"event": "spawn"}, out(1, "initialize", greeting(NEWEST_LEGACY))]
        elif what == "initialize-result":
            number = 2
            made = [{"in": answer(1, json.dumps(opened))}, out(None, "notifications/initialized"), out(2, "tools/list")]
        elif what == "tools-list-result":
            made = [{"in": answer(number, json.dumps({"tools": [TOOL]}))}]
        elif what == "exit":
            made = [{"event": "exit", "code": event.get("exit_code")}]
        else:
            raise NotBuilt("event", what)
        frames += [{**frame, "ms": at} for frame in made]
    return capture(frames, begins=(), command=shlex.split(data["launch"]))


def posted(number, message, body, status=200, headers=(), more=()):
    """The frames of one request over HTTP, with the text of the answer's body or without any."""
    sent = [["Content-Type", "application/json"], ["Accept", "application/json, text/event-stream"], *more]
    frames = [{"ask": number, "method": "POST", "url": URL, "headers": sent, "body": json.dumps(message)},
              {"head": number, "status": status, "headers": list(headers)}]
    if body is not None:
        frames.append({"part": number, "text": body})
    return [*frames, {"end": number}]


def http_capture(case, text):
    """A client that asks for what the case shows, in its order, and then for the list if the case does not show it."""
    data, frames, number = case["input"], [{"event": "connect"}], 0
    secret = [["Authorization", "***"]] if data.get("credentials", "none") != "none" else []
    shown = [exchange["method"] for exchange in data["exchanges"]]
    modern = "initialize" not in shown
    params = {"initialize": greeting(NEWEST_LEGACY)}
    for index, exchange in enumerate(data["exchanges"]):
        method, body = exchange["method"], None
        number += 1
        notifies = method.startswith("notifications/")
        headers = [[name, value] for name, value in exchange["headers"].items()]
        if "body" in exchange:
            body = compact(raw(text, "input", "exchanges", index, "body"))
        about = {**params.get(method, {}), **({"_meta": META} if modern else {})}
        asked = (exchange.get("body") or {}).get("id", number)
        message = request(None if notifies else asked, method, about)
        if body is not None and any("event-stream" in value for name, value in headers if name.lower() == "content-type"):
            body = f"data: {body}\n\n"
        frames += posted(number, message, body, exchange["status"], headers, secret)
        if method == "initialize" and exchange["status"] == 200 and "notifications/initialized" not in shown:
            number += 1
            frames += posted(number, request(None, "notifications/initialized"), None, 202, (), secret)
    if "tools/list" not in shown:
        number += 1
        error = {"jsonrpc": "2.0", "id": number, "error": {"code": -32601, "message": "Method not found"}}
        message = request(number, "tools/list", {"_meta": META} if modern else None)
        frames += posted(number, message, json.dumps(error), 404 if modern else 200, JSON_TYPE, secret)
    return capture(frames, begins=())


def runs_capture(case, text):
    """One walk through the list for each run; between them what the axis says, nothing for plain repetition."""
    data, frames = case["input"], []
    axis = data.get("axis")
    for index, run in enumerate(data["runs"]):
        number, label = index + 2, run["label"]
        members = (f'"{name}":{compact(raw(text, "input", "runs", index, name))}' for name in run if name != "label")
        result = answer(number, "{%s}" % ",".join(members))
        connect = {"event": "connect", "label": label}
        if axis == "authorization":
            connect["identity"] = label
        if "sse" in label.lower():
            connect["sse"] = True
        by_process = axis in (None, "restart") or axis == "transport" and ("stdio" in label.lower() or index == 0)
        if by_process:
            frames += [{"event": "spawn"}] if axis or index == 0 else []
            frames += [out(number, "tools/list"), {"in": result}]
        else:
            frames += [connect, *posted(number, request(number, "tools/list"), result, headers=JSON_TYPE)]
    return capture(frames, begins=())


def call_capture(case, text):
    """The tool in a list, and one call of it. What opened the session is unknown, so it is left out."""
    result = compact(raw(text, "input", "result"))
    tools = '{"tools":[%s]}' % compact(raw(text, "input", "tool"))
    call = {"name": case["input"]["tool"]["name"], "arguments": case["input"].get("arguments", {})}
    return capture([out(2, "tools/list"), {"in": answer(2, tools)}, out(3, "tools/call", call), {"in": answer(3, result)}])


def config_files(case):
    """Path and text of each file of a case."""
    data = case["input"]
    return [(file["path"], file["text"]) for file in data.get("files", [data])]


BUILT = {"list": list_file, "pages": pages_capture, "stdio": stdio_capture, "timing": timing_capture,
         "http": http_capture, "runs": runs_capture, "call": call_capture}
