import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { exportStep } from '../../src/features/contacts/contact.export.ts';
import { contactQuery } from '../../src/features/contacts/contact.schema.ts';
import { createKey } from '../../src/features/workspaces/key.service.ts';
import { keyScopes } from '../../src/lib/scopes.ts';
import { makeWorkspace, openTestStorage } from '../kit/database/workspaces.ts';
import { makeContact, newPhone } from '../kit/fixtures/factories.ts';
import { assertError, assertInvalid } from '../kit/http/assertions.ts';
import { type CallOptions, type Json, onEveryEngine, type Reply } from '../kit/service/test-service.ts';

/** The URL of the next page and its cursor, from the Link header. */
const nextOf = (reply: Reply): { url: string; cursor: string } | undefined => {
  const link = reply.headers.get('link');
  assert.equal(reply.body.pagination.has_more, link !== null);
  if (link === null) return undefined;
  const [, url = '', cursor = ''] = /^<([^>]*)>; rel="next"; next_cursor="([^"]*)"$/.exec(link) ?? [];
  assert.equal(new URL(url, 'http://x').searchParams.get('cursor'), cursor);
  return { url, cursor };
};

const COUNT = 130;
/** `npm run test:long -- sdk` walks during 10,000 writes. */
const WALKED = Number(process.env.WALKED_CONTACTS ?? 200);
const names = ['Zoë', 'ada', 'Łukasz', 'Émile', 'bob', '', 'Ada', 'Ωmega', '%_\\', '李'];

