import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { Storage } from '../../src/db/storage.ts';
import { createContact, deleteContact, updateContact } from '../../src/features/contacts/contact.service.ts';
import { searchable } from '../../src/features/contacts/contact.store.ts';
import { listContacts } from '../../src/features/contacts/list.service.ts';
import { phoneNeedle } from '../../src/features/contacts/phone.ts';
import type { Principal } from '../../src/features/workspaces/principal.ts';
import type { TestDatabase } from '../kit/database/engines.ts';
import { makeWorkspace } from '../kit/database/workspaces.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { insertContacts, type NewFacts } from '../kit/fixtures/insert-contacts.ts';
import { databaseFor, storageFor } from '../kit/service/scoped-resources.ts';

const AT = '2026-01-01T00:00:00.000Z';
const COUNT = 1_300;
const NAMES = [
  'Ada',
  'Grace',
  'Zoë',
  'Barbara',
  'ab',
  'O"Neil',
  '王伟',
  'Ωmega',
  '😀 Smile',
  'x',
  'Núñez',
  '%_',
  'a  b',
];

/** One contact in a hundred has a name with rare letters. The numbers are fictional. */
const contactAt = (at: number): NewFacts => {
  const legacy = at % 97 === 0 ? `(${at % 10}) ${at % 7}` : at % 97 === 1 ? '+ 29' : undefined;
  const phone_number = legacy ?? `+10${String(at * 7_919).padStart(9, '0')}`;
  return {
    phone_number,
    phone_identity: legacy ? null : phone_number,
    phone_conflict: 0,
    first_name: NAMES[at % NAMES.length] as string,
    last_name: at % 100 === 3 ? 'Quixjö' : null,
    display_name: at % 3 === 0 ? `n${at}` : null,
    email: at % 2 === 0 ? `${at.toString(36)}@example.${at % 50 === 0 ? 'qж' : 'com'}` : null,
    tags: at % 5 === 0 ? ['t'] : [],
  };
};

const stored = ({ query }: TestDatabase, { workspace }: Principal) =>
  query(
    'select id, search_text, search_phone from contacts where workspace_id = ? order by seq desc',
    workspace,
  );

/** The result of a full scan, newest first. */
const searchWithoutIndex = async (database: TestDatabase, principal: Principal, search: string) => {
  const [text, phone] = [searchable(search), phoneNeedle(search)];
  return (await stored(database, principal))
    .filter(
      (row) =>
        String(row.search_text).includes(text) ||
        (phone !== null && String(row.search_phone).includes(phone)),
    )
    .map(({ id }) => String(id));
};

const assertFound = async (
  { storage, database, principal }: FilledDatabase,
  search: string,
  { limit, offset } = { limit: 100, offset: 0 },
) => {
  const { json, total } = await storage.run(listContacts, principal, { search, limit, offset });
  const ids = (JSON.parse(`[${json}]`) as { id: string }[]).map(({ id }) => id);
  const expected = await searchWithoutIndex(database, principal, search);
  assert.deepEqual(
    { total, ids },
    { total: expected.length, ids: expected.slice(offset, offset + limit) },
    search,
  );
};

/** The stored n-gram counts, and those of the contacts up to the position where they were counted. */
const counts = async ({ query }: TestDatabase, { workspace }: Principal) => {
  const rows = await query(
    `select substr(list, 10) as gram, count from tallies where workspace_id = ? and list like 'contacts~%'`,
    workspace,
  );
  const storedCounts = new Map(rows.map(({ gram, count }) => [String(gram), Number(count)]));
  const upTo = storedCounts.get('') ?? 0;
  storedCounts.delete('');
  const own = new Map<string, number>();
  const texts = await query(
    `select search_text, search_phone from contacts where workspace_id = ? and seq <= ${upTo}`,
    workspace,
  );
  for (const { search_text, search_phone } of texts) {
    const grams = new Set<string>();
    for (const text of [`${search_text}\u001f\u001f`, `${search_phone}\u001f\u001f`]) {
      const characters = [...text];
      for (const [at, character] of characters.entries()) {
        grams.add(character);
        if (at > 0) grams.add(`${characters[at - 1]}${character}`);
      }
    }
    for (const gram of grams) own.set(gram, (own.get(gram) ?? 0) + 1);
  }
  return {
    upTo,
    kept: Object.fromEntries([...storedCounts].sort()),
    own: Object.fromEntries([...own].sort()),
  };
};

interface FilledDatabase {
  storage: Storage;
  database: TestDatabase;
  principal: Principal;
}

const fill = async (test: TestContext): Promise<FilledDatabase> => {
  const database = await databaseFor(test, 'sqlite');
  const storage = await storageFor(test, database);
  const { principal: otherPrincipal } = await makeWorkspace(storage);
  const { principal } = await makeWorkspace(storage);
  for (const each of [principal, otherPrincipal]) {
    const facts = Array.from({ length: COUNT }, (_, at) => contactAt(at));
    await storage.run(insertContacts, each, { facts: facts.slice(0, 1_200), source: 'api', now: AT });
    await storage.run(insertContacts, each, { facts: facts.slice(1_200), source: 'api', now: AT });
  }
  return { storage, database, principal };
};

const NEEDLES = [
  'ab', 'ad', 'qu', 'jö', 'jo', 'qж', 'ж', 'q', 'z', 'om', 'e', '王', '伟', '王伟', 'ω', '😀', '😀 ', 'x', 'x ', '%', '_', '%_',
  '"', 'o"', '"n', '@', '.q', '+', '+1', '+2', '29', '++', '1', '12', '1 ', '1-', '97', '(1', ') ', '  ', ' ', 'ñe', 'ÑE', 'ﬁ', 'ß', '\u{10ffff}',
]; // biome-ignore format: a list

