import assert from 'node:assert/strict';
import { before, it, type TestContext } from 'node:test';
import { type CheckedUser, checkedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { type DashboardUser, signedInUser } from '../kit/dashboard/users.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

const WITHIN_MS = 1_000;

interface Changes {
  readonly after: string | null;
  readonly changes: readonly { readonly type: string; readonly ids: readonly string[] }[];
  readonly work: readonly string[];
}

onEveryEngine('Live changes', (service) => {
  let owner: CheckedUser;
  before(async () => {
    owner = await checkedUser(service, await signedInUser(service));
  });

  const request = (user: DashboardUser, headers: Record<string, string>, signal?: AbortSignal) =>
    fetch(`${service.url}/dashboard/api/live`, {
      headers: { cookie: user.cookie, accept: 'text/event-stream', ...headers },
      signal: signal ?? null,
    });

  /** An open stream. `next` returns the changes of the next message, and undefined at the end. */
  const follow = async (context: TestContext, user: DashboardUser, last = '') => {
    const controller = new AbortController();
    context.after(() => controller.abort());
    const response = await request(user, last ? { 'last-event-id': last } : {}, controller.signal);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const next = async (): Promise<Changes | undefined> => {
      const { value } = (await reader?.read()) ?? {};
      const data = value?.match(/^id: (.*)\ndata: (.*)\n\n$/);
      assert.ok(value === undefined || data, `a whole message: ${value}`);
      return data ? JSON.parse(data[2] ?? '') : undefined;
    };
    const start = await next();
    assert.deepEqual(start?.changes, []);
    return { next, after: start?.after, work: start?.work, close: () => controller.abort() };
  };

  /** Fails unless the stream ends soon after the action. */
  const endsWithin = async (stream: Awaited<ReturnType<typeof follow>>, act: () => Promise<unknown>) => {
    await act();
    const from = performance.now();
    assert.equal(await stream.next(), undefined);
    const ms = performance.now() - from;
    assert.ok(ms < WITHIN_MS, `ended after ${ms} ms`);
  };

  const newMember = async (email: string) => {
    const user = await signedInUser(service, email, 'member');
    const { id } = (await user.call('GET', '/session')).body.data;
    return { user, id };
  };

  it('A message names the records that changed, and nothing else', async (context) => {
    await makeContact(service);
    const stream = await follow(context, owner);
    const contact = await makeContact(service, { first_name: 'Secret' });
    const message = await stream.next();
    assert.deepEqual(message?.changes, [{ type: 'contact.created', ids: [contact.id] }]);
    assert.deepEqual(Object.keys(message ?? {}), ['after', 'changes', 'work']);
  });

  it('Last-Event-ID resumes without a gap, and an id that is gone is 410', async (context) => {
    const stream = await follow(context, owner);
    stream.close();
    const missed = [(await makeContact(service)).id, (await makeContact(service)).id];
    const resumed = await follow(context, owner, stream.after ?? '');
    assert.deepEqual(
      (await resumed.next())?.changes.flatMap(({ ids }) => ids),
      missed,
    );
    const forged = `${stream.after?.slice(0, -4)}zzzz`;
    const reply = await request(owner, { 'last-event-id': forged });
    assert.equal(reply.status, 410);
    assert.equal(((await reply.json()) as Json).error.code, 'GONE');
  });

  it('Many changes arrive in few messages', async (context) => {
    const stream = await follow(context, owner);
    const expected = new Set<string>();
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        for (let count = 0; count < 20; count++) expected.add((await makeContact(service)).id);
      }),
    );
    let messages = 0;
    const from = performance.now();
    for (; expected.size > 0; messages++)
      for (const { ids } of (await stream.next())?.changes ?? []) expected.delete(ids[0] ?? '');
    const polls = (performance.now() - from) / 250;
    assert.ok(messages <= polls + 10, `${messages} messages`);
  });

  it('Members do not see changes of what only owners may read, and no one sees another workspace', async (context) => {
    const { user } = await newMember('filtered@example.com');
    const other = (await makeOtherWorkspace(service)).owner;
    const theirs = await follow(context, other);
    const { after } = await follow(context, owner);
    const hidden = await makeContact(service);
    const read = async (who: DashboardUser) =>
      (await who.call('GET', `/live?after=${after}`)).body.data.changes;
    const shows = (count: number) => async () => (await read(owner)).length === count;
    await eventually('the event is in the log', shows(1));
    // A webhook is disabled only after days of failures.
    await service.database.query(
      `update events set type = 'webhook.disabled' where subject = '${hidden.id}'`,
    );
    const contact = await makeContact(service);
    const created = { type: 'contact.created', ids: [contact.id] };
    await eventually('the next one, too', shows(2));
    assert.deepEqual(await read(owner), [{ type: 'webhook.disabled', ids: [hidden.id] }, created]);
    assert.deepEqual(await read(user), [created]);
    const stream = await follow(context, user, after ?? '');
    assert.deepEqual((await stream.next())?.changes, [created]);
    assert.equal((await other.call('GET', `/live?after=${after}`)).status, 410);
    const first = await other.request('POST', '/contacts', { phone_number: newPhone() }, 201);
    assert.deepEqual((await theirs.next())?.changes, [{ type: 'contact.created', ids: [first.id] }]);
  });

  it('A stream begins with all background work that the role may see, and then names what has changed', async (context) => {
    const { user } = await newMember('worker@example.com');
    const other = (await makeOtherWorkspace(service)).owner;
    const theirs = await follow(context, other);
    const stream = await follow(context, owner);
    assert.deepEqual(stream.work, ['jobs', 'imports', 'notices', 'webhooks']);
    const ofMember = await follow(context, user);
    assert.deepEqual(ofMember.work, ['jobs', 'imports', 'notices']);
    const { id } = await makeContact(service);
    const job = { action: 'tag', selection: { ids: [id] }, add: ['seen'] };
    await owner.request('POST', '/bulk-jobs', job, 201);
    for (const each of [stream, ofMember]) {
      let kinds: readonly string[] = [];
      while (!kinds.includes('jobs')) kinds = (await each.next())?.work ?? ['jobs', 'the stream has ended'];
      assert.ok(!kinds.includes('webhooks') && !kinds.includes('the stream has ended'), kinds.join());
    }
    const webhook = { url: 'https://example.com/hook' };
    await owner.request('POST', '/webhooks', webhook, 201);
    let kinds: readonly string[] = [];
    while (!kinds.includes('webhooks'))
      kinds = (await stream.next())?.work ?? ['webhooks', 'the stream has ended'];
    assert.ok(!kinds.includes('the stream has ended'));
    await other.request('POST', '/contacts', { phone_number: newPhone() }, 201);
    assert.deepEqual((await theirs.next())?.work, [], 'nothing of the other workspace came before');
  });

  it('A stream ends within a second of a sign-out, a changed role and a removal', async (context) => {
    const first = await newMember('first@example.com');
    await endsWithin(await follow(context, first.user), () => first.user.call('DELETE', '/session'));
    assert.equal((await request(first.user, {})).status, 401);

    const second = await newMember('second@example.com');
    const change = (role: string) => owner.request('PATCH', `/users/${second.id}`, { role });
    await endsWithin(await follow(context, second.user), () => change('owner'));
    await endsWithin(await follow(context, second.user), () => change('member'));
    await endsWithin(await follow(context, second.user), () =>
      owner.request('DELETE', `/users/${second.id}`),
    );
    assert.equal((await request(second.user, {})).status, 401);
  });

  it('A user can have ten streams', async (context) => {
    const { user } = await newMember('many@example.com');
    const streams = [];
    for (let count = 0; count < 10; count++) streams.push(await follow(context, user));
    const reply = await request(user, {});
    assert.equal(reply.status, 429);
    assert.match(
      ((await reply.json()) as Json).error.message,
      /You have 10 requests that wait for events open/,
    );
    await follow(context, owner);
  });

  it('A stream needs a session', async () => {
    const headers = { accept: 'text/event-stream' };
    assert.equal((await service.get('/dashboard/api/live', { headers })).status, 401);
  });
});
