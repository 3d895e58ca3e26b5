import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { List, type Query, Roster } from '../../sdk/src/index.ts';
import { keyScopes } from '../../src/lib/scopes.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { onSqlite } from '../kit/service/test-service.ts';

/* The compiler checks the types of this file. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const holds = <_ extends true>() => {};

onSqlite('Lists of the SDK', (service) => {
  let roster: Roster;
  before(async () => {
    roster = new Roster({
      baseUrl: service.url,
      apiKey: await createScopedKey(service.database, ...keyScopes),
    });
  });

  test('Every method whose name begins with list, and the timeline, returns a List', () => {
    const resources: Record<string, (...args: unknown[]) => unknown>[] = Object.values(roster);
    let count = 0;
    for (const resource of resources)
      for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(resource))) {
        if (!/^(?:list|timeline)/.test(name)) continue;
        const ids = name === 'list' ? [] : ['an id', 'v1'];
        assert.ok(resource[name]?.(...ids) instanceof List, name);
        count++;
      }
    assert.ok(count > 20, `${count}`);
  });

  test('A list without pages is walked like the others', async () => {
    await roster.fields.create({ key: 'plan', label: 'Plan', type: 'text' });
    const { data, pagination, nextCursor } = await roster.fields.list().page();
    assert.deepEqual([data.length, nextCursor], [1, undefined]);
    assert.deepEqual(pagination, { total: 1, limit: 1, offset: 0, has_more: false });
    const keys: string[] = [];
    for await (const { key } of roster.fields.list()) keys.push(key);
    assert.deepEqual(keys, ['plan']);
    assert.deepEqual(await roster.integrations.list().all(), []);
  });

  test('Events are walked to the end of the log, and a page has the position behind it', async () => {
    const { pagination } = await roster.events.list({ after: 'latest' }).page();
    const created: string[] = [];
    for (let at = 0; at < 5; at++)
      created.push((await roster.contacts.create({ phone_number: newPhone() })).id);
    const { after } = pagination;
    const query = { ...(after && { after }), types: 'contact.created' as const, limit: 2 };
    const seen = await roster.events.list(query).all();
    assert.deepEqual(
      seen.map((event) => event.type === 'contact.created' && event.data?.id),
      created,
    );
    const first = await roster.events.list(query).page();
    assert.deepEqual(
      [first.data.length, first.pagination],
      [2, { after: first.data[1]?.id, has_more: true }],
    );
  });

  test('A timeline is walked by its cursor', async () => {
    const { id } = await roster.contacts.create({ phone_number: newPhone() });
    for (const tag of ['one', 'two', 'three', 'four']) await roster.contacts.update(id, { tags: [tag] });
    const all = await roster.contacts.timeline(id).all();
    assert.ok(all.length >= 5, `${all.length}`);
    assert.deepEqual(await roster.contacts.timeline(id, { limit: 2 }).all(), all);
  });

  test('A filter that is true or false is a boolean', async () => {
    holds<Same<NonNullable<Query<'listContacts'>['has_email']>, boolean>>();
    holds<Same<NonNullable<Query<'listTags'>['similar']>, boolean>>();
    holds<Same<NonNullable<Query<'listContacts'>['tag']>, string>>();
    await roster.contacts.create({ phone_number: newPhone(), email: 'ada@example.com', tags: ['mail'] });
    await roster.contacts.create({ phone_number: newPhone(), tags: ['mail'] });
    const totalOf = async (has_email: boolean) =>
      (await roster.contacts.list({ tag: 'mail', has_email }).page()).pagination.total;
    assert.deepEqual([await totalOf(true), await totalOf(false)], [1, 1]);
  });
});
