import type { IncomingHttpHeaders } from 'node:http';
import type { Storage } from '../../db/storage.ts';
import { type HttpResponse, route } from '../../http/pipeline/route.ts';
import type { Encryptor } from '../../lib/encryption.ts';
import { attempt, forbidden } from '../../lib/errors.ts';
import { parseJson } from '../../lib/json.ts';
import { anyKey } from '../workspaces/access.ts';
import type { KeyPrincipal } from '../workspaces/principal.ts';
import { isOwnOrigin } from '../workspaces/session.guard.ts';

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** Browsers send an Origin. Their requests are accepted only from this service's own pages, and over plain HTTP only on this
 *  machine: elsewhere a page could have this origin by DNS rebinding. */
const isAllowedOrigin = (origin: string | undefined, base: string): boolean => {
  if (origin === undefined) return true;
  if (!isOwnOrigin(origin, base)) return false;
  const { protocol, hostname } = new URL(base);
  return protocol === 'https:' || LOOPBACK.test(hostname);
};

const forbiddenOrigin = () =>
  forbidden(
    'Requests from web pages are not accepted. Call this endpoint from a program, without an Origin header.',
  );

const rpcError = (code: number, message: string): HttpResponse => ({
  status: 400,
  body: JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }),
});

/** The headers that the protocol uses. */
const isProtocolHeader = (name: string): boolean =>
  name === 'accept' || name === 'content-type' || name.startsWith('mcp-');

const headersOf = (headers: IncomingHttpHeaders): Headers => {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (isProtocolHeader(name) && value !== undefined) result.set(name, String(value));
  }
  return result;
};

/** The endpoint for AI assistants. The code of the protocol is loaded on first use. */
export const mcpRoute = (storage: Storage, encryptor: Encryptor, version: string) =>
  route<KeyPrincipal, unknown, string>({
    access: anyKey,
    body: 'raw',
    handle: async ({ principal, body, headers, origin }) => {
      if (!isAllowedOrigin(headers.origin, origin().base)) throw forbiddenOrigin();
      const parsed = attempt(() => parseJson(body));
      if ('error' in parsed) return rpcError(-32700, `Parse error: ${parsed.error.message}`);
      // Only the revision of March 2025 had batches.
      if (Array.isArray(parsed.value))
        return rpcError(-32600, 'Invalid Request: Send one message, not a batch.');
      const { answerMcp } = await import('./mcp.server.ts');
      let failure: { error: unknown } | undefined;
      const response = await answerMcp(
        new Request('http://localhost/mcp', { method: 'POST', headers: headersOf(headers), body }),
        parsed.value,
        {
          version,
          context: { storage, encryptor, principal: { ...principal, via: 'mcp' } },
          onFailure: (error) => {
            failure ??= { error };
          },
        },
      );
      const text = await response.text();
      // A fault of the service gets the same response, log line and metric as on any other route.
      if (failure) throw failure.error;
      const type = response.headers.get('content-type');
      return { status: response.status, body: text, ...(type && { type }) };
    },
  });
