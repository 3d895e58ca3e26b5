import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';
import { eventually } from '../kit/webhooks/deliveries.ts';

onEveryEngine('Events', (service) => {
  let key = '';
  before(async () => {
    key = await createScopedKey(service.database, 'events:read');
  });
  const get = (path: string) => service.get(`/v1/events${path}`, { key });
  const read = async (query = ''): Promise<Json> => {
    const reply = await get(`?${query}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.data;
  };
  const latest = async (): Promise<string> => (await read('after=latest')).after;
  const since = async (after: string): Promise<Json[]> => (await read(`after=${after}&limit=500`)).events;

  it('Each change of a contact writes an event with a snapshot', async () => {
    await makeContact(service);
    const start = await latest();
    const contact = await makeContact(service, { first_name: 'Ada' });
    await service.patch(`/v1/contacts/${contact.id}`, { first_name: 'Zoë', tags: ['vip'] });
    const full = (await service.get(`/v1/contacts/${contact.id}`)).body.data;
    const [created, updated, ...rest] = await since(start);
    assert.deepEqual(rest, []);
    assert.deepEqual(Object.keys(created), [
      'id',
      'type',
      'timestamp',
      'workspace_id',
      'subject_id',
      'contact_id',
      'agent_id',
      'campaign_id',
      'actor',
      'request_id',
      'changed',
      'data',
    ]);
    assert.deepEqual([created.type, created.subject_id], ['contact.created', contact.id]);
    assert.equal(created.data.first_name, 'Ada');
    assert.deepEqual([updated.type, updated.changed], ['contact.updated', ['first_name', 'tags']]);
    assert.deepEqual(updated.data, full);
    assert.match(updated.request_id, /^req_/);
    assert.ok(created.id > start && updated.id > created.id);
    assert.deepEqual((await get(`/${updated.id}`)).body.data, updated);
  });

  it('Deleting a contact empties its snapshots and leaves an event with its id', async () => {
    const start = await latest();
    const contact = await makeContact(service, { first_name: 'Erased' });
    await since(start);
    await service.patch(`/v1/contacts/${contact.id}`, { last_name: 'Also' });
    assert.equal((await service.delete(`/v1/contacts/${contact.id}`)).status, 200);
    const events = await since(start);
    assert.deepEqual(
      events.map(({ type, subject_id, data }) => [type, subject_id, data]),
      ['contact.created', 'contact.updated', 'contact.deleted'].map((type) => [type, contact.id, null]),
    );
    assert.ok(!JSON.stringify(events).includes('Erased'));
  });

  it('A page has at most `limit` events, and its `after` continues where it ends', async () => {
    const start = await latest();
    const contacts = [await makeContact(service), await makeContact(service), await makeContact(service)];
    const first = await read(`after=${start}&limit=2`);
    assert.deepEqual([first.events.length, first.has_more], [2, true]);
    const second = await read(`after=${first.after}&limit=2`);
    assert.deepEqual([second.events.length, second.has_more], [1, false]);
    const ids = [...first.events, ...second.events].map(({ subject_id }) => subject_id);
    assert.deepEqual(
      ids,
      contacts.map(({ id }) => id),
    );
    const end = await read(`after=${second.after}`);
    assert.deepEqual(end, { events: [], after: second.after, has_more: false });
  });

  it('The filter by type and the thin form apply to the page, and `after` passes events of other types', async () => {
    const start = await latest();
    const contact = await makeContact(service);
    await service.patch(`/v1/contacts/${contact.id}`, { company: 'Acme' });
    await makeContact(service);
    const page = await read(`after=${start}&types=contact.updated,contact.deleted&payload=thin`);
    assert.deepEqual(
      page.events.map(({ type, data }: Json) => [type, data]),
      [['contact.updated', null]],
    );
    assert.deepEqual((await read(`after=${page.after}`)).events, []);
  });

  it('A request with `wait` is answered when an event is committed', async () => {
    const start = await latest();
    const waiting = read(`after=${start}&wait=20`);
    const contact = await makeContact(service);
    const { events } = await waiting;
    assert.deepEqual(
      events.map(({ subject_id }: Json) => subject_id),
      [contact.id],
    );
  });

  it('A request with `wait` returns an empty page after that time', async () => {
    const start = await latest();
    assert.deepEqual(await read(`after=${start}&wait=1`), { events: [], after: start, has_more: false });
  });

  it('With Accept: text/event-stream, events arrive as they are committed, and Last-Event-ID resumes', async () => {
    const start = await latest();
    const contact = await makeContact(service);
    const open = async (headers: Record<string, string>) => {
      const stopped = new AbortController();
      const response = await fetch(`${service.url}/v1/events`, {
        headers: {
          authorization: `Bearer ${key}`,
          accept: 'text/event-stream',
          'accept-encoding': 'zstd, br, gzip, identity;q=0',
          ...headers,
        },
        signal: stopped.signal,
      });
      assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
      assert.equal(response.headers.get('content-encoding'), null);
      assert.equal(response.headers.get('vary'), null);
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      const next = async (): Promise<string> => (await reader?.read())?.value ?? '';
      return { next, stop: () => stopped.abort() };
    };
    const stream = await open({ 'last-event-id': start });
    const message = await stream.next();
    const [, id, data] = /^id: (\S+)\ndata: (.*)\n\n$/.exec(message) ?? [];
    assert.equal(JSON.parse(data ?? '').subject_id, contact.id);
    const later = await makeContact(service);
    assert.ok((await stream.next()).includes(later.id));
    stream.stop();
    const resumed = await open({ 'last-event-id': id ?? '' });
    assert.ok((await resumed.next()).includes(later.id));
    resumed.stop();
  });

  /** Revokes the newest key with only `events:read`. */
  const revoke = async () => {
    const admin = await createScopedKey(service.database, 'admin');
    const keys: Json[] = (await service.get('/v1/keys', { key: admin })).body.data;
    const used = keys.filter(({ scopes }) => scopes?.join() === 'events:read').at(-1);
    assert.equal((await service.delete(`/v1/keys/${used?.id}`, { key: admin })).status, 200);
  };

  it('A stream ends when its key is revoked', async () => {
    const own = await createScopedKey(service.database, 'events:read');
    const headers = { authorization: `Bearer ${own}`, accept: 'text/event-stream' };
    const response = await fetch(`${service.url}/v1/events?after=latest`, { headers });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = reader?.read();
    const before = await makeContact(service);
    assert.ok((await first)?.value?.includes(before.id));
    await revoke();
    await makeContact(service);
    assert.deepEqual(await reader?.read(), { done: true, value: undefined });
  });

  /** As many requests that wait as a key may have, when all of them do. */
  const waitWithAllSlots = async (own: string) => {
    const controller = new AbortController();
    const init = { headers: { authorization: `Bearer ${own}` }, signal: controller.signal };
    // With `latest`, a request that reads it after the next event would not see that event.
    const { after } = (await service.get('/v1/events?after=latest', { key: own })).body.data;
    const url = `${service.url}/v1/events?after=${after}&wait=30`;
    const all = Array.from({ length: 11 }, () => fetch(url, init).then(({ status }) => status));
    // The one that is refused proves that the others have a slot.
    assert.equal(await Promise.race(all), 429);
    return { abort: () => controller.abort(), ended: Promise.allSettled(all) };
  };

  it('Requests that wait get 401 when their key was revoked meanwhile', async () => {
    const own = await createScopedKey(service.database, 'events:read');
    const { ended } = await waitWithAllSlots(own);
    await revoke();
    await makeContact(service);
    const statuses = (await ended).map((each) => each.status === 'fulfilled' && each.value);
    assert.deepEqual(statuses.sort(), [...Array(10).fill(401), 429]);
  });

  it('A request that waits no longer counts when its client has disconnected', async (context) => {
    const other = await createScopedKey(service.database, 'events:read');
    const own = await createScopedKey(service.database, 'events:read');
    const { abort, ended } = await waitWithAllSlots(own);
    let isOver = false;
    const controller = new AbortController();
    context.after(() => controller.abort());
    /** Ends long before the others would have ended. */
    void fetch(`${service.url}/v1/events?after=latest&wait=15`, {
      headers: { authorization: `Bearer ${other}` },
      signal: controller.signal,
    }).then(
      () => {
        isOver = true;
      },
      () => {},
    );
    abort();
    await ended;
    await eventually('a free slot', async () => {
      const { status } = await service.get('/v1/events?limit=1&wait=1', { key: own });
      return status === 200;
    });
    assert.equal(isOver, false, 'The slots were free only after a shorter wait was over.');
  });

  it('An invalid `after`, type or limit is rejected with a message that says what to send', async () => {
    for (const [query, part] of [
      ['after=contact_1', 'must be the id of an event'],
      ['types=contact.exploded', 'contact.created, contact.updated'],
      ['limit=501', 'from 1 to 500'],
      ['wait=31', 'from 0 to 30'],
      ['payload=fat', 'snapshot, thin'],
    ] as const) {
      const reply = await get(`?${query}`);
      assert.equal(reply.status, 400, query);
      assert.ok(reply.body.error.message.includes(part), reply.text);
    }
  });

  it('An event that the log does not have is 410 as `after` and 404 as a record', async () => {
    const start = await latest();
    const forged = `${start.slice(0, -4)}zzzz`;
    const future = `event_7zzzzzzzzz${start.slice(-16)}`;
    for (const id of [forged, future]) {
      const reply = await get(`?after=${id}`);
      assert.deepEqual([reply.status, reply.body.error.code], [410, 'GONE']);
      assert.equal((await get(`/${id}`)).status, 404);
    }
  });

  it('Concurrent writers: a reader that follows `after` sees every change once, in the order of each record', async () => {
    const start = await latest();
    const expected = new Map<string, string[]>();
    let writing = true;
    const seen: Json[] = [];
    const follow = async () => {
      for (let after = start; ; ) {
        const isLast = !writing;
        const page = await read(`after=${after}&limit=7`);
        seen.push(...page.events);
        after = page.after;
        if (isLast && !page.has_more && page.events.length === 0) return;
      }
    };
    const reading = follow();
    await Promise.all(
      Array.from({ length: 12 }, async (_, writer) => {
        const contact = await makeContact(service, { phone_number: newPhone(), first_name: '0' });
        const values = ['0'];
        for (let count = 1; count <= 6; count++) {
          const reply = await service.patch(`/v1/contacts/${contact.id}`, { first_name: `${count}` });
          if (reply.status === 200) values.push(`${count}`);
        }
        expected.set(contact.id, values);
        assert.ok(values.length > 3, `writer ${writer}`);
      }),
    );
    writing = false;
    await reading;
    assert.equal(new Set(seen.map(({ id }) => id)).size, seen.length, 'no event twice');
    const names = Map.groupBy(seen, ({ subject_id }) => subject_id as string);
    for (const [id, values] of expected)
      assert.deepEqual(
        names.get(id)?.map(({ data }) => data.first_name),
        values,
      );
  });

  it('A page of large snapshots ends early, and the next one continues without a gap', async () => {
    const start = await latest();
    const instructions = 'x'.repeat(50_000);
    for (let count = 0; count < 48; count++)
      assert.equal((await service.post('/v1/agents', { name: 'Ann', instructions })).status, 201);
    const ids: string[] = [];
    let pages = 0;
    for (let after = start, more = true; more; pages++) {
      const page = await read(`after=${after}&limit=500`);
      assert.ok(JSON.stringify(page).length < 2_200_000);
      ids.push(...page.events.map(({ id }: Json) => id));
      ({ after, has_more: more } = page);
    }
    assert.ok(pages > 1);
    assert.deepEqual(
      ids,
      (await read(`after=${start}&limit=500&payload=thin`)).events.map(({ id }: Json) => id),
    );
  });
});
