"""A server on the Python SDK, v1 or v2: `stdio`, or `http`, `json`, `sse`, `bearer` with a port."""

import json
import os
import pathlib
import sys
from typing import Annotated

from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.types import ToolAnnotations
from pydantic import Field

try:
    from mcp.server.mcpserver import MCPServer

    V2 = True
except ImportError:
    from mcp.server.fastmcp import FastMCP as MCPServer

    V2 = False

TOOLS = json.loads((pathlib.Path(__file__).parent / "tools.json").read_text())
MODE, PORT = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0


class Verifier:
    async def verify_token(self, token):
        if token != os.environ["PEER_TOKEN"]:
            return None
        return AccessToken(token=token, client_id="live", scopes=[], resource=f"http://127.0.0.1:{PORT}/mcp")


def answer(number: Annotated[str, Field(min_length=12, description="Number of the parcel")]) -> str:
    return number


given = {"instructions": "Numbers have twelve digits."}
where = {"host": "127.0.0.1", "port": PORT} if PORT else {}
if MODE == "json":
    where |= {"json_response": True, "stateless_http": True}
if MODE == "bearer":
    auth = AuthSettings(issuer_url="https://issuer.example", resource_server_url=f"http://127.0.0.1:{PORT}/mcp")
    given |= {"token_verifier": Verifier(), "auth": auth}
# v1 takes the place in the constructor, v2 where the server is run.
server = MCPServer("peer", **given, **({} if V2 else where))
for name, description in TOOLS.items():
    server.add_tool(answer, name=name, description=description, annotations=ToolAnnotations(readOnlyHint=True))
server.run({"stdio": "stdio", "sse": "sse"}.get(MODE, "streamable-http"), **(where if V2 else {}))
