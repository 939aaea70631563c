#!/usr/bin/env python3
"""Tests of the comparison itself, on hand-made reports: a gate that passes everything would look just as green."""

import importlib.machinery
import importlib.util
import json
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
import tapes
import verdict


def load(name):
    """A script without an extension, as a module."""
    path = str(pathlib.Path(__file__).parent / name)
    loader = importlib.machinery.SourceFileLoader(name, path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


replay = load("replay")
oracle = load("oracle")


def finding(rule="schema-missing", severity="error", tool="a", at="/inputSchema", also=(), host=None, **facts):
    subject = {"kind": "tool", "path": [tool]} if tool else {"kind": "server", "path": ["case"]}
    also = [{"kind": "tool", "path": [name]} for name in also]
    return {"rule": rule, "severity": severity, "subject": subject, "at": at, "facts": facts, "also": also,
            "host": host, "message": "m"}


def differ(must=(), must_not=(), findings=(), incidents=(), code=0, mode="list", ended=False, target=None, **expect):
    expect = {"must": list(must), "must_not": list(must_not), **expect}
    report = {"targets": [{"findings": list(findings), "incidents": list(incidents), **(target or {})}]}
    return verdict.differ(mode, expect, report, code, ended)


class Must(unittest.TestCase):
    def holds(self, entry, found):
        return not differ(must=[{"kind": "schema-missing", **entry}], findings=[found])

    def test_selectors(self):
        self.assertTrue(self.holds({}, finding()))
        self.assertFalse(self.holds({}, finding(rule="schema-recursive")))
        self.assertTrue(self.holds({"min_severity": "warn"}, finding(severity="error")))
        self.assertFalse(self.holds({"min_severity": "warn"}, finding(severity="info")))
        self.assertFalse(self.holds({"tool": "b"}, finding(tool="a", also=["b"])))
        self.assertFalse(self.holds({"tool": "a"}, finding(tool=None)))

    def test_place_is_the_same_or_below(self):
        self.assertTrue(self.holds({"at": "/inputSchema"}, finding(at="/inputSchema/type")))
        self.assertTrue(self.holds({"at": "/inputSchema"}, finding(at="/inputSchema")))
        self.assertFalse(self.holds({"at": "/inputSchema"}, finding(at="/inputSchemata")))
        self.assertFalse(self.holds({"at": "/inputSchema/type"}, finding(at="/inputSchema")))
        self.assertFalse(self.holds({"at": "/inputSchema"}, finding(at=None)))

    def test_all_parts_in_one_finding(self):
        entry = {"kind": "schema-missing", "tool": "a", "at": "/x"}
        self.assertTrue(differ(must=[entry], findings=[finding(tool="a", at="/y"), finding(tool="b", at="/x")]))

    def test_facts(self):
        self.assertFalse(self.holds({"value": "x"}, finding()))
        self.assertTrue(self.holds({"value": "x"}, finding(value="x")))
        self.assertFalse(self.holds({"value": "1"}, finding(value=1)))
        self.assertFalse(self.holds({"destructive": True}, finding(destructive=1)))
        self.assertTrue(self.holds({"measured": "0/6"}, finding(measured="0/6")))
        self.assertFalse(self.holds({"measured": "0/6"}, finding(measured="0/7")))
        self.assertTrue(self.holds({"missing": ["a", "b"]}, finding(missing=["b", "a"])))
        self.assertFalse(self.holds({"missing": ["a", "b"]}, finding(missing=["b", "a", "a"])))
        self.assertTrue(self.holds({"only": {"x": ["a", "b"]}}, finding(only={"x": ["b", "a"]})))
        self.assertFalse(self.holds({"only": {"x": ["a"]}}, finding(only={"x": ["a"], "y": ["b"]})))

    def test_tokens_within_two_percent_and_nothing_else(self):
        def holds(kind, want, **facts):
            return not differ(must=[{"kind": kind, **want}], findings=[finding(rule=kind, **facts)])
        self.assertTrue(holds("payload-over-budget", {"measured": 1000}, measured=1020))
        self.assertFalse(holds("payload-over-budget", {"measured": 1000}, measured=1021))
        self.assertFalse(holds("payload-over-budget", {"limit": 1000}, limit=1001))
        self.assertFalse(holds("payload-over-budget", {"measured": 1000}, measured=1001, unit="bytes"))
        self.assertFalse(holds("huge-enum", {"measured": 240}, measured=241))

    def test_names_of_tools(self):
        self.assertTrue(self.holds({"tools": ["a", "b"]}, finding(also=["b"])))
        self.assertTrue(self.holds({"tools": ["a", "b"]}, finding(tool=None, tools=["b", "a"])))
        self.assertFalse(self.holds({"tools": ["a", "b"]}, finding(also=["b", "c"])))

    def test_hosts_and_signals_that_are_named(self):
        self.assertTrue(self.holds({"host": "claude"}, finding(host=["openai", "claude"])))
        self.assertTrue(self.holds({"host": "claude"}, finding(hosts=["claude"])))
        self.assertFalse(self.holds({"host": "claude"}, finding(host="claude-code")))
        self.assertTrue(self.holds({"signal": "exfiltration"}, finding(signal=["hidden-comment", "exfiltration"])))


class MustNot(unittest.TestCase):
    def test_entries(self):
        def hit(entry, found):
            return bool(differ(must_not=[entry], findings=[found]))
        self.assertTrue(hit({"kind": "schema-missing"}, finding()))
        self.assertTrue(hit({"kind": "*", "at_least": "error"}, finding()))
        self.assertFalse(hit({"kind": "*", "at_least": "error"}, finding(severity="warn")))
        self.assertFalse(hit({"kind": "schema-missing", "tool": "b"}, finding()))
        self.assertTrue(hit({"kind": "schema-missing", "tool": "b"}, finding(also=["b"])))
        self.assertFalse(hit({"kind": "schema-missing", "value": "x"}, finding(value="y")))
        self.assertTrue(hit({"kind": "schema-missing", "value": "x"}, finding(value="x")))

    def test_highest_severity(self):
        self.assertTrue(differ(max_severity="info", findings=[finding(severity="warn")]))
        self.assertFalse(differ(max_severity="warn", findings=[finding(severity="warn")]))

    def test_silence_needs_a_complete_audit(self):
        incident = {"stage": "list", "cause": "c"}
        self.assertTrue(differ(must_not=[{"kind": "x"}], incidents=[incident], code=3))
        self.assertFalse(differ(must_not=[{"kind": "x"}], incidents=[incident], code=3, ended=True))
        self.assertTrue(differ(code=3))


class Measures(unittest.TestCase):
    def told(self, **found):
        values = {"tools.count": 1, "payload.bytes": 100, "payload.chars": 90, "payload.o200k": 50} | found
        target = {"measures": [{"id": key, "value": value} for key, value in values.items()],
                  "tools": [{"name": "a", "bytes": 80, "chars": 70, "o200k": 40, "cl100k": 41}]}
        want = {"list": {"tool_count": 1, "payload": {"bytes": 100, "chars": 90, "o200k_base": 50},
                         "per_tool": [{"tool": "a", "bytes": 80, "chars": 70, "o200k_base": 40, "cl100k_base": 41}]}}
        tolerance = {"bytes": 0, "tokens": 2}
        return differ(must_not=[{"kind": "x"}], target=target, measure=want, measure_tolerance_percent=tolerance)

    def test_bytes_exact_tokens_nearly(self):
        self.assertEqual(self.told(), [])
        self.assertEqual(self.told(**{"payload.o200k": 51}), [])
        self.assertEqual(len(self.told(**{"payload.o200k": 52})), 1)
        self.assertEqual(len(self.told(**{"payload.bytes": 101})), 1)
        self.assertEqual(len(self.told(**{"payload.chars": None})), 1)


class Input(unittest.TestCase):
    def test_text_survives(self):
        text = '{"a": 1, "input": { "n": [1.0, 1e3, "\\u00e9 x"], "d": 1, "d": 2 } }'
        self.assertEqual(tapes.raw(text, "input"), '{ "n": [1.0, 1e3, "\\u00e9 x"], "d": 1, "d": 2 }')
        self.assertEqual(tapes.raw(text, "input", "n", 1), "1e3")
        self.assertEqual(tapes.compact(tapes.raw(text, "input", "n")), '[1.0,1e3,"\\u00e9 x"]')

    def frames(self, mode, **data):
        case = {"input": data}
        text = tapes.BUILT[mode](case, json.dumps(case, indent=2))[1]
        return [json.loads(line) for line in text.splitlines()][1:]

    def shape(self, frames):
        """Frames in short: who spoke about which id, or the name of an event."""
        def short(frame):
            for side in ("out", "in"):
                if side in frame:
                    message = json.loads(frame[side]) if frame[side].startswith("{") else {}
                    return f"{side} {message.get('id', message.get('method', 'noise'))}"
            return frame.get("event") or next(name for name in ("err", "ask", "head", "part", "end") if name in frame)
        return [short(frame) for frame in frames]

    def test_pages_ask_with_their_cursors(self):
        pages = [{"cursor": None, "result": {"tools": [], "nextCursor": "x"}}, {"cursor": "x", "result": {"tools": []}}]
        sent = [json.loads(frame["out"]) for frame in self.frames("pages", pages=pages) if "out" in frame]
        self.assertEqual([(m["id"], m["params"]) for m in sent], [(2, {}), (3, {"cursor": "x"})])

    def test_stdio_asks_where_a_client_would(self):
        stdout = ["banner", '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}',
                  '{"jsonrpc":"2.0","id":2,"result":{"tools":[],"nextCursor":"n"}}',
                  '{"jsonrpc":"2.0","id":3,"result":{"tools":[]}}',
                  '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
                  '{"jsonrpc":"2.0","id":4,"result":{"tools":[]}}',
                  '{"jsonrpc":"2.0","id":99,"result":{}}']
        frames = self.frames("stdio", stdout=stdout, stderr=["e"], exit_code=1)
        self.assertEqual(self.shape(frames), [
            "spawn", "out 1", "in noise", "in 1", "out notifications/initialized", "out 2", "in 2", "out 3", "in 3",
            "in notifications/tools/list_changed", "out 4", "in 4", "in 99", "err", "exit"])
        sent = [json.loads(frame["out"])["params"] for frame in frames if "out" in frame]
        self.assertEqual([sent[0]["protocolVersion"], *sent[1:]], ["2025-06-18", {}, {}, {"cursor": "n"}, {}])

    def test_a_server_that_never_answers_was_only_greeted(self):
        frames = self.frames("stdio", stdout=[], stderr=[], exit_code=1)
        self.assertEqual(self.shape(frames), ["spawn", "out 1", "exit"])

    def test_times_and_the_launch_survive(self):
        events = [{"t_ms": 5, "event": "spawn"}, {"t_ms": 700, "event": "initialize-result"},
                  {"t_ms": 720, "event": "tools-list-result"}, {"t_ms": 900, "event": "respawn"}]
        frames = self.frames("timing", events=events, launch="uvx 'a b'")
        self.assertEqual(self.shape(frames), ["spawn", "out 1", "in 1", "out notifications/initialized", "out 2",
                                              "in 2", "spawn", "out 1"])
        self.assertEqual([frame["ms"] for frame in frames], [5, 5, 700, 700, 700, 720, 900, 900])
        case = {"input": {"events": events, "launch": "uvx 'a b'"}}
        self.assertIn('"command": ["uvx", "a b"]', tapes.timing_capture(case, json.dumps(case))[1])

    def test_runs_lie_where_the_axis_says(self):
        def shapes(axis, *labels):
            runs = [{"label": label, "tools": []} for label in labels]
            return self.frames("runs", runs=runs, **({"axis": axis} if axis else {}))
        post = ["ask", "head", "part", "end"]
        self.assertEqual(self.shape(shapes(None, "1", "2")), ["spawn", "out 2", "in 2", "out 3", "in 3"])
        self.assertEqual(self.shape(shapes("restart", "a", "b")), ["spawn", "out 2", "in 2", "spawn", "out 3", "in 3"])
        self.assertEqual(self.shape(shapes("session", "a", "b")), ["connect", *post, "connect", *post])
        transports = shapes("transport", "stdio", "sse")
        self.assertEqual(self.shape(transports), ["spawn", "out 2", "in 2", "connect", *post])
        self.assertIs(transports[3]["sse"], True)
        who = [frame.get("identity") for frame in shapes("authorization", "a", "b") if frame.get("event")]
        self.assertEqual(who, ["a", "b"])

    def test_http_goes_on_as_a_client_would(self):
        opened = {"method": "initialize", "status": 200, "headers": {"content-type": "application/json"},
                  "body": {"jsonrpc": "2.0", "id": 1, "result": {}}}
        refused = {"method": "tools/list", "status": 401, "headers": {"www-authenticate": "Bearer"}}
        frames = self.frames("http", exchanges=[opened, refused], credentials="none")
        self.assertEqual(self.shape(frames), ["connect", "ask", "head", "part", "end", "ask", "head", "end", "ask",
                                              "head", "end"])
        self.assertEqual([frame["status"] for frame in frames if "status" in frame], [200, 202, 401])
        unlisted = self.frames("http", exchanges=[opened], credentials="bearer")
        self.assertIn("-32601", unlisted[-2]["text"])
        self.assertIn(["Authorization", "***"], unlisted[1]["headers"])

    def test_a_call_follows_its_list(self):
        frames = self.frames("call", tool={"name": "a"}, arguments={"x": 1}, result={"content": []})
        self.assertEqual(self.shape(frames), ["spawn", "out 2", "in 2", "out 3", "in 3"])
        self.assertEqual(json.loads(frames[3]["out"])["params"], {"name": "a", "arguments": {"x": 1}})

    def test_options_become_words_and_settings(self):
        options = {"hosts": ["claude-code"], "spec": "2025-06-18", "band": [3, 5], "budget": {"total_tokens": 600},
                   "context_window": 200000, "max_share_percent": 2}
        words, toml = replay.settings(options)
        self.assertEqual(words, ["--hosts", "claude-code", "--spec", "2025-06-18"])
        self.assertEqual(toml, "[budgets]\ntotal-tokens = 600\ncontext-window = 200000\nmax-share-percent = 2\n"
                               "[band]\nlow = 3\nhigh = 5\n")
        for options in ({"budget": {"other": 1}}, {"other": 1}, {"hosts": ["nobody"]}):
            self.assertRaises(tapes.NotBuilt, replay.settings, options)

    def test_budgets_of_profiles_stand_at_their_targets(self):
        case = {"input": {"servers": {"small": {}, "full": {}}, "relation": "profiles-of-one-server"},
                "options": {"budget": {"profiles": {"full": {"total_tokens": 9}}}}}
        self.assertEqual(replay.settings(case["options"]), ([], ""))
        self.assertEqual(replay.targets(case), '[targets."small"]\nfile = "0.json"\nprofile-of = "case"\n'
                         '[targets."full"]\nfile = "1.json"\nprofile-of = "case"\n'
                         '[targets."full".budgets]\ntotal-tokens = 9\n')


class Oracle(unittest.TestCase):
    def test_no_key_is_skipped(self):
        entry = {"tools": 1, "jpSplit": {"x": 1}, "result": {"o200k": 2, "new": 3}, "extraKeys": []}
        wanted, unmapped = oracle.expected({"adr-v2.6.14-live-75": entry})
        self.assertEqual([key for _, key, _, _ in wanted if key != "measured.md"], ["tools", "result.o200k", "extraKeys"])
        self.assertEqual(len(unmapped), 1)
        self.assertIn("result.new", unmapped[0])

    def test_values(self):
        self.assertEqual(oracle.found_value(["a", "b"], {"a": 1, "b": "x"}), [1, "x"])
        self.assertRaises(KeyError, oracle.found_value, ["a", "c"], {"a": 1})
        self.assertTrue(oracle.same("tools.extra_members", ["a", "b"], ["b", "a"]))
        self.assertFalse(oracle.same("top5.tools", [["a", 2], ["b", 1]], [["b", 1], ["a", 2]]))
        self.assertFalse(oracle.same("tools.count", 1, True))
        self.assertFalse(oracle.same("tools.count", 0, None))


if __name__ == "__main__":
    unittest.main()
