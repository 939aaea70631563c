"""Installs server packages from npm and PyPI below target/live, and finds what their processes leave behind."""

import json
import os
import pathlib
import subprocess
import sys
import time
import uuid

import runner

LIVE = runner.TARGET / "live"
# Every process of a server inherits this: so what is left behind is found.
MARK = ("TOOLSURFACE_LIVE", str(uuid.uuid4()))


class NotInstalled(Exception):
    """A package that its registry did not give, with the last words of the client."""


def install(words, **options):
    said = ""
    for attempt in range(3):
        time.sleep(5 * attempt)
        try:
            done = subprocess.run(list(map(str, words)), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  timeout=600, **options)
        except subprocess.TimeoutExpired:
            said = "still running after 600 s"
            continue
        if done.returncode == 0:
            return
        said = (done.stdout[-2000:] + done.stderr[-2000:]).strip()
    raise NotInstalled(f"{' '.join(map(str, words))}\n{said}")


def npm(folder, *packages):
    """Packages in a folder of their own. Their install scripts do not run: most fetch a browser, which nobody needs to
    list tools."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}\n')
    quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
    install(["npm", "install", "--ignore-scripts", *quiet, *packages], cwd=folder)
    return folder


def uv():
    """The installer for PyPI: links the same files into many environments, so 30 of them cost little."""
    home = LIVE / "tools/uv"
    if not (home / "bin/uv").exists():
        install([sys.executable, "-m", "venv", "--clear", home])
        install([home / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "uv"])
    return home / "bin/uv"


def pypi(folder, *packages):
    """Packages in a virtual environment of their own."""
    env = os.environ | {"UV_CACHE_DIR": str(LIVE / "tools/uv-cache"), "UV_LINK_MODE": "hardlink"}
    if not (folder / "bin/python").exists():
        install([uv(), "venv", "--quiet", "--python", sys.executable, folder], env=env)
    install([uv(), "pip", "install", "--quiet", "--upgrade", "--python", folder / "bin/python", *packages], env=env)
    return folder


def npm_version(folder, package):
    return json.loads((folder / "node_modules" / package / "package.json").read_text())["version"]


def npm_command(folder, package, name=None):
    """The executable of a package: the one with that name, or the only one, or the one named like the package."""
    bins = json.loads((folder / "node_modules" / package / "package.json").read_text()).get("bin", {})
    short = package.rpartition("/")[2]
    only = next(iter(bins)) if isinstance(bins, dict) and len(bins) == 1 else short
    return folder / "node_modules/.bin" / (name or only.rpartition("/")[2])


def pypi_version(folder, package):
    code = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"
    return subprocess.run([folder / "bin/python", "-c", code, package], capture_output=True, text=True,
                          check=True).stdout.strip()


def marked(env):
    name, value = MARK
    return env | {name: value}


def left_behind(seconds=5):
    """Processes of our servers that still run after so many seconds: id and command line."""
    deadline = time.monotonic() + seconds
    while (found := running()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


def running():
    mark, found = "=".join(MARK).encode(), []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
            ours = mark in (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        # A process without words has ended already and waits for its parent. A server may change its words and drop
        # its environment, hardly both.
        if words and (ours or str(LIVE) in words) and folder.name != str(os.getpid()):
            found.append(f"process {folder.name}: {words}")
    return found
