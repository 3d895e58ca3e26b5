import assert from 'node:assert/strict';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { routeTables } from '../../src/wiring/routes.ts';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { applyImport, planCsv } from '../kit/imports/imports.ts';
import { type Json, KEY, onSqlite } from '../kit/service/test-service.ts';

const decompress: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
};
const ENCODINGS = Object.keys(decompress);

interface RawReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body after decompression. */
  readonly text: string;
}

interface RawOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** fetch would choose the encodings itself and decompress silently. */
const send = (url: string, { method = 'GET', headers = {}, body }: RawOptions = {}): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    const content = body === undefined ? {} : { 'content-type': 'application/json' };
    const request = httpRequest(url, { method, headers: { ...content, ...headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on('error', reject).on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const bytes = Buffer.concat(parts);
        const encoding = response.headers['content-encoding'];
        const text = encoding && bytes.length > 0 ? decompress[encoding]?.(bytes) : bytes;
        resolve({
          status: response.statusCode as number,
          headers: response.headers,
          bytes,
          text: String(text),
        });
      });
    });
    request.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });

/** The names of all properties in a schema, without the keys of contact fields. */
const propertiesIn = (schema: unknown): string[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const properties = (schema as Json).properties ?? {};
  const named = Object.keys(properties).filter((name) => name !== 'key' || !('label' in properties));
  return [...named, ...Object.values(schema).flatMap(propertiesIn)];
};

describe('Responses with secrets', () => {
  it('Every route that returns a secret is marked, so that its response is never compressed', () => {
    const { api, dashboard } = routeTables({ storage: {} } as never);
    const routes = [...api, ...dashboard];
    let marked = 0;
    for (const { method, path, route } of routes) {
      const { data, returnsSecret } = route;
      const hasSecret = propertiesIn(data).some((name) => /^(secret|key|url_path|token)$/.test(name));
      assert.equal(returnsSecret ?? false, hasSecret, `${method} ${path}`);
      if (hasSecret) marked++;
    }
    assert.ok(marked >= 7);
  });
});

