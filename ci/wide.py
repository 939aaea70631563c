"""`ci/live --wide`: popular server packages from npm and PyPI, each installed, started with dummy credentials and
audited over stdio. A row passes with a report, or with an incident that says what `wide.toml` names as the true cause.
"""

import concurrent.futures
import json
import os
import shutil
import time
import tomllib

import packages
import runner

WIDE = packages.LIVE / "wide"
FILES = WIDE / "files"
FOUND = packages.LIVE / "wide.json"
LINE = "{:44} {:20} {:11} {:7} {:>5} {:>7} {:>6} {:>5}  {}"
HEAD = ["package", "version", "revision", "era", "tools", "bytes", "o200k", "s", "findings, or the cause"]
# Longer than any server took here, and shorter than a day.
START, WALL = 90, 240


def name(server):
    return server.get("npm") or server["pypi"]


def prepare(server):
    """Installs the package; its version and executable."""
    package = name(server)
    if "npm" in server:
        folder = packages.npm(WIDE / "npm" / package.replace("/", "+"), f"{package}@latest")
        return packages.npm_version(folder, package), packages.npm_command(folder, package, server.get("command"))
    folder = packages.pypi(WIDE / "pypi" / package, package)
    return packages.pypi_version(folder, package), folder / "bin" / server.get("command", package)


def filled(text):
    return text.replace("{files}", str(FILES))


def audit(server, command):
    """Runs the audit as a user would in an empty folder. Nothing of our environment reaches the server but the path, so
    that no credential does."""
    env = {"PATH": os.environ["PATH"], "HOME": str(FILES), "LANG": "C.UTF-8", "NO_COLOR": "1", "DO_NOT_TRACK": "1"}
    env |= {key: filled(value) for key, value in server.get("env", {}).items()}
    words = ["audit", "--no-config", "--format", "json", "--fail-on", "never", "--start-timeout", START, "--", command]
    words += [filled(word) for word in server.get("args", [])]
    return runner.run(words, allowed=(0, 3), cwd=FILES, env=packages.marked(env), seconds=WALL)


def findings(target):
    count = {severity: sum(found["severity"] == severity for found in target["findings"])
             for severity in ("error", "warn", "info")}
    return ", ".join(f"{count[severity]} {severity}" for severity in count)


def judge(server, version, command):
    """One row of the table, with `verdict` and, where it failed, `told`."""
    row = {"package": name(server), "registry": "npm" if "npm" in server else "PyPI", "version": version,
           "transport": "stdio"}
    began = time.monotonic()
    try:
        report, code = audit(server, command)
    except runner.Unusable as cause:
        return row | {"verdict": "FAILED", "told": str(cause)}
    finally:
        row["seconds"] = round(time.monotonic() - began, 1)
    target, values = report["targets"][0], runner.measures(report)
    causes = [incident["cause"] for incident in target["incidents"]]
    row |= {"revision": target["server"]["negotiated"], "era": target["server"]["era"], "exit": code,
            "tools": values.get("tools.count"), "bytes": values.get("payload.bytes"),
            "o200k": values.get("payload.o200k"), "findings": findings(target), "incidents": causes,
            "errors": [{key: found[key] for key in ("rule", "subject", "at", "message")}
                       for found in target["findings"] if found["severity"] == "error"]}
    known = server.get("cause")
    if known is None and code == 0 and not causes and row["tools"]:
        return row | {"verdict": "report"}
    if known and code == 3 and any(known in cause for cause in causes):
        return row | {"verdict": "incident, true cause"}
    return row | {"verdict": "FAILED", "told": f"exit code {code}, {row['tools']} tools, "
                  f"{'expected ' + repr(known) if known else 'incidents'}: {'; '.join(causes) or 'none'}"}


def shown(row):
    values = [row.get(key) for key in ("revision", "era", "tools", "bytes", "o200k", "seconds")]
    causes = " ".join(" ".join(row.get("incidents", [])).split())
    said = causes if row.get("incidents") else row.get("findings", "-")
    values = ["-" if value is None else str(value) for value in values]
    print(LINE.format(row["package"], row["version"], *values, said[:200]), flush=True)
    if row["verdict"] == "FAILED":
        print(f"  FAILED {row['package']}: {row['told']}")


def run(only):
    """Audits every package, or those named; how many were started, how many ended in a report, and how many failed."""
    servers = tomllib.loads((runner.ROOT / "ci/wide.toml").read_text())["server"]
    servers = [server for server in servers if not only or name(server) in only]
    shutil.rmtree(FILES, ignore_errors=True)
    FILES.mkdir(parents=True)
    packages.uv()
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        prepared = [pool.submit(prepare, server) for server in servers]
        concurrent.futures.wait(prepared)
    print(LINE.format(*HEAD))
    rows = []
    for server, future in zip(servers, prepared):
        try:
            version, command = future.result()
        except packages.NotInstalled as cause:
            told = f"not installed: {cause}"
            rows.append({"package": name(server), "version": "-", "verdict": "FAILED", "told": told})
        else:
            rows.append(judge(server, version, command))
            if left := packages.left_behind():
                rows[-1] |= {"verdict": "FAILED", "told": f"left behind: {'; '.join(left)}"}
        shown(rows[-1])
    FOUND.write_text(json.dumps(rows, indent=1) + "\n")
    failed = sum(row["verdict"] == "FAILED" for row in rows)
    started = sum("seconds" in row for row in rows)
    return started, sum(row["verdict"] == "report" for row in rows), failed
