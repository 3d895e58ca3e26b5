import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckedUser } from '../kit/dashboard/checked-client.ts';
import { makeOtherWorkspace } from '../kit/dashboard/other-workspace.ts';
import { makeChannel, signedInOwner } from '../kit/fixtures/agents.ts';
import { recordCall } from '../kit/fixtures/calls.ts';
import { makeAgent, makeContact } from '../kit/fixtures/factories.ts';
import { assertError } from '../kit/http/assertions.ts';
import { applyImport, planCsv } from '../kit/imports/imports.ts';
import { createScopedKey } from '../kit/service/scoped-key.ts';
import { type Json, onEveryEngine } from '../kit/service/test-service.ts';

onEveryEngine('Contact list of the dashboard', (service) => {
  let owner: CheckedUser;
  const ids: Record<string, string> = {};
  before(async () => {
    owner = await signedInOwner(service);
    const contacts: Record<string, Json> = {
      zoe: { first_name: 'Zoë', last_name: 'Liskov', company: 'Acme', tags: ['vip'] },
      liz: { first_name: 'Liz', last_name: 'Zoeller', company: 'Acme' },
      typed: { first_name: 'Ann', last_name: "O'Brien", company: 'acme' },
      curly: { first_name: 'Bob', last_name: 'O’Brien', email: 'bob@example.com' },
      german: { phone_number: '+4915123456705', first_name: '100%', last_name: 'a_b' },
      english: { phone_number: '+442079460018' },
    };
    for (const [name, fields] of Object.entries(contacts))
      ids[name] = (await makeContact(service, fields)).id;
  });
  const nameOf = (id: string) => Object.keys(ids).find((name) => ids[name] === id) as string;
  const find = async (query: Record<string, string>): Promise<string[]> => {
    const { body } = await owner.call('GET', `/contacts?${new URLSearchParams(query)}`);
    assert.equal(body.pagination.total, body.data.length);
    return body.data.map(({ id }: Json) => nameOf(id)).reverse();
  };

  test('The search of contacts matches words in any order and requires all of them', async () => {
    for (const search of ['zoe liskov', 'liskov zoe', 'LISKOV  Zoë', ' lis zo', 'zo li', 'zoe l']) {
      assert.deepEqual((await find({ search })).includes('zoe'), true, search);
    }
    assert.deepEqual(await find({ search: 'liskov zoe' }), ['zoe']);
    assert.deepEqual(await find({ search: 'zo li' }), ['zoe', 'liz']);
    assert.deepEqual(await find({ search: 'liskov ada' }), []);
    assert.deepEqual(await find({ search: 'bob example.com' }), ['curly']);
    assert.deepEqual(await find({ search: 'a_b 100%' }), ['german']);
    assert.deepEqual(await find({ search: 'a%b 100' }), []);
    assert.deepEqual(await find({ search: '100% 23456705' }), ['german']);
  });

  test('The search of contacts treats every kind of apostrophe as equal', async () => {
    for (const search of ["o'brien", 'O’Brien', 'oʼbrien', 'brien o`']) {
      assert.deepEqual(await find({ search }), ['typed', 'curly'], search);
    }
    assert.deepEqual(await find({ search: "bob o'brien" }), ['curly']);
  });

  test('A number in national format finds its contact, whatever the country of the workspace', async () => {
    assert.deepEqual(await find({ search: '0151 23456705' }), ['german']);
    assert.deepEqual(await find({ search: '(020) 7946-0018' }), ['english']);
    assert.deepEqual(await find({ search: '0044 20 7946 0018' }), ['english']);
    assert.deepEqual(await find({ search: '+49151' }), ['german']);
  });

  test('The company filter matches exactly and combines with the other filters', async () => {
    assert.deepEqual(await find({ company: 'Acme' }), ['zoe', 'liz']);
    assert.deepEqual(await find({ company: 'Acme', tag: 'vip' }), ['zoe']);
    assert.deepEqual(await find({ company: 'Acme', search: 'liz' }), ['liz']);
    assert.deepEqual(await find({ company: 'Acme', search: 'zoe liskov', tag: 'vip' }), ['zoe']);
    assert.deepEqual(await find({ company: 'Acm' }), []);
    const page = (await owner.call('GET', '/contacts?company=Acme&limit=1&offset=1')).body;
    assert.deepEqual([page.data[0].id, page.pagination.total], [ids.zoe, 2]);
  });

  test('A filtered list can be exported and enrolled', async () => {
    const rows = async (query: Record<string, string>) => {
      const { text } = await owner.call(
        'GET',
        `/contacts/export?${new URLSearchParams({ format: 'jsonl', ...query })}`,
      );
      return text
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).id)
        .map(nameOf);
    };
    assert.deepEqual(await rows({ search: 'liskov zoe' }), ['zoe']);
    assert.deepEqual(await rows({ search: "o'brien" }), ['typed', 'curly']);
    assert.deepEqual(await rows({ company: 'Acme' }), ['zoe', 'liz']);
    assert.deepEqual(await rows({ search: 'zo li', tag: 'vip' }), ['zoe']);
  });

  test('The search of the API stays as specified', async () => {
    const search = async (text: string) =>
      (await service.get(`/v1/contacts?search=${encodeURIComponent(text)}`)).body.pagination.total;
    assert.equal(await search('zoe liskov'), 1);
    assert.equal(await search('liskov zoe'), 0);
    assert.equal(await search("o'brien"), 1);
  });
});

