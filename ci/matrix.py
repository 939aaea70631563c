"""Small servers on each SDK, built for this (`peers/`), audited over every transport and in every era that they serve.
"""

import contextlib
import dataclasses
import json
import os
import pathlib
import signal
import socket
import subprocess
import time
import tomllib

import packages
import runner

PEERS = packages.LIVE / "peers"
SOURCES = runner.ROOT / "ci/peers"
TOOLS = list(json.loads((SOURCES / "tools.json").read_text()))
# The oldest way to speak over HTTP, in a package of its time.
OLD, OLD_TOOLS = "0.6.2", ["echo", "add", "longRunningOperation", "sampleLLM", "getTinyImage"]
REVISIONS = {"legacy": "2025-11-25", "modern": "2026-07-28"}
# Two tokens, one of which the peers know. Neither may stand in any output.
TOKEN, WRONG = "live-token-8412", "live-token-0000"

# What `--era` is given; a server of both eras is asked for each.
LEGACY, MODERN, BOTH = ["auto", "legacy"], ["auto", "modern"], ["auto", "legacy", "modern"]
# Errors that are true of an SDK: its own key in `_meta` begins with an underscore, which MCP forbids.
KNOWN = {"FastMCP 2": {"meta-key-invalid"}}
LINE = "{:18} {:8} {:8} {:8} {:11} {:7} {:>5} {:>6} {:>5}  {}"


@dataclasses.dataclass
class Peer:
    """A server on one SDK. A mode is a way to serve, with the eras that it has; its name is an argument of the server.

    http is Streamable HTTP with sessions and streams, json is without either, sse is HTTP+SSE of 2024-11-05, bearer
    asks for a token, and modern refuses the legacy era.
    """

    name: str
    version: str
    command: list
    folder: pathlib.Path
    modes: dict


def install():
    """Installs and builds all peers."""
    one = packages.npm(PEERS / "typescript-1", "@modelcontextprotocol/sdk@1")
    parts = [f"@modelcontextprotocol/{name}@2" for name in ("server", "node", "express")]
    two = packages.npm(PEERS / "typescript-2", *parts, "express", "zod")
    old = packages.npm(PEERS / "old", f"@modelcontextprotocol/server-everything@{OLD}")
    rust = PEERS / "rmcp"
    packages.install(["cargo", "build", "--locked", "--quiet", "--manifest-path", SOURCES / "rmcp/Cargo.toml"],
                     env=os.environ | {"CARGO_TARGET_DIR": str(rust)})
    locked = tomllib.loads((SOURCES / "rmcp/Cargo.lock").read_text())["package"]
    everything = "@modelcontextprotocol/server-everything"
    return [
        Peer("TypeScript SDK v1", packages.npm_version(one, "@modelcontextprotocol/sdk"),
             ["node", SOURCES / "typescript-v1.mjs"], one,
             dict.fromkeys(["stdio", "http", "json", "sse", "bearer"], LEGACY)),
        Peer("TypeScript SDK v2", packages.npm_version(two, "@modelcontextprotocol/server"),
             ["node", SOURCES / "typescript-v2.mjs"], two,
             dict.fromkeys(["stdio", "http", "bearer"], BOTH) | {"modern": MODERN}),
        python("Python SDK v1", "mcp", "mcp<2", LEGACY),
        python("Python SDK v2", "mcp", "mcp>=2,<3", BOTH),
        python("FastMCP 2", "fastmcp", "fastmcp<3", LEGACY),
        python("FastMCP 3", "fastmcp", "fastmcp>=3,<4", LEGACY),
        python("FastMCP 4", "fastmcp", "fastmcp>=4,<5", BOTH),
        Peer("rmcp", next(package["version"] for package in locked if package["name"] == "rmcp"),
             [rust / "debug/rmcp-peer"], PEERS, dict.fromkeys(["stdio", "http", "json"], BOTH)),
        Peer("server-everything", packages.npm_version(old, everything),
             ["node", old / "node_modules" / everything / "dist/sse.js"], old, {"sse": ["auto"]}),
    ]


def python(name, package, wanted, eras):
    folder = packages.pypi(PEERS / name.replace(" ", "-"), wanted)
    source = {"mcp": "python_sdk.py", "fastmcp": "fastmcp_server.py"}[package]
    modes = dict.fromkeys(["stdio", "http", "json", "bearer"], eras) | {"sse": LEGACY}
    return Peer(name, packages.pypi_version(folder, package), [folder / "bin/python", SOURCES / source], PEERS, modes)


