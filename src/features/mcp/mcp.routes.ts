import type { IncomingHttpHeaders } from 'node:http';
import type { Storage } from '../../db/storage.ts';
import { rateLimitGuard } from '../../http/pipeline/rate-limit.ts';
import { type HttpResponse, route } from '../../http/pipeline/route.ts';
import type { Encryptor } from '../../lib/encryption.ts';
import { ApiError, forbidden } from '../../lib/errors.ts';
import { parseJson } from '../../lib/json.ts';
import { anyKey } from '../workspaces/access.ts';
import type { KeyPrincipal } from '../workspaces/principal.ts';
import { isOwnOrigin } from '../workspaces/session.guard.ts';

/** The revision of March 2025 has batches, later ones do not. Each message counts as a request. */
const MAX_BATCH = 10;

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

const rpcError = (status: number, code: number, message: string): HttpResponse => ({
  status,
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

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
}

/** A cancellation in a batch would leave its request without an answer. There is nothing to cancel: no request outlives its
 *  HTTP request. */
const isCancellation = (message: unknown): boolean =>
  (message as Message | null)?.method === 'notifications/cancelled';

/** Why a batch cannot be answered. A larger one than the quota of the key would never be accepted. */
const batchProblem = (messages: readonly unknown[], { rate }: KeyPrincipal): string | undefined => {
  if (messages.length === 0) return 'The batch is empty.';
  const max = Math.min(MAX_BATCH, rate?.quota ?? MAX_BATCH);
  if (messages.length > max) return `A batch may have at most ${max} messages.`;
  const ids = messages.map((message) => (message as Message | null)?.id).filter((id) => id !== undefined);
  return new Set(ids).size < ids.length ? 'Two messages of the batch have the same id.' : undefined;
};

/** The endpoint for AI assistants. The code of the protocol is loaded on first use. */
export const mcpRoute = (storage: Storage, encryptor: Encryptor, version: string) => {
  /** Each message is counted, and all of a batch in one step: parallel batches would otherwise take each other's quota without one
   *  success. */
  const limitRate = rateLimitGuard<KeyPrincipal>(storage.consumeQuota);

  return route<KeyPrincipal, unknown, string>({
    access: anyKey,
    body: 'raw',
    handle: async ({ principal, body, headers, origin }) => {
      const added: Record<string, string> = {};
      const count = (messages = 1) =>
        limitRate(
          principal,
          { addHeader: (name, value) => Object.assign(added, { [name]: value }) },
          messages,
        );
      const refuse = async (code: number, text: string) => {
        await count();
        return { ...rpcError(400, code, text), headers: added };
      };
      if (!isAllowedOrigin(headers.origin, origin().base)) {
        await count();
        throw forbiddenOrigin();
      }
      let message: unknown;
      try {
        message = parseJson(body);
      } catch (error) {
        if (error instanceof ApiError) return refuse(-32700, `Parse error: ${error.message}`);
        throw error;
      }
      const problem = Array.isArray(message) ? batchProblem(message, principal) : undefined;
      if (problem) return refuse(-32600, `Invalid Request: ${problem}`);
      await count(Array.isArray(message) ? message.length : 1);
      if (Array.isArray(message)) {
        message = message.filter((each) => !isCancellation(each));
        if ((message as unknown[]).length === 0) return { status: 202, body: '', headers: added };
      }
      const { answerMcp } = await import('./mcp.server.ts');
      let failure: { error: unknown } | undefined;
      const response = await answerMcp(
        new Request('http://localhost/mcp', { method: 'POST', headers: headersOf(headers), body }),
        message,
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
      return { status: response.status, body: text, headers: added, ...(type && { type }) };
    },
  });
};
