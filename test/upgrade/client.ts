import assert from 'node:assert/strict';
import { userPath } from '../kit/dashboard/user-path.ts';
import { type CallOptions, type Json, type Reply, readReply } from '../kit/service/test-service.ts';

/** The settings under which fixtures are made and upgraded. */
export const FIXTURE_ENVIRONMENT = {
  ROSTER_API_KEY: 'rk_fixture_0123456789abcdefghij',
  ROSTER_ADMIN_EMAIL: 'owner@example.com',
  ROSTER_ADMIN_PASSWORD: 'correct horse battery',
  ROSTER_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  LOG_LEVEL: 'error',
  AUDIT_DAYS: '0',
} as const;

/** Calls a service with the same headers every time. */
export class ApiClient {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #addressOf: (method: string, path: string) => string;

  constructor(url: string, headers: Record<string, string>, addressOf = (_: string, path: string) => path) {
    this.#url = url;
    this.#headers = headers;
    this.#addressOf = addressOf;
  }

  async call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Reply> {
    const payload = options.raw ?? (body === undefined ? null : JSON.stringify(body));
    const response = await fetch(this.#url + this.#addressOf(method, path), {
      method,
      headers: {
        ...this.#headers,
        ...(payload !== null && { 'content-type': 'application/json' }),
        ...(options.headers as Record<string, string>),
      },
      body: payload as string | null,
    });
    return readReply(response);
  }

  /** The data of the response to a request that must succeed. */
  async send(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Json> {
    const reply = await this.call(method, path, body, options);
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.body.data;
  }
}

export const clientWithKey = (url: string, key: string = FIXTURE_ENVIRONMENT.ROSTER_API_KEY): ApiClient =>
  new ApiClient(url, { authorization: `Bearer ${key}` });

/** A client that is signed in as the owner. Undefined if this version has no dashboard. In versions whose API accepts no sessions, the dashboard
 *  has an API with the same operations. */
export const signInOwner = async (url: string): Promise<ApiClient | undefined> => {
  const { ROSTER_ADMIN_EMAIL: email, ROSTER_ADMIN_PASSWORD: password } = FIXTURE_ENVIRONMENT;
  const reply = await new ApiClient(url, {}).call('POST', '/dashboard/api/session', { email, password });
  if (reply.status === 404) return undefined;
  assert.equal(reply.status, 200, reply.text);
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
  const headers = { cookie, origin: url };
  const settings = await new ApiClient(url, headers).call('GET', '/v1/settings');
  return settings.status === 200
    ? new ApiClient(url, headers, userPath)
    : new ApiClient(`${url}/dashboard/api`, headers);
};