describe('Short search by n-gram counts on SQLite', () => {
  it('A short search finds the same contacts as a full scan, whatever the text', async (test) => {
    const filled = await fill(test);
    const { upTo } = await counts(filled.database, filled.principal);
    assert.equal(upTo, 1_200, 'some are counted, some are not');
    for (const needle of NEEDLES) await assertFound(filled, needle);
    for (const window of [
      { limit: 5, offset: 3 },
      { limit: 20, offset: 40 },
      { limit: 20, offset: 5_000 },
    ]) {
      for (const needle of ['qu', 'q', 'e', '97', '王']) await assertFound(filled, needle, window);
    }
  });

  it('A short search finds matches that are all old', async (test) => {
    const filled = await fill(test);
    const facts = Array.from({ length: 2_100 }, (_, at) => ({
      ...contactAt(COUNT + at),
      first_name: 'Ida',
    }));
    await filled.storage.run(insertContacts, filled.principal, { facts, source: 'api', now: AT });
    for (const needle of ['zo', 'ra', 'z']) {
      await assertFound(filled, needle, { limit: 20, offset: 0 });
      await assertFound(filled, needle, { limit: 5, offset: 18 });
    }
  });

  it('A longer search uses its rarest two characters, also with a tag', async (test) => {
    const filled = await fill(test);
    const { storage, database, principal } = filled;
    for (const needle of [
      'quix',
      'Quixjö',
      'uixjo',
      'ixjo',
      'quixjoo',
      'example.qж',
      'e.qж',
      'zzzz',
      'barbara',
      '王伟\u001f',
      '😀 sm',
    ]) {
      await assertFound(filled, needle);
      await assertFound(filled, needle, { limit: 3, offset: 4 });
    }
    const { total } = await storage.run(listContacts, principal, { search: 'quix', tag: 't' });
    const tagged = await database.query(
      `select id from contacts where workspace_id = ? and search_text like '%quix%' and tags like '%"t"%'`,
      principal.workspace,
    );
    assert.deepEqual([total, tagged.length], [0, 0]);
    await storage.run(updateContact, principal, {
      id: (await searchWithoutIndex(database, principal, 'quix'))[5] as string,
      fields: { tags: ['t'] },
    });
    assert.equal((await storage.run(listContacts, principal, { search: 'quix', tag: 't' })).total, 1);
    assert.equal((await storage.run(listContacts, principal, { search: 'qu', tag: 't' })).total, 1);
  });

  it('A short search stays correct after any series of changes', async (test) => {
    const filled = await fill(test);
    const { storage, database, principal } = filled;
    const letter = fc.constantFrom(...'abqzxö王😀1+ "'.split(''), '伟');
    const name = fc
      .array(letter, { minLength: 1, maxLength: 6 })
      .map((letters) => letters.join('').toWellFormed());
    const change = fc.oneof(
      fc.record({ kind: fc.constant('create' as const), name }),
      fc.record({ kind: fc.constant('update' as const), at: fc.nat(COUNT), name }),
      fc.record({ kind: fc.constant('delete' as const), at: fc.nat(COUNT) }),
      fc.record({ kind: fc.constant('delete' as const), at: fc.constant(0) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), name, async (changes, needle) => {
        const ids = (await stored(database, principal)).map(({ id }) => String(id));
        for (const each of changes) {
          const [id] = each.kind === 'create' ? [] : ids.splice(Math.min(each.at, ids.length - 1), 1);
          if (each.kind === 'create') {
            const fields = { phone_number: newPhone(), first_name: each.name };
            await storage.run(createContact, principal, { source: 'api', fields });
          } else if (each.kind === 'update') {
            await storage.run(updateContact, principal, {
              id: String(id),
              fields: { display_name: each.name },
            });
          } else await storage.run(deleteContact, principal, { id: String(id) });
        }
        const [one = '', two = ''] = needle;
        for (const search of [one, one + two, needle]) await assertFound(filled, search);
        const { kept, own } = await counts(database, principal);
        assert.deepEqual(kept, own);
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });

  it('New contacts are added to the n-gram counts together, when there are enough of them', async (test) => {
    const { storage, database, principal } = await fill(test);
    const more = (from: number, to: number) =>
      storage.run(insertContacts, principal, {
        facts: Array.from({ length: to - from }, (_, at) => contactAt(COUNT + from + at)),
        source: 'api',
        now: AT,
      });
    await more(0, 155);
    assert.equal((await counts(database, principal)).upTo, 1_200);
    await more(155, 156);
    const { upTo, kept, own } = await counts(database, principal);
    assert.equal(upTo, 1_456);
    assert.deepEqual(kept, own);
  });

  it('An n-gram that no contact contains leaves no counter', async (test) => {
    const { storage, database, principal } = await fill(test);
    assert.equal((await counts(database, principal)).kept.xj, 12);
    for (const { id, search_text } of await stored(database, principal)) {
      if (String(search_text).includes('quixjo'))
        await storage.run(deleteContact, principal, { id: String(id) });
    }
    const { kept, own } = await counts(database, principal);
    assert.equal(kept.xj, undefined);
    assert.deepEqual(kept, own);
  });

  it('The next change counts the n-grams of contacts from before the upgrade', async (test) => {
    const filled = await fill(test);
    const { storage, database, principal } = filled;
    await database.query(`delete from tallies where list like 'contacts~%'`);
    for (const needle of ['qu', 'e', '王伟']) await assertFound(filled, needle);
    await storage.run(createContact, principal, { source: 'api', fields: { phone_number: newPhone() } });
    const { upTo, kept, own } = await counts(database, principal);
    assert.equal(upTo, COUNT + 1);
    assert.deepEqual(kept, own);
    for (const needle of ['qu', 'e', '王伟']) await assertFound(filled, needle);
  });
});
