// A server on the TypeScript SDK v1: `stdio`, or `http`, `json`, `sse`, `bearer` with a port.
import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// The SDK is installed below target/live, not beside this file: modules are looked for in the working folder.
const installed = createRequire(`${process.cwd()}/package.json`);
const load = async name => import(pathToFileURL(installed.resolve(name)));
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

const tools = JSON.parse(readFileSync(new URL('tools.json', import.meta.url)));
const [mode, port] = process.argv.slice(2);

function peer() {
    const server = new McpServer({ name: 'peer', version: '1.2.3' }, { instructions: 'Numbers have twelve digits.' });
    const annotations = { readOnlyHint: true };
    for (const [name, description] of Object.entries(tools)) {
        const inputSchema = { number: z.string().min(12).describe('Number of the parcel') };
        server.registerTool(name, { description, inputSchema, annotations }, async () => ({ content: [] }));
    }
    return server;
}

if (mode === 'stdio') {
    await peer().connect(new StdioServerTransport());
} else {
    const app = createMcpExpressApp();
    const open = new Map();
    if (mode === 'bearer') {
        const url = new URL(`http://127.0.0.1:${port}/mcp`);
        const verifier = {
            async verifyAccessToken(token) {
                if (token !== process.env.PEER_TOKEN) throw new InvalidTokenError('unknown token');
                return { token, clientId: 'live', scopes: [], expiresAt: Date.now() / 1000 + 3600, resource: url };
            },
        };
        const issuer = 'https://issuer.example/';
        const endpoints = { authorization_endpoint: `${issuer}authorize`, token_endpoint: `${issuer}token` };
        const oauthMetadata = { issuer, ...endpoints, response_types_supported: ['code'] };
        const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(url);
        app.use(mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl: url }));
        app.use('/mcp', requireBearerAuth({ verifier, resourceMetadataUrl }));
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
