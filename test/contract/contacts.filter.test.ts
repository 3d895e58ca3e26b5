import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { makeWorkspace, openTestStorage } from '../kit/database/workspaces.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { makeField } from '../kit/fixtures/fields.ts';
import { insertContacts } from '../kit/fixtures/insert-contacts.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

const tag = (value: string) => ({ attribute: 'tag', op: 'eq', value });
const is = (attribute: string, op: string, value?: unknown) => ({ attribute, op, value });

onEveryEngine('Filters of contacts', (service) => {
  let key: string;
  let ids: Record<string, string>;
  before(async () => {
    const storage = await openTestStorage(service.database);
    key = (await makeWorkspace(storage)).key;
    await storage.close();
    const people: Record<string, Json> = {
      ada: {
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'Ada@Example.com',
        company: 'Acme',
        tags: ['vip', 'odd'],
      },
      bob: { first_name: 'Bob', display_name: 'Bobby 100%', company: 'acme', tags: ['odd'] },
      zoe: { first_name: 'Zoë', last_name: '', company: '', notes: 'Prefers_mornings' },
      none: { phone_number: '+442079460018' },
    };
    ids = {};
    for (const [name, fields] of Object.entries(people)) {
      const reply = await service.post('/v1/contacts', { phone_number: newPhone(), ...fields }, { key });
      ids[name] = reply.body.data.id;
    }
  });

  const url = (filter: unknown, rest = '') =>
    `/v1/contacts?filter=${encodeURIComponent(JSON.stringify(filter))}${rest}`;
  /** The names of the contacts that match, in the order of creation. */
  const find = async (filter: unknown, rest = ''): Promise<string[]> => {
    const { status, text, body } = await service.get(url(filter, rest), { key });
    assert.equal(status, 200, text);
    assert.equal(body.pagination.total, body.data.length);
    const found: string[] = body.data.map(({ id }: Json) => id);
    return Object.keys(ids).filter((name) => found.includes(ids[name] as string));
  };

  describe('What conditions match', () => {
    const now = new Date().toISOString();
    for (const [filter, expected] of [
      [{ all: [] }, ['ada', 'bob', 'zoe', 'none']],
      [tag('vip'), ['ada']],
      [is('tag', 'ne', 'vip'), ['bob', 'zoe', 'none']],
      [is('tag', 'in', ['vip', 'odd']), ['ada', 'bob']],
      [is('tag', 'is_set'), ['ada', 'bob']],
      [is('tag', 'is_set', false), ['zoe', 'none']],
      [{ not: tag('odd') }, ['zoe', 'none']],
      [{ all: [tag('odd'), { not: tag('vip') }] }, ['bob']],
      [{ any: [tag('vip'), is('first_name', 'eq', 'Zoë')] }, ['ada', 'zoe']],
      [{ not: { any: [tag('vip'), { not: { all: [is('has_name', 'eq', true)] } }] } }, ['bob', 'zoe']],
      [is('company', 'eq', 'Acme'), ['ada']],
      [is('company', 'ne', 'Acme'), ['bob', 'zoe', 'none']],
      [is('company', 'in', ['Acme', 'acme']), ['ada', 'bob']],
      [is('company', 'starts_with', 'ACM'), ['ada', 'bob']],
      [is('company', 'is_set'), ['ada', 'bob']],
      [is('company', 'is_set', false), ['zoe', 'none']],
      [is('email', 'eq', 'aDA@example.COM'), ['ada']],
      [is('email', 'in', ['x@example.com', 'ADA@example.com']), ['ada']],
      [is('email', 'contains', '@EXAMPLE'), ['ada']],
      [is('email', 'is_set', false), ['bob', 'zoe', 'none']],
      [is('has_email', 'eq', false), ['bob', 'zoe', 'none']],
      [is('has_email', 'ne', false), ['ada']],
      [is('name', 'eq', 'Ada Lovelace'), ['ada']],
      [is('name', 'contains', '100%'), ['bob']],
      [is('name', 'contains', '0%0'), []],
      [is('name', 'eq', 'Zoë'), ['zoe']],
      [is('name', 'starts_with', 'ZOË'), []],
      [is('name', 'is_set', false), ['none']],
      [is('notes', 'contains', 's_m'), ['zoe']],
      [is('phone_number', 'eq', '+442079460018'), ['none']],
      [is('phone_number', 'starts_with', '+44'), ['none']],
      [is('phone_country', 'eq', 'GB'), ['none']],
      [is('phone_country', 'in', ['US', 'DE']), ['ada', 'bob', 'zoe']],
      [is('phone_country', 'ne', 'US'), ['none']],
      [is('source', 'eq', 'api'), ['ada', 'bob', 'zoe', 'none']],
      [is('source', 'ne', 'api'), []],
      [is('created_at', 'within_last', 'P1D'), ['ada', 'bob', 'zoe', 'none']],
      [is('created_at', 'within_next', 'P1Y'), []],
      [is('first_contact_at', 'lt', now), []],
      [is('updated_at', 'gte', '2020-01-01T00:00:00+02:00'), ['ada', 'bob', 'zoe', 'none']],
      [is('import', 'is_set'), []],
      [is('created_at', 'gt', '9999-12-31T23:59:59.999Z'), []],
      [is('created_at', 'lte', '9999-12-31T23:59:59.999Z'), ['ada', 'bob', 'zoe', 'none']],
      [is('created_at', 'within_last', 'P100Y'), ['ada', 'bob', 'zoe', 'none']],
    ] as [unknown, string[]][]) {
      it(`${JSON.stringify(filter)} matches ${expected.join(', ') || 'no one'}`, async () => {
        assert.deepEqual(await find(filter), expected);
      });
    }
  });

  it('A filter is combined with the other parameters and with every order', async () => {
    assert.deepEqual(await find(tag('odd'), '&search=bob'), ['bob']);
    assert.deepEqual(await find(tag('odd'), '&tag=vip'), ['ada']);
    assert.deepEqual(await find(is('company', 'is_set'), '&company=Acme&sort=-name'), ['ada']);
    for (const sort of ['created_at', '-updated_at', 'last_contact_at', 'name'])
      assert.deepEqual(await find(tag('odd'), `&sort=${sort}`), ['ada', 'bob']);
  });

  it('A cursor continues a list whose filter has relative times', async () => {
    const first = await service.get(url(is('created_at', 'within_last', 'PT10M'), '&limit=3'), { key });
    const [, next = ''] = /<([^>]*)>/.exec(first.headers.get('link') ?? '') ?? [];
    const second = await service.get(next, { key });
    assert.deepEqual([first.body.data.length, second.body.data.length], [3, 1]);
  });

  describe('Filters that are refused', () => {
    const deep = (levels: number): unknown => (levels === 0 ? tag('vip') : { not: deep(levels - 1) });
    for (const [filter, ...problems] of [
      [[], 'filter'],
      [{}, 'filter'],
      [{ all: [], any: [] }, 'filter'],
      [{ all: [], more: 1 }, 'filter'],
      [{ any: [] }, 'filter.any'],
      [{ all: 'x' }, 'filter.all'],
      [{ all: [tag('vip'), 7] }, 'filter.all[1]'],
      [deep(6), 'filter.not.not.not.not.not'],
      [{ all: Array.from({ length: 51 }, () => tag('vip')) }, 'filter.all'],
      [{ any: [{ all: Array.from({ length: 50 }, () => tag('vip')) }, tag('vip')] }, 'filter.any[1]'],
      [is('age', 'eq', 1), 'filter.attribute'],
      [is('fields.Plan', 'eq', 1), 'filter.attribute'],
      [{ all: [tag('vip'), is('company', 'gt', 'a')] }, 'filter.all[1].op'],
      [is('company', 'eq'), 'filter.value'],
      [is('company', 'eq', ''), 'filter.value'],
      [is('company', 'eq', 7), 'filter.value'],
      [is('company', 'eq', '\0'), 'filter.value'],
      [is('company', 'in', []), 'filter.value'],
      [is('company', 'in', ['a', 7]), 'filter.value[1]'],
      [is('company', 'is_set', 'yes'), 'filter.value'],
      [is('has_email', 'eq', 'true'), 'filter.value'],
      [is('source', 'eq', 'moon'), 'filter.value'],
      [is('phone_country', 'eq', 'us'), 'filter.value'],
      [is('phone_country', 'eq', 'CA'), 'filter.value'],
      [is('created_at', 'gt', '2026-01-31'), 'filter.value'],
      [is('created_at', 'within_last', '30 days'), 'filter.value'],
      [is('created_at', 'within_last', 'P'), 'filter.value'],
      [is('created_at', 'within_last', 'P200Y'), 'filter.value'],
    ] as [unknown, ...string[]][]) {
      it(`${JSON.stringify(filter).slice(0, 80)} is refused with the path of the problem`, async () => {
        assertInvalid(await service.get(url(filter), { key }), ...problems);
      });
    }

    it('A filter that is not JSON, or with an offset, is refused', async () => {
      assertInvalid(await service.get('/v1/contacts?filter={tag:vip}', { key }), 'filter');
      assertInvalid(await service.get(url(tag('vip'), '&offset=20'), { key }), 'offset');
      assert.equal((await service.get('/v1/contacts?filter=', { key })).status, 200);
    });
  });

  describe('Filters of fields that are found by an index', () => {
    const nextOf = (reply: { headers: Headers }) => /<([^>]*)>/.exec(reply.headers.get('link') ?? '')?.[1];

    it('A list continues when its contacts have become too many to sort', async () => {
      await makeField(service, 'grp', 'text', { filterable: true });
      for (let at = 0; at < 5; at++) await makeContact(service, { fields: { grp: 'x' } });
      const filter = { all: [is('fields.grp', 'eq', 'x'), is('source', 'eq', 'api')] };
      const first = await service.get(url(filter, '&limit=2'));
      const { workspace_id: workspace } = (
        await service.database.query(`select workspace_id from contact_fields where key = 'grp'`)
      )[0] as Json;
      await service.database.query(
        `with recursive more (at) as (select 1 union all select at + 1 from more where at < 2000)
          insert into contact_field_values (workspace_id, field, value, seq)
          select ${workspace}, 'grp', 'x', 1000000 + at from more`,
      );
      const second = await service.get(nextOf(first) ?? '');
      await service.database.query(`delete from contact_field_values where seq > 1000000`);
      const third = await service.get(nextOf(second) ?? '');
      const found = [first, second, third].flatMap(({ body }) => body.data.map(({ id }: Json) => id));
      assert.deepEqual([found.length, new Set(found).size, nextOf(third)], [5, 5, undefined]);
    });

    it('A first page with all matches has no next page, however many contacts do not match', async () => {
      const storage = await openTestStorage(service.database);
      const { principal, key: other } = await makeWorkspace(storage);
      for (let at = 0; at < 4; at++) {
        const facts = Array.from({ length: 501 }, () => ({ phone_number: newPhone(), tags: [] }));
        await storage.run(insertContacts, principal, {
          facts: facts as never,
          source: 'api',
          now: new Date().toISOString(),
        });
      }
      await storage.close();
      const reply = await service.get(url(is('company', 'contains', 'x')), { key: other });
      assert.deepEqual([reply.body.data, reply.body.pagination.total, nextOf(reply)], [[], 0, undefined]);
    });

    it('A text that begins with the last characters of Unicode is set', async () => {
      await makeField(service, 'last', 'text', { filterable: true });
      const { id } = await makeContact(service, { fields: { last: '\u{10ffff}'.repeat(2_000) } });
      const reply = await service.get(url(is('fields.last', 'is_set')));
      assert.deepEqual(
        reply.body.data.map((each: Json) => each.id),
        [id],
      );
    });

    it('Zero is found with either sign', async () => {
      await makeField(service, 'debt', 'number', { filterable: true });
      await makeContact(service, { fields: { debt: 0 } });
      for (const op of ['eq', 'gte', 'lte']) {
        const filter = `{"attribute":"fields.debt","op":"${op}","value":-0}`;
        const reply = await service.get(`/v1/contacts?filter=${encodeURIComponent(filter)}`);
        assert.equal(reply.body.pagination.total, 1, op);
      }
    });
  });

  it('An attribute of another feature needs its scope', async () => {
    const scoped = await createScopedKey(service.database, 'contacts:read');
    for (const [filter, scope] of [
      [{ not: is('called', 'eq', true) }, 'calls:read'],
      [{ all: [is('last_activity_at', 'within_last', 'P7D')] }, 'calls:read'],
      [is('call_status', 'eq', 'completed'), 'calls:read'],
      [is('campaign', 'eq', 'campaign_x'), 'campaigns:read'],
    ] as const) {
      const reply = await service.get(url(filter), { key: scoped });
      assertError(reply, 403, 'FORBIDDEN');
      assert.equal(reply.body.error.details.required_scope, scope);
    }
  });
});
