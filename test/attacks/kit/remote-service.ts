import type { TestDatabase } from '../../kit/database/engines.ts';
import { type CallOptions, KEY, type TestService } from '../../kit/service/test-service.ts';
import type { Client } from './client.ts';

/** A service in another process, with the interface of a test service. Its log is not available. */
export const remoteService = (url: string, database: TestDatabase, client: Client): TestService => {
  const call = (method: string, path: string, body?: unknown, options: CallOptions = {}) => {
    const payload = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const headers: Record<string, string | null> = {
      host: new URL(url).host,
      authorization: `Bearer ${options.key ?? KEY}`,
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    };
    const sent = Object.entries(headers).filter((header): header is [string, string] => header[1] !== null);
    return client.send({ method, path, headers: Object.fromEntries(sent), body: payload });
  };
  return {
    url,
    database,
    log: [],
    call,
    get: (path, options) => call('GET', path, undefined, options),
    post: (path, body, options) => call('POST', path, body, options),
    patch: (path, body, options) => call('PATCH', path, body, options),
    delete: (path, options) => call('DELETE', path, undefined, options),
    stop: async () => {},
  };
};
