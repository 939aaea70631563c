// What the servers on both versions of the TypeScript SDK have in common.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// The SDK is installed below target/live, not beside this file: modules are looked for in the working folder.
const installed = createRequire(`${process.cwd()}/package.json`);
export const load = async name => import(pathToFileURL(installed.resolve(name)));
export const [mode, port] = process.argv.slice(2);

const tools = JSON.parse(readFileSync(new URL('tools.json', import.meta.url)));

// A server with the tools of all peers. `shape` makes an input schema of a number, as its SDK wants it.
export function peer(McpServer, shape) {
    const server = new McpServer({ name: 'peer', version: '1.2.3' }, { instructions: 'Numbers have twelve digits.' });
    const annotations = { readOnlyHint: true };
    for (const [name, description] of Object.entries(tools)) {
        server.registerTool(name, { description, inputSchema: shape(), annotations }, async () => ({ content: [] }));
    }
    return server;
}

// Puts the SDK's own bearer check before /mcp. `unknown` makes the error for a token that is not the right one.
export function protect(app, sdk, unknown) {
    const url = new URL(`http://127.0.0.1:${port}/mcp`);
    const verifier = {
        async verifyAccessToken(token) {
            if (token !== process.env.PEER_TOKEN) throw unknown('unknown token');
            return { token, clientId: 'live', scopes: [], expiresAt: Date.now() / 1000 + 3600, resource: url };
        },
    };
    const issuer = 'https://issuer.example/';
    const endpoints = { authorization_endpoint: `${issuer}authorize`, token_endpoint: `${issuer}token` };
    const oauthMetadata = { issuer, ...endpoints, response_types_supported: ['code'] };
    const resourceMetadataUrl = sdk.getOAuthProtectedResourceMetadataUrl(url);
    app.use(sdk.mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl: url }));
    app.use('/mcp', sdk.requireBearerAuth({ verifier, resourceMetadataUrl }));
}
