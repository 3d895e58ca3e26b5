import assert from 'node:assert/strict';
import type { CheckedUser } from '../dashboard/checked-client.ts';
import type { Json, Reply, TestService } from '../service/test-service.ts';

export const REVISIONS = ['2026-07-28', '2025-11-25'] as const;
export type Revision = (typeof REVISIONS)[number];

export interface ToolReply {
  readonly isError: boolean;
  /** The text for the model. */
  readonly text: string;
  /** The records between the markers, if they are JSON. */
  readonly records: Json[];
  /** The text between the markers. */
  readonly data: string;
  readonly structured: Json;
  /** The size of the whole response. */
  readonly bytes: number;
}

const META = 'io.modelcontextprotocol/';

/** A client of MCP that sends plain JSON-RPC, without sessions. */
export class McpClient {
  readonly #service: TestService;
  readonly #key: string | undefined;
  readonly #revision: Revision;
  #id = 0;

  constructor(service: TestService, key?: string, revision: Revision = '2026-07-28') {
    this.#service = service;
    this.#key = key;
    this.#revision = revision;
  }

  /** Sends a body as it is. */
  post(body: unknown, headers: Record<string, string | null> = {}): Promise<Reply> {
    return this.#service.post('/mcp', body, {
      ...(this.#key !== undefined && { key: this.#key }),
      headers: { accept: 'application/json, text/event-stream', ...headers },
    });
  }

  /** Sends one request and returns the response, which may be an error. */
  async send(method: string, params: Json = {}): Promise<Reply> {
    const isModern = this.#revision === '2026-07-28';
    const meta = {
      [`${META}protocolVersion`]: this.#revision,
      [`${META}clientInfo`]: { name: 'test', version: '1' },
      [`${META}clientCapabilities`]: {},
    };
    // A request of the 2026 revision repeats the name in a header.
    const name: string | undefined = params?.name;
    const request = {
      jsonrpc: '2.0',
      id: ++this.#id,
      method,
      params: isModern ? { ...params, _meta: meta } : params,
    };
    return this.post(request, {
      'mcp-protocol-version': this.#revision,
      ...(isModern && { 'mcp-method': method, ...(name && { 'mcp-name': encodeURI(name) }) }),
    });
  }

  /** The result of a request that succeeds. */
  async result(method: string, params?: Json): Promise<Json> {
    const reply = await this.send(method, params);
    const body = JSON.parse(reply.text);
    assert.equal(reply.status, 200, reply.text);
    assert.ok(body.result, reply.text);
    return body.result;
  }

  /** The error of a request that the protocol rejects. */
  async error(method: string, params?: Json): Promise<{ code: number; message: string; data?: Json }> {
    const { text } = await this.send(method, params);
    const body = JSON.parse(text);
    assert.ok(body.error, text);
    return body.error;
  }

  async toolNames(): Promise<string[]> {
    return (await this.result('tools/list')).tools.map(({ name }: Json) => name);
  }

  async call(name: string, args: Json = {}): Promise<ToolReply> {
    const reply = await this.send('tools/call', { name, arguments: args });
    assert.equal(reply.status, 200, reply.text);
    const { result } = JSON.parse(reply.text);
    assert.ok(result, reply.text);
    const [{ text }] = result.content;
    const data = /<(data-\w+)>\n([\s\S]*)\n<\/\1>$/.exec(text)?.[2] ?? '';
    return {
      isError: result.isError === true,
      text,
      data,
      records: data.startsWith('{') ? data.split('\n').map((line) => JSON.parse(line)) : [],
      structured: result.structuredContent,
      bytes: Buffer.byteLength(reply.text),
    };
  }

  /** Calls a tool that succeeds. */
  async use(name: string, args?: Json): Promise<ToolReply> {
    const reply = await this.call(name, args);
    assert.ok(!reply.isError, reply.text);
    return reply;
  }

  /** Calls a tool that fails with a code, and returns its text. */
  async fails(code: string, name: string, args?: Json): Promise<string> {
    const reply = await this.call(name, args);
    assert.ok(reply.isError, reply.text);
    assert.match(reply.text, new RegExp(`^${code}: `));
    assert.match(reply.text, /\nWhat to do: .+/);
    assert.match(reply.text, /\nRequest id: req_\w+$/);
    return reply.text;
  }
}

export const ALL_SCOPES = [
  ...['contacts:read', 'contacts:write', 'agents:read', 'agents:write', 'agents:deploy'],
  ...['calls:read', 'campaigns:read', 'campaigns:write', 'imports:write', 'audit:read'],
];

/** A client with a new key of these scopes. */
export const mcpClient = async (
  service: TestService,
  owner: CheckedUser,
  scopes: readonly string[] = ALL_SCOPES,
  revision?: Revision,
): Promise<McpClient> => {
  const { key } = await owner.request('POST', '/keys', { name: 'Assistant', scopes }, 201);
  return new McpClient(service, key, revision);
};
