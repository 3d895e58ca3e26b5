import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

onEveryEngine('Reads that share a request', (service) => {
  let owner: DashboardUser;
  before(async () => {
    owner = await signedInUser(service);
  });

  const send = (user: DashboardUser | undefined, paths: unknown, headers: Record<string, string> = {}) =>
    fetch(`${service.url}/dashboard/api/reads`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: service.url,
        ...(user && { cookie: user.cookie }),
        ...headers,
      },
      body: JSON.stringify({ paths }),
    });
  const linesOf = async (response: Response): Promise<Json[]> => {
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
    const lines = (await response.text()).trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line)).sort((a, b) => a.at - b.at);
  };

  it('Each response is the one that a GET returns', async () => {
    const contact = await makeContact(service, { first_name: 'Ada' });
    const paths = [
      `/v1/contacts/${contact.id}`,
      '/dashboard/api/session',
      '/v1/contacts/contact_0',
      '/v1/nothing',
    ];
    const lines = await linesOf(await send(owner, paths));
    for (const [at, path] of paths.entries()) {
      const alone = await fetch(service.url + path, { headers: { cookie: owner.cookie } });
      const body = (await alone.json()) as Json;
      const line = lines[at];
      assert.equal(line.status, alone.status, path);
      assert.equal(line.etag, alone.headers.get('etag'));
      const part = JSON.parse(line.body);
      if (part.error) part.error.request_id = body.error.request_id;
      assert.deepEqual(part, body);
    }
    assert.deepEqual(
      lines.map(({ status }) => status),
      [200, 200, 404, 404],
    );
  });

  it('Each path has its own access check', async () => {
    const member = await signedInUser(service, 'reader@example.com', 'member');
    const other = (await makeOtherWorkspace(service)).owner;
    const contact = await makeContact(service);
    const [keys, own] = await linesOf(await send(member, ['/v1/keys', '/v1/contacts']));
    assert.equal(keys.status, 403);
    assert.equal(own.status, 200);
    const [foreign] = await linesOf(await send(other, [`/v1/contacts/${contact.id}`]));
    assert.equal(foreign.status, 404);
    assert.equal((await send(undefined, ['/v1/contacts'])).status, 401);
    assert.equal((await send(owner, ['/v1/contacts'], { origin: 'https://evil.example' })).status, 403);
  });

  it('Only GETs of JSON of the API can be read, by paths as in a URL', async () => {
    const refused = [
      '/metrics',
      '/',
      '/v1',
      '/api/v1/contacts',
      '/hooks/channels/1/context',
      '//v1/contacts',
      '/%761/contacts',
      '/v1/contacts?search=é',
      '/v1/contacts search',
      'https://example.com/v1/contacts',
      'v1/contacts',
    ];
    for (const path of refused) assert.equal((await send(owner, [path])).status, 400, path);
    assert.equal((await send(owner, Array(21).fill('/v1/tags'))).status, 400);
    const paths = [
      '/dashboard/api/reads',
      '/v1/contacts/export',
      '/v1/calls/export',
      '/v1/../hooks',
      '/v1//contacts',
      '/v1/%2e%2e/metrics',
    ];
    const lines = await linesOf(await send(owner, paths, { accept: 'text/html' }));
    assert.deepEqual(
      lines.map(({ status }) => status),
      [405, 400, 400, 404, 404, 404],
    );
    assert.equal((await fetch(`${service.url}/dashboard/api/reads`)).status, 405);
  });

  it('Downloads that are refused do not count towards the limit of downloads', async () => {
    const lines = await linesOf(await send(owner, Array(3).fill('/v1/calls/export')));
    assert.deepEqual(
      lines.map(({ status }) => status),
      [400, 400, 400],
    );
    const alone = await fetch(`${service.url}/v1/calls/export`, { headers: { cookie: owner.cookie } });
    assert.equal(alone.status, 200);
    await alone.text();
  });

  it('Headers of the request do not change what a path returns', async () => {
    const contact = await makeContact(service);
    const path = `/v1/contacts/${contact.id}`;
    const alone = await fetch(service.url + path, { headers: { cookie: owner.cookie } });
    const headers = {
      'if-none-match': String(alone.headers.get('etag')),
      accept: 'text/event-stream',
      'last-event-id': 'event_0',
      'idempotency-key': 'same',
    };
    const lines = await linesOf(
      await send(owner, [path, '/dashboard/api/live', '/v1/events?limit=1'], headers),
    );
    assert.deepEqual(
      lines.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.deepEqual(JSON.parse(lines[0].body), await alone.json());
  });

  it('A page of another user gets a conflict, and a key is no session', async () => {
    const response = await send(owner, ['/v1/tags'], { 'roster-user': 'user_of_another_tab' });
    assert.equal(response.status, 409);
    assert.equal(typeof ((await response.json()) as Json).error.details.current_user_id, 'string');
    const both = await linesOf(await send(owner, ['/v1/tags'], { authorization: 'Bearer unknown' }));
    const alone = await fetch(`${service.url}/v1/tags`, {
      headers: { cookie: owner.cookie, authorization: 'Bearer unknown' },
    });
    assert.equal(both[0].status, alone.status);
    assert.equal((await send(undefined, ['/v1/tags'], { authorization: 'Bearer unknown' })).status, 401);
  });

  it('Responses that are too large together are refused, and the others are sent', async () => {
    const tags = Array.from({ length: 50 }, (_, at) => `${at}`.padStart(64, 'x'));
    const operations = Array.from({ length: 100 }, (_, at) => ({
      op: 'create',
      phone_number: `+1212555${String(100 + at).padStart(4, '0')}`,
      tags,
    }));
    assert.equal((await service.post('/v1/contacts/batch', { operations })).status, 200);
    const lines = await linesOf(await send(owner, Array(20).fill('/v1/contacts?limit=100')));
    const statuses = lines.map(({ status }) => status);
    assert.ok(statuses.includes(200) && statuses.includes(413), statuses.join());
    const sent = lines.reduce((sum, { status, body }) => sum + (status === 200 ? body.length : 0), 0);
    assert.ok(sent <= 4_194_304, String(sent));
    const { error } = JSON.parse(lines[statuses.indexOf(413)].body);
    assert.equal(error.code, 'PAYLOAD_TOO_LARGE');
  });

  it('Reads end when the client closes the connection', async () => {
    const path = '/v1/events?types=agent.deleted';
    const controller = new AbortController();
    // Ten may wait. The response begins when the eleventh is refused.
    const response = await fetch(`${service.url}/dashboard/api/reads`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.url, cookie: owner.cookie },
      body: JSON.stringify({ paths: Array(11).fill(`${path}&wait=30`) }),
      signal: controller.signal,
    });
    const one = async () => (await linesOf(await send(owner, [`${path}&wait=1`, '/v1/tags'])))[0].status;
    assert.equal(await one(), 429);
    controller.abort();
    await assert.rejects(response.text());
    await eventually('none waits', async () => (await one()) === 200);
  });

  it('Each path is counted and logged as a GET', async () => {
    const response = await send(owner, ['/v1/segments', '/v1/fields']);
    const id = response.headers.get('x-request-id');
    await linesOf(response);
    const logged = service.log
      .flatMap((text) => text.trimEnd().split('\n'))
      .map((line) => JSON.parse(line))
      .filter(({ request_id }) => request_id === id)
      .map(({ method, route, status }) => `${method} ${route} ${status}`);
    assert.deepEqual(logged.sort(), [
      'GET /v1/fields 200',
      'GET /v1/segments 200',
      'POST /dashboard/api/reads 200',
    ]);
  });
});
