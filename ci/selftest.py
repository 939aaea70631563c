#!/usr/bin/env python3
"""Tests of the comparison itself, on hand-made reports: a gate that passes everything would look just as green."""

import importlib.machinery
import importlib.util
import json
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
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
        self.assertEqual(replay.raw(text, "input"), '{ "n": [1.0, 1e3, "\\u00e9 x"], "d": 1, "d": 2 }')
        self.assertEqual(replay.raw(text, "input", "n", 1), "1e3")
        self.assertEqual(replay.compact(replay.raw(text, "input", "n")), '[1.0,1e3,"\\u00e9 x"]')

    def frames(self, mode, data):
        case = {"input": data}
        text = replay.BUILT[mode](case, json.dumps(case, indent=2))[1]
        return [json.loads(line) for line in text.splitlines()][2:]

    def test_pages_ask_with_their_cursors(self):
        pages = [{"cursor": None, "result": {"tools": [], "nextCursor": "x"}}, {"cursor": "x", "result": {"tools": []}}]
        sent = [json.loads(frame["out"]) for frame in self.frames("pages", {"pages": pages}) if "out" in frame]
        self.assertEqual([(m["id"], m["params"]) for m in sent], [(2, {}), (3, {"cursor": "x"})])

    def test_stdio_asks_for_what_is_answered(self):
        stdout = ['{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}', "noise",
                  '{"jsonrpc":"2.0","id":2,"result":{"tools":[],"nextCursor":"n"}}',
                  '{"jsonrpc":"2.0","id":3,"result":{"tools":[]}}']
        frames = self.frames("stdio", {"stdout": stdout, "stderr": ["e"], "exit_code": 1})
        sent = [json.loads(frame["out"]) for frame in frames[:4]]
        self.assertEqual([m.get("id") for m in sent], [1, None, 2, 3])
        self.assertEqual(sent[0]["params"]["protocolVersion"], "2025-06-18")
        self.assertEqual([m["params"].get("cursor") for m in sent[2:]], [None, "n"])
        self.assertEqual([frame["in"] for frame in frames[4:8]], stdout)
        self.assertEqual(frames[8:], [{"err": "e"}, {"event": "exit", "code": 1}])

    def test_a_server_that_never_answers_was_only_greeted(self):
        frames = self.frames("stdio", {"stdout": [], "stderr": [], "exit_code": 1})
        self.assertEqual([json.loads(frame["out"])["id"] for frame in frames if "out" in frame], [1])

    def test_options_become_words_and_settings(self):
        options = {"hosts": ["a", "b"], "spec": "2025-06-18", "band": [3, 5], "budget": {"total_tokens": 600},
                   "context_window": 200000, "max_share_percent": 2}
        words, toml = replay.settings(options)
        self.assertEqual(words, ["--hosts", "a,b", "--spec", "2025-06-18"])
        self.assertEqual(toml, "[budgets]\ntotal-tokens = 600\ncontext-window = 200000\nmax-share-percent = 2\n"
                               "[band]\nlow = 3\nhigh = 5\n")
        for options in ({"budget": {"profiles": {}}}, {"other": 1}):
            self.assertRaises(replay.NotBuilt, replay.settings, options)


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