onEveryEngine('Sorted and filtered lists of contacts', (service) => {
  let key: string;
  let all: Json[];
  const get = (query: string, options: CallOptions = {}) =>
    service.get(`/v1/contacts?${query}`, { key, ...options });

  before(async () => {
    const storage = await openTestStorage(service.database);
    key = (await makeWorkspace(storage)).key;
    await storage.close();
    const operations = Array.from({ length: COUNT }, (_, at) => ({
      op: 'create',
      phone_number: newPhone(),
      first_name: names[at % names.length],
      last_name: at % 3 ? null : `Moreau ${at % 7}`,
      display_name: at % 4 ? null : `Dr ${names[(at * 7) % names.length]}`,
      email: at % 5 ? null : `Person${at % 10}@Example.com`,
      company: [null, 'Acme', 'Studio'][at % 3],
      tags: [...(at % 2 ? ['odd'] : []), ...(at % 10 ? [] : ['tenth']), ...(at === 77 ? ['only'] : [])],
    }));
    const reply = await service.post('/v1/contacts/batch', { operations }, { key });
    assert.equal(reply.body.data.created, COUNT);
    // Distinct times of update and of contact, in orders of their own.
    const ids: string[] = reply.body.data.results.map(({ id }: Json) => id);
    for (const [at, id] of ids.entries())
      if (at % 6 === 0) await service.patch(`/v1/contacts/${id}`, { notes: `${at}` }, { key });
    const values = ids.map((id, at) => {
      const last = `2026-0${1 + ((at * 5) % 9)}-01T00:00:00.${String(at).padStart(3, '0')}Z`;
      const created = `2025-0${1 + Math.floor(at / 20)}-01T00:00:00.000Z`;
      return `('${id}', '${last}', '${created}', '${['api', 'import', 'inbound'][at % 3]}')`;
    });
    await service.database.query(
      `update contacts set last_contact_at = column2, created_at = column3, source = column4,
        wire = replace(replace(replace(wire,
          '"last_contact_at":"' || last_contact_at || '"', '"last_contact_at":"' || column2 || '"'),
          '"created_at":"' || created_at || '"', '"created_at":"' || column3 || '"'),
          '"source":"api"', '"source":"' || column4 || '"')
        from (values ${values}) as wanted where id = column1`,
    );
    all = (await Promise.all([0, 100].map((offset) => get(`limit=100&offset=${offset}`)))).flatMap(
      ({ body }) => body.data,
    );
    assert.equal(all.length, COUNT);
  });

  /** Walks a list to its end and returns all of its contacts. Checks the pagination of every page. */
  const walk = async (query: string, total = true): Promise<Json[]> => {
    const seen: Json[] = [];
    let url = `/v1/contacts?${query}`;
    let expected: number | undefined;
    for (;;) {
      const reply = await service.get(url, { key });
      assert.equal(reply.status, 200, reply.text);
      const { data, pagination } = reply.body;
      assert.deepEqual(Object.keys(pagination), ['total', 'limit', 'offset', 'has_more']);
      assert.equal(pagination.offset, seen.length);
      expected ??= pagination.total;
      assert.equal(pagination.total, expected);
      seen.push(...data);
      const next = nextOf(reply);
      if (!next) break;
      url = next.url;
    }
    if (total) assert.equal(expected, seen.length);
    return seen;
  };
  const idsOf = (contacts: readonly Json[]) => contacts.map(({ id }) => id);

  const bytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
  const fold = (text: string) =>
    text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ł', 'l');
  const lowerAscii = (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
  const keys: Record<string, (contact: Json) => string> = {
    created_at: ({ created_at }) => created_at,
    updated_at: ({ updated_at }) => updated_at,
    last_contact_at: ({ last_contact_at }) => last_contact_at,
    name: ({ display_name, first_name, last_name }) =>
      lowerAscii(display_name || [first_name, last_name].filter((name) => name !== null).join(' ')),
  };

  for (const [sort, keyOf] of Object.entries(keys)) {
    it(`A list sorted by ${sort} has every contact once, in this order and in its reverse`, async () => {
      // `all` is in the reverse order of creation, and contacts with the same key stay in that of creation.
      const expected = all
        .toReversed()
        .map((contact, at) => ({ contact, at, key: keyOf(contact) }))
        .sort((one, other) => bytes(one.key, other.key) || one.at - other.at)
        .map(({ contact }) => contact);
      for (const limit of [1, 7, 100]) {
        if (limit === 1 && sort !== 'name') continue;
        assert.deepEqual(await walk(`sort=${sort}&limit=${limit}`), expected);
        assert.deepEqual(await walk(`sort=-${sort}&limit=${limit}`), expected.toReversed());
      }
    });
  }

  it('An empty cursor starts a list in the default order, without an offset', async () => {
    assert.deepEqual(await walk('cursor=&limit=33'), all);
    const plain = await get('limit=33');
    const first = await get('limit=33&cursor=');
    assert.equal(plain.text, first.text);
    assert.equal(plain.headers.get('link'), null);
    assert.ok(first.headers.get('link'));
  });

  const filters: [string, (contact: Json) => boolean][] = [
    ['source=import', ({ source }) => source === 'import'],
    ['company=Acme', ({ company }) => company === 'Acme'],
    ['company=acme', () => false],
    ['email=person5%40example.COM', ({ email }) => email === 'Person5@Example.com'],
    ['email=person5', () => false],
    ['has_tag=odd', ({ tags }) => tags.includes('odd')],
    ['has_tag=odd,tenth', ({ tags }) => tags.includes('odd') || tags.includes('tenth')],
    ['has_tag=only,tenth,none', ({ tags }) => tags.includes('only') || tags.includes('tenth')],
    ['has_tag=odd,only&has_tag_match=all', ({ tags }) => tags.includes('odd') && tags.includes('only')],
    ['tag=only&has_tag=odd,tenth', ({ tags }) => tags.includes('only')],
    ['created_since=2025-04-01T00:00:00Z', ({ created_at }) => created_at >= '2025-04-01T00:00:00.000Z'],
    ['created_since=2099-01-01T00:00:00Z', () => false],
    ['search=moreau&source=api', ({ last_name, source }) => Boolean(last_name) && source === 'api'],
    [
      'search=ada&cursor=',
      (contact) =>
        keys.name?.({ ...contact, display_name: null }).includes('ada') ||
        fold(contact.display_name ?? '').includes('ada'),
    ],
    [
      'source=api&company=Acme&has_tag=odd',
      ({ source, company, tags }) => source === 'api' && company === 'Acme' && tags.includes('odd'),
    ],
    [
      'company=Studio&email=person5@example.com',
      ({ company, email }) => company === 'Studio' && email === 'Person5@Example.com',
    ],
    ['source=', () => true],
  ];
  for (const [query, matches] of filters) {
    it(`A list with ${query} has exactly the contacts that match`, async () => {
      const expected = all.filter(matches);
      const found = await walk(`${query}&limit=9${query === 'source=' ? '&cursor=' : ''}`);
      if (query.startsWith('created')) assert.deepEqual(new Set(idsOf(found)), new Set(idsOf(expected)));
      else assert.deepEqual(found, expected);
      for (const sort of ['name', '-updated_at']) {
        const sorted = await walk(`${query}&sort=${sort}&limit=50`);
        assert.deepEqual(idsOf(sorted).sort(), idsOf(expected).sort());
      }
    });
  }

  it('A list with updated_since has the contacts that were updated since, the last one first', async () => {
    const times = all.map(({ updated_at }) => updated_at).sort();
    const since = times[100];
    const expected = all
      .filter(({ updated_at }) => updated_at >= since)
      .sort((one, other) => bytes(other.updated_at, one.updated_at));
    assert.deepEqual(await walk(`updated_since=${since}&limit=4`), expected);
    assert.deepEqual(await walk(`updated_since=${since}&sort=updated_at`), expected.toReversed());
    assert.deepEqual(
      await walk(`updated_since=${since.replace('Z', '%2B00:00')}&source=api&limit=2`),
      expected.filter(({ source }) => source === 'api'),
    );
  });

  it('A cursor is refused with other filters, another order, another workspace, or after any change', async () => {
    const cursor = nextOf(await get('sort=name&company=Acme&limit=5'))?.cursor as string;
    assert.equal((await get(`sort=name&company=Acme&limit=3&cursor=${cursor}`)).status, 200);
    const storage = await openTestStorage(service.database);
    const other = await makeWorkspace(storage);
    await storage.close();
    const refused: [string, CallOptions?][] = [
      [`sort=-name&company=Acme&cursor=${cursor}`],
      [`sort=name&company=Studio&cursor=${cursor}`],
      [`sort=name&cursor=${cursor}`],
      [`cursor=${cursor}`],
      [`sort=name&company=Acme&cursor=${cursor}`, { key: other.key }],
      [`sort=name&company=Acme&cursor=${cursor.slice(1)}`],
      [`sort=name&company=Acme&cursor=${cursor.slice(0, -1)}`],
      [`sort=name&company=Acme&cursor=${cursor.replace('.', '')}`],
      ['cursor=x'],
      ['cursor=.'],
      [`cursor=${encodeURIComponent('😀.😀')}`],
      [`cursor=${'x'.repeat(1_500)}`],
    ];
    for (const [query, options] of refused) {
      const error = assertInvalid(await get(query, options), 'cursor');
      assert.match(error.message, /start again without a cursor/);
    }
    assertInvalid(await get(`cursor=${'x'.repeat(2_001)}`), 'cursor');
  });

  it('A cursor is refused with any filter that its list did not have', async () => {
    const values: Record<string, string> = {
      search: 'a',
      tag: 'odd',
      created_since: '2025-01-01T00:00:00Z',
      created_before: '2030-01-01T00:00:00Z',
      updated_since: '2025-01-01T00:00:00Z',
      last_contact_since: '2025-01-01T00:00:00Z',
      last_contact_before: '2030-01-01T00:00:00Z',
      last_activity_since: '2025-01-01T00:00:00Z',
      last_activity_before: '2030-01-01T00:00:00Z',
      source: 'api',
      company: 'Acme',
      email: 'person0@example.com',
      campaign: 'campaign_01h455vb4pex5vsknk084sn02q',
      import: 'import_01h455vb4pex5vsknk084sn02q',
      has_tag: 'odd,tenth',
      has_tag_match: 'all',
      has_email: 'false',
      has_name: 'false',
      in_campaign: 'false',
      called: 'false',
      filter: '{"attribute":"tag","op":"eq","value":"odd"}',
      segment: '',
    };
    const { limit: _, offset: __, cursor: ___, sort: ____, include: _____, ...filters } = contactQuery.fields;
    assert.deepEqual(Object.keys(values).sort(), Object.keys(filters).sort());
    const storage = await openTestStorage(service.database);
    const { workspace_id } = (
      await service.database.query('select workspace_id from contacts where id = ?', all[0].id)
    )[0] as Json;
    const principal = { workspace: Number(workspace_id), actor: 'command line' };
    const made = await storage.run(createKey, principal, {
      name: 'all',
      scopes: keyScopes,
      expires_at: null,
    });
    await storage.close();
    const segment = { name: 'Odd', filter: JSON.parse(String(values.filter)) };
    values.segment = (await service.post('/v1/segments', segment, { key: made.key })).body.data.id;
    for (const [name, value] of Object.entries(values)) {
      // Whether all tags must match is a part of the list only if there are tags.
      const list = `sort=name&limit=1${name === 'has_tag_match' ? `&has_tag=${values.has_tag}` : ''}`;
      const cursor = nextOf(await get(list, { key: made.key }))?.cursor;
      const filtered = `${list}&${name}=${encodeURIComponent(value)}`;
      assert.equal((await get(filtered, { key: made.key })).status, 200, name);
      assertInvalid(await get(`${filtered}&cursor=${cursor}`, { key: made.key }), 'cursor');
    }
  });

  it('Invalid parameters are 400 by name, and an offset cannot be combined with a cursor', async () => {
    assertInvalid(
      await get('sort=phone_number&source=crm&has_tag_match=some'),
      'sort',
      'source',
      'has_tag_match',
    );
    assertInvalid(
      await get('created_since=yesterday&updated_since=2026-02-30T00:00:00Z'),
      'created_since',
      'updated_since',
    );
    const unescaped = await get('created_since=2026-01-31T09:30:00+02:00');
    assertInvalid(unescaped, 'created_since');
    assert.match(unescaped.body.error.message, /In a URL, write %2B for a plus sign\.$/);
    assertInvalid(await get(`has_tag=${Array.from({ length: 11 }, (_, at) => at)}`), 'has_tag');
    assertInvalid(await get('has_tag=a%00b'), 'has_tag');
    const cursor = nextOf(await get('cursor=&limit=5'))?.cursor;
    for (const query of [
      `cursor=${cursor}&offset=0`,
      'sort=name&offset=5',
      'source=api&offset=1',
      'cursor=&offset=1',
    ])
      assertInvalid(await get(query), 'offset');
    assert.equal((await get('sort=name&offset=0')).status, 200);
    assertError(await get('sort=name', { key: 'rk_wrong' }), 401, 'UNAUTHORIZED');
  });

  it('A cursor stays valid when the contact at its position is deleted', async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, () => makeContact(service, { company: 'Gone' })),
    );
    const page = await service.get('/v1/contacts?company=Gone&limit=3');
    for (const { id } of page.body.data) await service.delete(`/v1/contacts/${id}`);
    const rest = await service.get(nextOf(page)?.url as string);
    assert.deepEqual(new Set([...idsOf(page.body.data), ...idsOf(rest.body.data)]), new Set(idsOf(made)));
  });

  it('A walk during concurrent writes sees every contact that existed throughout exactly once, and so does an export', async () => {
    const storage = await openTestStorage(service.database);
    const { principal, key: walker } = await makeWorkspace(storage);
    const batch = async (operations: Json[]) => {
      const reply = await service.post('/v1/contacts/batch', { operations }, { key: walker });
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.body.data.failed, 0);
      return reply.body.data.results.map(({ id }: Json) => id) as string[];
    };
    const numberOf = (at: number) => `+1212555${String(at).padStart(4, '0')}`;
    const create = (at: number) => ({ op: 'create', phone_number: numberOf(at), first_name: `${at % 10}` });
    const ids = await batch(Array.from({ length: WALKED }, (_, at) => create(at)));
    const lasting = new Set(ids.filter((_, at) => at % 4 !== 3));
    // Each round creates contacts and deletes them, deletes and creates one in four, and updates all others.
    const write = async () => {
      for (let round = 0; round < 4; round++) {
        await batch(Array.from({ length: WALKED / 2 }, (_, at) => create(WALKED + at)));
        await batch(ids.flatMap((id, at) => (at % 4 === 3 ? [] : [{ op: 'update', id, notes: `${round}` }])));
        await batch(
          ids.flatMap((_, at) =>
            at % 4 === 3 ? [{ op: 'delete', phone_number: numberOf(at) }, create(at)] : [],
          ),
        );
        await batch(
          Array.from({ length: WALKED / 2 }, (_, at) => ({
            op: 'delete',
            phone_number: numberOf(WALKED + at),
          })),
        );
      }
    };
    let isWriting = true;
    const written = write().finally(() => {
      isWriting = false;
    });
    const walked = async (query: string): Promise<string[]> => {
      const seen: string[] = [];
      for (let url = `/v1/contacts?limit=20&${query}`; url; ) {
        const reply = await service.get(url, { key: walker });
        assert.equal(reply.status, 200, reply.text);
        seen.push(...idsOf(reply.body.data));
        url = nextOf(reply)?.url ?? '';
      }
      return seen;
    };
    const exported = async (): Promise<string[]> => {
      const seen: string[] = [];
      for (let after: number | undefined = 0; after !== undefined; ) {
        const step: Json = await storage.run(exportStep, principal, { selection: {}, after, limit: 20 });
        seen.push(...idsOf(step.records));
        after = step.next;
      }
      return seen;
    };
    let walks = 0;
    while (isWriting) {
      for (const seen of await Promise.all([
        walked('cursor='),
        walked('sort=created_at'),
        walked('sort=-name'),
        walked('source=api'),
        exported(),
      ])) {
        const found = seen.filter((id) => lasting.has(id));
        assert.equal(found.length, lasting.size);
        assert.equal(new Set(found).size, lasting.size);
        walks++;
      }
    }
    await written;
    assert.ok(walks >= 5);
    await storage.close();
  });

  it('A page with filters examines a limited number of contacts and is continued by its cursor', async () => {
    const storage = await openTestStorage(service.database);
    const other = await makeWorkspace(storage);
    await storage.close();
    for (let batch = 0; batch < 3; batch++) {
      const operations = Array.from({ length: 1_000 }, (_, at) => ({
        op: 'create',
        phone_number: `+1${415 + batch}555${String(at).padStart(4, '0')}`,
        first_name: batch === 0 && at < 3 ? 'Rare' : 'Common',
      }));
      const reply = await service.post('/v1/contacts/batch', { operations }, { key: other.key });
      assert.equal(reply.body.data?.created, 1_000, reply.text);
    }
    let url = '/v1/contacts?search=rare&sort=-created_at&limit=2';
    const sizes: number[] = [];
    for (;;) {
      const reply = await service.get(url, { key: other.key });
      sizes.push(reply.body.data.length);
      assert.equal(reply.body.pagination.total, 3);
      const next = nextOf(reply);
      if (!next) break;
      url = next.url;
    }
    assert.deepEqual(sizes, [0, 2, 1]);
  });
});