onSqlite('Compressed responses', (service) => {
  const authorization = `Bearer ${KEY}`;
  let owner: DashboardUser;
  let agent: string;
  const get = (path: string, encoding?: string, headers: Record<string, string> = {}) =>
    send(service.url + path, {
      headers: { authorization, ...(encoding !== undefined && { 'accept-encoding': encoding }), ...headers },
    });

  before(async () => {
    owner = await signedInUser(service);
    const notes = 'Prefers calls in the morning. '.repeat(8);
    for (let at = 0; at < 40; at++) {
      const made = await service.post('/v1/contacts', {
        phone_number: newPhone(),
        first_name: `N${at}`,
        notes,
      });
      assert.equal(made.status, 201);
    }
    const made = await service.post('/v1/agents', { name: 'Large', instructions: 'v1' });
    agent = `/v1/agents/${made.body.data.id}`;
    for (let at = 0; at < 60; at++) await service.patch(agent, { instructions: `Text ${at}` });
  });

  it('A large response is compressed in the encoding that the client prefers', async () => {
    const path = '/v1/contacts?limit=40';
    const plain = await get(path);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.headers.vary, 'Accept-Encoding');
    assert.ok(plain.bytes.length > 8_192);
    for (const [accepted, expected] of [
      ...ENCODINGS.map((each) => [each, each] as const),
      ['gzip, deflate, br, zstd', 'zstd'],
      ['gzip, br;q=0.5', 'gzip'],
      ['br;q=0, *', 'gzip'],
      ['identity;q=0, br', 'br'],
      ['identity, gzip;q=0.9', undefined],
      ['deflate', undefined],
      ['', undefined],
    ] as const) {
      const reply = await get(path, accepted);
      assert.equal(reply.status, 200);
      assert.equal(reply.headers['content-encoding'], expected, accepted);
      assert.equal(reply.headers.vary, 'Accept-Encoding');
      assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(reply.headers['content-length'], `${reply.bytes.length}`);
      assert.equal(reply.text, plain.text);
      if (expected) assert.ok(reply.bytes.length < plain.bytes.length / 4);
    }
  });

  it('A small response is compressed only for a client that refuses it otherwise', async () => {
    const path = '/v1/contacts?limit=1';
    const plain = await get(path, 'zstd, br, gzip');
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.headers.vary, undefined);
    const forced = await get(path, 'gzip, identity;q=0');
    assert.equal(forced.headers['content-encoding'], 'gzip');
    assert.equal(forced.text, plain.text);
    const impossible = await get(path, 'deflate, identity;q=0');
    assert.equal(impossible.status, 200);
    assert.equal(impossible.headers['content-encoding'], undefined);
  });

  it('HEAD returns the headers of GET, and no body', async () => {
    for (const path of ['/v1/contacts?limit=40', agent, '/openapi.json']) {
      for (const encoding of [...ENCODINGS, 'identity']) {
        const headers = { authorization, 'accept-encoding': encoding };
        const head = await send(service.url + path, { method: 'HEAD', headers });
        const full = await get(path, encoding);
        assert.equal(head.bytes.length, 0);
        for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary'])
          assert.equal(head.headers[name], full.headers[name], `${path} ${encoding} ${name}`);
      }
    }
  });

  it('A large error is compressed', async () => {
    const body = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}${'語'.repeat(100)}`, 1]));
    const headers = { authorization, 'accept-encoding': 'br' };
    const reply = await send(`${service.url}/v1/contacts`, { method: 'POST', headers, body });
    assert.equal(reply.status, 400);
    assert.equal(reply.headers['content-encoding'], 'br');
    assert.equal(JSON.parse(reply.text).error.details.length, 20);
  });

  it('Each encoding has its own strong ETag, and conditional requests accept any of them', async () => {
    const plain = (await get(agent)).headers.etag as string;
    const tags = [plain];
    for (const encoding of ENCODINGS) {
      const reply = await get(agent, encoding);
      assert.equal(reply.headers['content-encoding'], encoding);
      assert.equal(reply.headers.etag, plain.replace(/"$/, `;${encoding}"`));
      tags.push(reply.headers.etag as string);
    }
    assert.equal(new Set(tags).size, 4);
    for (const known of tags) {
      for (const encoding of [...ENCODINGS, 'identity']) {
        const reply = await get(agent, encoding, { 'if-none-match': `W/${known}` });
        assert.equal(reply.status, 304);
        assert.equal(reply.headers.etag, known);
        assert.equal(reply.headers.vary, 'Accept-Encoding');
        assert.equal(reply.headers['content-encoding'], undefined);
      }
    }
    for (const encoding of ENCODINGS) {
      const { etag } = (await get(agent, encoding)).headers;
      const change = { name: `After ${encoding}` };
      const changed = await service.patch(agent, change, { headers: { 'if-match': etag as string } });
      assert.equal(changed.status, 200, changed.text);
      const stale = await service.patch(agent, change, { headers: { 'if-match': etag as string } });
      assert.equal(stale.status, 412);
      const weak = `W/${(await get(agent, encoding)).headers.etag}`;
      assert.equal((await service.patch(agent, change, { headers: { 'if-match': weak } })).status, 412);
    }
  });

  it('A contact can be changed with the ETag of a compressed response', async () => {
    const made = await service.post('/v1/contacts', { phone_number: newPhone(), notes: '👋'.repeat(2_000) });
    const path = `/v1/contacts/${made.body.data.id}`;
    const { etag = '' } = (await get(path, 'gzip')).headers;
    const headers = { authorization, 'accept-encoding': 'zstd', 'if-match': etag };
    const changed = await send(service.url + path, { method: 'PATCH', headers, body: { company: 'Acme' } });
    assert.equal(changed.status, 200);
    assert.equal(changed.headers['content-encoding'], 'zstd');
    const gone = await service.delete(path, { headers: { 'if-match': changed.headers.etag as string } });
    assert.equal(gone.status, 200);
  });

  it('Documents are compressed, with ETags for each encoding', async () => {
    for (const path of ['/openapi.json', '/dashboard/openapi.json']) {
      const plain = await get(path);
      assert.equal(plain.headers.vary, 'Accept-Encoding');
      const tags = new Set([plain.headers.etag]);
      for (const encoding of ENCODINGS) {
        const reply = await get(path, encoding);
        assert.equal(reply.headers['content-encoding'], encoding);
        assert.equal(reply.text, plain.text);
        tags.add(reply.headers.etag);
        const again = await get(path, encoding, { 'if-none-match': reply.headers.etag as string });
        assert.equal(again.status, 304);
        assert.equal(again.headers.etag, reply.headers.etag);
        assert.equal(again.headers.vary, 'Accept-Encoding');
      }
      assert.equal(tags.size, 4);
    }
  });

  it('Exports and reports are compressed as streams, and events never are', async () => {
    const headers = { cookie: owner.cookie, origin: service.url };
    const { id } = await planCsv(owner, `Phone,First Name\n${newPhone()},Ada\n`);
    await applyImport(owner, id);
    for (const path of ['/contacts/export', '/contacts/export?format=jsonl', `/imports/${id}/report.csv`]) {
      const url = `${service.url}/v1${path}`;
      const plain = await send(url, { headers });
      assert.equal(plain.headers['content-encoding'], undefined);
      for (const encoding of ENCODINGS) {
        const reply = await send(url, { headers: { ...headers, 'accept-encoding': encoding } });
        assert.equal(reply.headers['content-encoding'], encoding);
        assert.equal(reply.headers['content-length'], undefined);
        assert.equal(reply.headers.vary, 'Accept-Encoding');
        assert.equal(reply.text, plain.text);
        const head = await send(url, {
          method: 'HEAD',
          headers: { ...headers, 'accept-encoding': encoding },
        });
        assert.equal(head.headers['content-encoding'], encoding);
        assert.equal(head.bytes.length, 0);
      }
    }
  });

  it('A response that contains a new secret is not compressed', async () => {
    const headers = { cookie: owner.cookie, origin: service.url, 'accept-encoding': 'gzip, identity;q=0' };
    const create = async (path: string, body?: unknown) => {
      const reply = await send(`${service.url}/v1${path}`, { method: 'POST', headers, body });
      assert.ok(reply.status < 300, reply.text);
      assert.equal(reply.headers['content-encoding'], undefined, path);
      return JSON.parse(reply.text).data;
    };
    await create('/keys', { name: 'Reader', scope: 'read' });
    const { id } = await create('/integrations', { name: 'CRM' });
    await create(`/integrations/${id}/rotate-secret`, {});
    const refused = await send(`${service.url}/v1/keys`, { method: 'POST', headers, body: {} });
    assert.equal(refused.headers['content-encoding'], 'gzip', 'an error contains no secret');
  });

  it('Many concurrent requests get the right content, compressed or not', async () => {
    const path = '/v1/contacts?limit=40';
    const { text } = await get(path);
    const replies = await Promise.all(Array.from({ length: 150 }, () => get(path, 'gzip')));
    for (const reply of replies) assert.equal(reply.text, text);
    assert.ok(replies.filter(({ headers }) => headers['content-encoding']).length >= 66);
  });
});
