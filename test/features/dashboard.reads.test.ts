import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { makeContact } from '../kit/fixtures/factories.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

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

  it('Only single responses of the API can be read', async () => {
    for (const path of ['/metrics', 'https://example.com/v1/contacts', '/', '/v1'])
      assert.equal((await send(owner, [path])).status, 400, path);
    assert.equal((await send(owner, Array(21).fill('/v1/tags'))).status, 400);
    const streams = ['/dashboard/api/live', '/dashboard/api/reads'];
    const lines = await linesOf(await send(owner, streams, { accept: 'text/event-stream' }));
    assert.deepEqual(
      lines.map(({ status }) => status),
      [400, 405],
    );
  });
});