@contextlib.contextmanager
def served(peer, mode):
    """The port of a peer that runs over HTTP; the peer ends with the block."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    env = packages.marked(os.environ | {"PEER_TOKEN": TOKEN, "PORT": str(port)})
    path = PEERS / f"{peer.name}-{mode}.log".replace(" ", "-")
    with path.open("wb") as log:
        server = subprocess.Popen([*peer.command, mode, str(port)], cwd=peer.folder, env=env,
                                  stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        try:
            deadline = time.monotonic() + 60
            while not listens(port):
                if server.poll() is not None or time.monotonic() > deadline:
                    raise runner.Unusable(f"the peer does not listen; see {path}")
                time.sleep(0.05)
            yield port
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)
            server.wait()


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def audits(peer, mode):
    """The audits of one mode: era to ask for, more options, and what the report must be; none where the server must
    refuse us."""
    for asked in peer.modes[mode]:
        # Where a server has both, `auto` finds the newer.
        era = asked if asked != "auto" else "modern" if "modern" in peer.modes[mode] else "legacy"
        expected = {"era": era, "revision": REVISIONS[era], "tools": TOOLS}
        if peer.version == OLD:
            expected |= {"tools": OLD_TOOLS, "revision": "2024-11-05"}
        yield asked, ["--bearer-env", "LIVE_TOKEN"] if mode == "bearer" else [], expected
        if mode == "bearer":
            yield asked, ["--header-env", "Authorization=LIVE_HEADER"], expected
            yield asked, ["--bearer-env", "LIVE_WRONG"], None
            yield asked, [], None


def audit(peer, mode, port, era, more):
    """The report, and its exit code."""
    target = [f"http://127.0.0.1:{port}/{'sse' if mode == 'sse' else 'mcp'}"]
    if mode == "stdio":
        target = ["--", *peer.command, "stdio"]
    env = packages.marked(os.environ | {"LIVE_TOKEN": TOKEN, "LIVE_WRONG": WRONG, "LIVE_HEADER": f"Bearer {TOKEN}"})
    # So long a time to answer the probe that a busy machine is not taken for a silent server.
    words = ["audit", "--no-config", "--format", "json", "--probe-timeout", "20", "--era", era, *more, *target]
    return runner.run(words, allowed=(0, 1, 3), cwd=peer.folder, env=env, seconds=120)


def faults(report, code, expected, known=frozenset()):
    """What is not as the peer serves it. A known error must be there, and no other."""
    target, values = report["targets"][0], runner.measures(report)
    errors = [found for found in target["findings"] if found["severity"] == "error"]
    told = [f"{found['rule']}: {found['message']}" for found in errors if found["rule"] not in known]
    if expected is not None:
        told += [f"{rule} is not found" for rule in known - {found["rule"] for found in errors}]
    causes = [incident["cause"] for incident in target["incidents"]]
    if expected is None:
        # Without a token that the server takes: the incident says so, and where to learn who gives tokens.
        words = ["401", "/.well-known/oauth-protected-resource"]
        told += [f"no incident names {word}: {causes}" for word in words if word not in " ".join(causes)]
    else:
        found = {"tools": values.get("tools.names"), "era": target["server"]["era"],
                 "revision": target["server"]["negotiated"]}
        told += [f"{key} is {found[key]}, not {expected[key]}" for key in found if found[key] != expected[key]]
        told += [f"incident: {cause}" for cause in causes]
    wanted = 3 if expected is None else 1 if known else 0
    return told if code == wanted else [*told, f"exit code is {code}, not {wanted}"]


def once(peer, mode, port, era, more, expected):
    """One audit and its line; whether it failed."""
    began = time.monotonic()
    try:
        report, code = audit(peer, mode, port, era, more)
        told = faults(report, code, expected, KNOWN.get(peer.name, frozenset()))
        if any(token in json.dumps(report) for token in (TOKEN, WRONG)):
            told.append("a token stands in the report")
        server, values = report["targets"][0]["server"], runner.measures(report)
        row = [server["negotiated"], server["era"], values.get("tools.count"), values.get("payload.bytes")]
    except (runner.Unusable, KeyError, IndexError, TypeError) as cause:
        told, row = [str(cause) if isinstance(cause, runner.Unusable) else repr(cause)], ["-"] * 4
    said = "FAILED" if told else "ok" if expected else "refused as it must be"
    print(LINE.format(peer.name, peer.version, mode, era, *map(str, row), f"{time.monotonic() - began:.1f}",
                      " ".join([said, *more])), flush=True)
    for text in told:
        print(f"  FAILED {peer.name} {mode} --era {era}: {text}", flush=True)
    return bool(told)


def run(only):
    """Audits every peer, or those named; how many audits there were and how many failed."""
    peers = install()
    made = failed = 0
    print(LINE.format("peer", "version", "mode", "--era", "revision", "era", "tools", "bytes", "s", "verdict"))
    for peer, mode in ((peer, mode) for peer in peers for mode in peer.modes):
        if only and peer.name not in only and mode not in only:
            continue
        try:
            with contextlib.nullcontext() if mode == "stdio" else served(peer, mode) as port:
                results = [once(peer, mode, port, *one) for one in audits(peer, mode)]
        except runner.Unusable as cause:
            print(f"  FAILED {peer.name} {mode}: {cause}", flush=True)
            results = [True]
        made += len(results)
        failed += sum(results)
    for words in packages.left_behind():
        print(f"  FAILED left behind: {words}")
        failed += 1
    return made, failed
