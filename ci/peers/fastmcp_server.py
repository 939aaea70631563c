"""A server on FastMCP 2, 3 or 4: `stdio`, or `http`, `json`, `sse`, `bearer` with a port."""

import json
import os
import pathlib
import sys
from typing import Annotated

from fastmcp import FastMCP
from fastmcp.server.auth import RemoteAuthProvider
from fastmcp.server.auth.providers.jwt import StaticTokenVerifier
from fastmcp.tools import Tool
from pydantic import Field

TOOLS = json.loads((pathlib.Path(__file__).parent / "tools.json").read_text())
MODE, PORT = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0


def answer(number: Annotated[str, Field(min_length=12, description="Number of the parcel")]) -> str:
    return number


auth = None
if MODE == "bearer":
    verifier = StaticTokenVerifier(tokens={os.environ["PEER_TOKEN"]: {"client_id": "live", "scopes": []}})
    auth = RemoteAuthProvider(verifier, ["https://issuer.example"], f"http://127.0.0.1:{PORT}")
server = FastMCP("peer", instructions="Numbers have twelve digits.", version="1.2.3", auth=auth)
for name, description in TOOLS.items():
    server.add_tool(Tool.from_function(answer, name=name, description=description, annotations={"readOnlyHint": True}))
where = {"host": "127.0.0.1", "port": PORT} if PORT else {}
if MODE == "json":
    where |= {"json_response": True, "stateless_http": True}
server.run({"stdio": "stdio", "sse": "sse"}.get(MODE, "http"), show_banner=False, **where)
