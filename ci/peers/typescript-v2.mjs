// A server on the TypeScript SDK v2: `stdio`, or `http`, `modern`, `bearer` with a port; both eras but for `modern`.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// The SDK is installed below target/live, not beside this file: modules are looked for in the working folder.
const installed = createRequire(`${process.cwd()}/package.json`);
const load = async name => import(pathToFileURL(installed.resolve(name)));
const { McpServer, OAuthError, OAuthErrorCode, createMcpHandler } = await load('@modelcontextprotocol/server');
const { serveStdio } = await load('@modelcontextprotocol/server/stdio');
const { toNodeHandler } = await load('@modelcontextprotocol/node');
const { createMcpExpressApp, getOAuthProtectedResourceMetadataUrl, mcpAuthMetadataRouter, requireBearerAuth } =
    await load('@modelcontextprotocol/express');
const { z } = await load('zod');

const tools = JSON.parse(readFileSync(new URL('tools.json', import.meta.url)));
const [mode, port] = process.argv.slice(2);

function peer() {
    const server = new McpServer({ name: 'peer', version: '1.2.3' }, { instructions: 'Numbers have twelve digits.' });
    const annotations = { readOnlyHint: true };
    for (const [name, description] of Object.entries(tools)) {
        const inputSchema = z.object({ number: z.string().min(12).describe('Number of the parcel') });
        server.registerTool(name, { description, inputSchema, annotations }, async () => ({ content: [] }));
    }
    return server;
}

if (mode === 'stdio') {
    serveStdio(peer);
} else {
    const app = createMcpExpressApp();
    if (mode === 'bearer') {
        const url = new URL(`http://127.0.0.1:${port}/mcp`);
        const verifier = {
            async verifyAccessToken(token) {
                if (token !== process.env.PEER_TOKEN) {
                    throw new OAuthError(OAuthErrorCode.InvalidToken, 'unknown token');
                }
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
    const handle = toNodeHandler(createMcpHandler(peer, { legacy: mode === 'modern' ? 'reject' : 'stateless' }));
    app.all('/mcp', (request, response) => handle(request, response, request.body));
    app.listen(Number(port), '127.0.0.1');
}