/** A contact of each kind that the filters distinguish. */
onEveryEngine('Filters and orders of the contact list', (service) => {
  let owner: CheckedUser;
  let campaign: string;
  let file: string;
  const ids: Record<string, string> = {};
  const nameOf = (id: string) => Object.keys(ids).find((name) => ids[name] === id) as string;
  const find = async (query: string): Promise<string> => {
    const { status, body } = await owner.call('GET', `/contacts?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.pagination.total_is_capped, false);
    assert.equal(body.pagination.total, body.data.length);
    return body.data.map(({ id }: Json) => nameOf(id)).join(' ');
  };

  before(async () => {
    owner = await signedInOwner(service);
    const contacts: Record<string, Json> = {
      ann: { first_name: 'Ann', email: 'ann@example.com', tags: ['vip', 'new'], company: 'Acme' },
      bob: { display_name: 'bob', tags: ['vip'] },
      nameless: { display_name: '', email: 'x@example.com', tags: ['new'] },
      called: { last_name: 'Called', tags: ['old'] },
    };
    for (const [name, fields] of Object.entries(contacts))
      ids[name] = (await makeContact(service, fields)).id;
    const imported = await planCsv(owner, 'phone,first name\n+14155550177,Imported\n');
    file = (await applyImport(owner, imported.id)).id;
    ids.imported = (await service.get('/v1/contacts?source=import')).body.data[0].id;
    const agent = await makeAgent(service);
    campaign = (await owner.request('POST', '/campaigns', { name: 'Spring', agent_id: agent.id }, 201)).id;
    await owner.request('POST', `/campaigns/${campaign}/enrollments`, { contact_ids: [ids.bob] });
    const phone = (await service.get(`/v1/contacts/${ids.called}`)).body.data.phone_number;
    await recordCall(service, (await makeChannel(owner)) as never, phone);
  });

  test('The contact list is filtered by what a contact has', async () => {
    assert.equal(await find('has_email=true'), 'nameless ann');
    assert.equal(await find('has_email=false'), 'imported called bob');
    assert.equal(await find('has_name=false'), 'nameless');
    assert.equal(await find('has_name=true&has_email=true'), 'ann');
    assert.equal(await find('in_campaign=true'), 'bob');
    assert.equal(await find(`campaign=${campaign}`), 'bob');
    assert.equal(await find('in_campaign=false&has_email=false'), 'imported called');
    assert.equal(await find('called=true'), 'called');
    assert.equal(await find('called=false'), 'imported nameless bob ann');
    assert.equal(await find('source=import'), 'imported');
    assert.equal(await find(`import=${file}`), 'imported');
    assert.equal(await find('source=import&has_email=false&called=false&in_campaign=false'), 'imported');
    assert.equal(await find('has_email='), 'imported called nameless bob ann');
  });

  test('The contact list is filtered by any and by all of several tags', async () => {
    assert.equal(await find('has_tag=vip,new'), 'nameless bob ann');
    assert.equal(await find('has_tag=vip,new&has_tag_match=all'), 'ann');
    assert.equal(await find('has_tag=vip,old&has_email=false'), 'called bob');
    assert.equal(await find('has_tag=vip&search=bob'), 'bob');
  });

  test('The contact list is filtered by times', async () => {
    const past = '2020-01-01T00:00:00Z';
    for (const name of ['created', 'last_contact']) {
      assert.equal((await find(`${name}_since=${past}`)).split(' ').length, 5);
      assert.equal(await find(`${name}_before=${past}`), '');
      assert.equal(await find(`${name}_since=${past}&has_tag=old`), 'called');
    }
  });

  test('The contact list is sorted in both directions, with and without filters and a search', async () => {
    assert.equal(await find('sort=name'), 'nameless ann bob called imported');
    assert.equal(await find('sort=-name'), 'imported called bob ann nameless');
    assert.equal(await find('sort=created_at'), 'ann bob nameless called imported');
    assert.equal(await find('sort=-created_at'), 'imported called nameless bob ann');
    assert.equal(await find('sort=-name&has_email=false'), 'imported called bob');
    assert.equal(await find('sort=name&search=b'), 'bob');
    assert.equal((await find('sort=-last_contact_at')).split(' ').length, 5);
    assert.equal((await find('sort=updated_at')).split(' ').length, 5);
    const page = (await owner.call('GET', '/contacts?sort=name&limit=2&offset=2')).body;
    assert.deepEqual(
      [page.data.map(({ id }: Json) => nameOf(id)), page.pagination.total, page.pagination.has_more],
      [['bob', 'called'], 5, true],
    );
    const filtered = (await owner.call('GET', '/contacts?sort=name&has_email=false&limit=1&offset=1')).body;
    assert.deepEqual([filtered.data[0].id, filtered.pagination.total], [ids.called, 3]);
    const past = (await owner.call('GET', '/contacts?has_email=false&offset=10')).body;
    assert.deepEqual([past.data, past.pagination.total], [[], 3]);
  });

  test('The API, exports and the dashboard accept the same filters', async () => {
    const query = 'has_email=false&called=false&created_since=2020-01-01T00:00:00Z';
    const key = await createScopedKey(service.database, 'contacts:read', 'calls:read');
    const page = await service.get(`/v1/contacts?${query}`, { key });
    const listed = page.body.data.map(({ id }: Json) => nameOf(id));
    assert.deepEqual(listed, ['imported', 'bob']);
    const { text } = await owner.call('GET', `/contacts/export?format=jsonl&${query}`);
    const lines = text.trim().split('\n');
    assert.deepEqual(
      lines.map((line: string) => nameOf(JSON.parse(line).id)),
      ['bob', 'imported'],
    );
  });

  test('Filters by campaigns and calls need the scopes of these, in lists and in exports', async () => {
    const filters = [
      [`campaign=${campaign}`, 'campaign', 'campaigns:read'],
      ['in_campaign=false', 'in_campaign', 'campaigns:read'],
      ['called=true', 'called', 'calls:read'],
      ['last_activity_since=2026-01-01T00:00:00Z', 'last_activity_since', 'calls:read'],
      ['last_activity_before=2026-01-01T00:00:00Z', 'last_activity_before', 'calls:read'],
    ] as const;
    const reader = await createScopedKey(service.database, 'contacts:read');
    for (const path of ['/v1/contacts', '/api/v1/contacts', '/v1/contacts/export']) {
      for (const [query, name, scope] of filters) {
        // The key of the service has the preset read_write, which is about contacts and agents only.
        for (const options of [{ key: reader }, {}]) {
          const refused = await service.get(`${path}?${query}`, options);
          const error = assertError(refused, 403, 'FORBIDDEN');
          assert.deepEqual(error.details, { required_scope: scope });
          assert.equal(
            error.message,
            `The filter ${name} requires the scope ${scope}. Use a key with this scope, or leave the filter out.`,
          );
        }
        const key = await createScopedKey(service.database, 'contacts:read', scope);
        assert.equal((await service.get(`${path}?${query}`, { key })).status, 200);
        const absent = await service.get(`${path}?${name}=`, { key: reader });
        assert.equal(absent.status, 200, 'an empty filter counts as absent');
      }
    }
    const status = (await service.get('/v1/contacts?called=maybe', { key: reader })).status;
    assert.equal(status, 400, 'the query is checked before');
  });

  test('An invalid filter or order is rejected with what to send instead', async () => {
    for (const [query, field] of [
      ['has_email=maybe', 'has_email'],
      ['sort=email', 'sort'],
      ['created_before=monday', 'created_before'],
      ['source=fax', 'source'],
    ] as const) {
      const { status, body } = await owner.call('GET', `/contacts?${query}`);
      assert.equal(status, 400, query);
      assert.equal(body.error.details[0].field, field);
    }
    assert.equal(await find('campaign=unknown'), '');
    assert.equal(await find('import=unknown'), '');
  });

  test('A filter by activity finds the last call or message, and never a creation', async () => {
    const line = await makeChannel(owner);
    const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T00:00:00.000Z`;
    const call = async (name: string, started_at: string, fields: Json = {}) => {
      const { phone_number } = (await service.get(`/v1/contacts/${ids[name]}`)).body.data;
      await recordCall(service, line as never, phone_number, {
        direction: 'outbound',
        started_at,
        ...fields,
      });
    };
    // A history that is reported after its contacts were created: their last contact stays the creation.
    await call('ann', day(3));
    await call('ann', day(1), { type: 'message' });
    await call('ann', day(2));
    // A call in the millisecond of the creation.
    const bob = (await service.get(`/v1/contacts/${ids.bob}`)).body.data;
    await call('bob', bob.created_at);
    const noon = '2026-02-01T00:00:00Z';
    assert.equal(await find(`last_activity_since=${day(2)}&last_activity_before=${day(4)}`), 'ann');
    assert.equal(await find(`last_activity_since=${day(3)}&last_activity_before=${day(4)}`), 'ann');
    assert.equal(await find(`last_activity_before=${day(3)}`), '');
    assert.equal(await find(`last_activity_since=${noon}`), 'called bob');
    assert.equal(await find(`last_activity_since=${day(1)}`), 'called bob ann');
    assert.equal(await find(`last_activity_since=${day(1)}&sort=name`), 'ann bob called');
    assert.equal(await find(`last_activity_since=${day(1)}&has_tag=vip`), 'bob ann');
    assert.equal(await find(`last_activity_since=${day(1)}&search=bo`), 'bob');
    assert.equal(await find(`last_activity_since=${day(1)}&called=false`), '');
    assert.equal(await find('sort=-last_activity_at'), 'called bob ann imported nameless');
    assert.equal(await find('sort=last_activity_at'), 'ann bob called imported nameless');
    assert.equal(await find('sort=-last_activity_at&called=true'), 'called bob ann');
    assert.equal(await find('sort=-last_activity_at&called=false'), 'imported nameless');
    assert.equal(await find('sort=-last_activity_at&has_tag=new'), 'ann nameless');
    assert.equal(await find('sort=-last_activity_at&search=example'), 'ann nameless');
    for (const query of [
      'sort=-last_activity_at',
      'sort=-last_activity_at&created_since=2020-01-01T00:00:00Z',
    ]) {
      const pages = [];
      for (const offset of [0, 2, 4]) {
        const { body } = await owner.call('GET', `/contacts?${query}&limit=2&offset=${offset}`);
        assert.equal(body.pagination.total, 5, query);
        pages.push(body.data.map(({ id }: Json) => nameOf(id)).join(' '));
      }
      assert.deepEqual(pages, ['called bob', 'ann imported', 'nameless'], query);
    }
    const query = `last_activity_since=${day(1)}&last_activity_before=${noon}`;
    const key = await createScopedKey(service.database, 'contacts:read', 'calls:read');
    const listed = await service.get(`/v1/contacts?${query}`, { key });
    assert.deepEqual([listed.body.data.length, listed.body.data[0].id], [1, ids.ann]);
    const exported = await owner.call('GET', `/contacts/export?format=jsonl&${query}`);
    assert.equal(JSON.parse(exported.text).id, ids.ann);
    const activity = await owner.request(
      'GET',
      `/contacts/activity?ids=${ids.ann},${ids.bob},${ids.imported},x`,
    );
    const none = { first_at: null, last_at: null };
    assert.deepEqual(activity, [
      { contact_id: ids.ann, first_at: day(1), last_at: day(3) },
      { contact_id: ids.bob, first_at: bob.created_at, last_at: bob.created_at },
      { contact_id: ids.imported, ...none },
      { contact_id: 'x', ...none },
    ]);
    const tooMany = Array.from({ length: 101 }, (_, at) => at).join();
    assertError(await owner.call('GET', `/contacts/activity?ids=${tooMany}`), 400, 'VALIDATION_ERROR');
    assert.deepEqual(await owner.request('GET', '/contacts/activity?ids='), []);
    const { owner: stranger } = await makeOtherWorkspace(service);
    const foreign = await stranger.call('GET', `/contacts/activity?ids=${ids.ann}`);
    assert.deepEqual(foreign.body.data, [{ contact_id: ids.ann, ...none }]);
  });
});
