"""Where the binary under test and the reference material are, and how one run of the binary is made."""

import json
import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").resolve()
SHARED = ROOT.parent / "shared"


class Unusable(Exception):
    """The binary is missing, crashed, hung, or printed something that is no report."""


def binary():
    """$TOOLSURFACE, otherwise the newer one of the release and the debug build."""
    named = os.environ.get("TOOLSURFACE")
    if named:
        if not pathlib.Path(named).is_file():
            raise Unusable(f"$TOOLSURFACE names no file: {named}")
        return str(pathlib.Path(named).resolve())
    built = [path for path in (TARGET / "release/toolsurface", TARGET / "debug/toolsurface") if path.is_file()]
    if not built:
        raise Unusable(f"no toolsurface below {TARGET}; run `cargo build --release` first")
    return str(max(built, key=lambda path: path.stat().st_mtime))


def run(words, allowed=(0,), cwd=None, env=None, seconds=120):
    """Runs the binary; the JSON on its stdout and its exit code."""
    command = [binary(), *map(str, words)]
    # Files, not pipes: a process that the binary left behind would keep a pipe open and hide behind a time-out.
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        streams = {"stdin": subprocess.DEVNULL, "stdout": stdout, "stderr": stderr}
        try:
            code = subprocess.run(command, cwd=cwd, env=env, timeout=seconds, **streams).returncode
        except subprocess.TimeoutExpired:
            raise Unusable(f"still running after {seconds} s: {' '.join(command)}") from None
        except OSError as cause:
            raise Unusable(f"cannot be started: {cause}") from None
        stdout.seek(0)
        stderr.seek(0)
        report, said = stdout.read(), stderr.read().decode("utf-8", "replace").strip()
    if code not in allowed:
        raise Unusable(f"exit code {code}, stderr: {said[-800:] or '(empty)'}")
    try:
        return json.loads(report), code
    except ValueError as cause:
        raise Unusable(f"stdout is no JSON ({cause}): {report[:200]!r}, stderr: {said[-400:] or '(empty)'}") from None


def measures(report):
    """The figures of the first target, by id."""
    return {measure["id"]: measure["value"] for measure in report["targets"][0]["measures"]}
