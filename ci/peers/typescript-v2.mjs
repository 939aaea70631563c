// A server on the TypeScript SDK v2: `stdio`, or `http`, `modern`, `bearer` with a port; both eras but for `modern`.
import { load, mode, peer as made, port, protect } from './typescript.mjs';

const { McpServer, OAuthError, OAuthErrorCode, createMcpHandler } = await load('@modelcontextprotocol/server');
const { serveStdio } = await load('@modelcontextprotocol/server/stdio');
const { toNodeHandler } = await load('@modelcontextprotocol/node');
const express = await load('@modelcontextprotocol/express');
const { z } = await load('zod');

const peer = () => made(McpServer, () => z.object({ number: z.string().min(12).describe('Number of the parcel') }));

if (mode === 'stdio') {
    serveStdio(peer);
} else {
    const app = express.createMcpExpressApp();
    if (mode === 'bearer') {
        protect(app, express, text => new OAuthError(OAuthErrorCode.InvalidToken, text));
    }
    const handle = toNodeHandler(createMcpHandler(peer, { legacy: mode === 'modern' ? 'reject' : 'stateless' }));
    app.all('/mcp', (request, response) => handle(request, response, request.body));
    app.listen(Number(port), '127.0.0.1');
}
