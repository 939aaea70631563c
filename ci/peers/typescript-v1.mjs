// A server on the TypeScript SDK v1: `stdio`, or `http`, `json`, `sse`, `bearer` with a port.
import { randomUUID } from 'node:crypto';
import { load, mode, peer as made, port, protect } from './typescript.mjs';

const sdk = '@modelcontextprotocol/sdk/server';
const { McpServer } = await load(`${sdk}/mcp.js`);
const { StdioServerTransport } = await load(`${sdk}/stdio.js`);
const { StreamableHTTPServerTransport } = await load(`${sdk}/streamableHttp.js`);
const { SSEServerTransport } = await load(`${sdk}/sse.js`);
const { createMcpExpressApp } = await load(`${sdk}/express.js`);
const { requireBearerAuth } = await load(`${sdk}/auth/middleware/bearerAuth.js`);
const { getOAuthProtectedResourceMetadataUrl, mcpAuthMetadataRouter } = await load(`${sdk}/auth/router.js`);
const { InvalidTokenError } = await load(`${sdk}/auth/errors.js`);
const { z } = await load('zod');

const peer = () => made(McpServer, () => ({ number: z.string().min(12).describe('Number of the parcel') }));

if (mode === 'stdio') {
    await peer().connect(new StdioServerTransport());
} else {
    const app = createMcpExpressApp();
    const open = new Map();
    if (mode === 'bearer') {
        const parts = { getOAuthProtectedResourceMetadataUrl, mcpAuthMetadataRouter, requireBearerAuth };
        protect(app, parts, text => new InvalidTokenError(text));
    }
    if (mode === 'sse') {
        app.get('/sse', async (_, response) => {
            const transport = new SSEServerTransport('/messages', response);
            open.set(transport.sessionId, transport);
            response.on('close', () => open.delete(transport.sessionId));
            await peer().connect(transport);
        });
        app.post('/messages', (request, response) =>
            open.get(request.query.sessionId).handlePostMessage(request, response, request.body));
    } else if (mode === 'json') {
        // No session, and plain JSON instead of a stream: one server a request.
        app.post('/mcp', async (request, response) => {
            const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
            await peer().connect(transport);
            await transport.handleRequest(request, response, request.body);
        });
        app.all('/mcp', (_, response) => response.status(405).end());
    } else {
        app.all('/mcp', async (request, response) => {
            const session = request.headers['mcp-session-id'];
            let transport = open.get(session);
            if (session && !transport) return response.status(404).end();
            if (!transport) {
                transport = new StreamableHTTPServerTransport({
                    sessionIdGenerator: randomUUID,
                    onsessioninitialized: id => open.set(id, transport),
                    onsessionclosed: id => open.delete(id),
                });
                await peer().connect(transport);
            }
            await transport.handleRequest(request, response, request.body);
        });
    }
    app.listen(Number(port), '127.0.0.1');
}
