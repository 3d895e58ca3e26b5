import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TrigramSample } from '../../src/db/sqlite/search/trigram-sample.ts';
import {
  createContact,
  deleteContact,
  listContacts,
  updateContact,
} from '../../src/features/contacts/contact.service.ts';
import { makeWorkspace } from '../kit/database/workspaces.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { fillContacts } from '../kit/fixtures/large-workspace.ts';
import { databaseFor, storageFor } from '../kit/service/scoped-resources.ts';

const FIRST = ['ada', 'barbara', 'grace', 'ida', 'jean', 'noor', 'radia', 'zoe'];
const LAST = ['ash', 'black', 'green', 'marl', 'north', 'oak', 'west', 'wood'].flatMap((start) =>
  ['burn', 'dale', 'ford', 'ham', 'ley', 'stead', 'ton', 'well'].map((end) => start + end),
);
const names = FIRST.flatMap((first) => LAST.map((last) => `${first} ${last}`));
const sample = new TrigramSample(
  Array.from({ length: 2_048 }, (_, at) => `${names[at % names.length]}\u001f${at}@example.com`),
  1_000_000,
);

describe('A sample of trigrams', () => {
  it('Trigrams are chosen from both words of a name, because those of one word occur together', () => {
    for (const name of names) {
      const chosen = sample.choose(name) ?? [];
      const found = names.filter((other) => chosen.every((trigram) => other.includes(trigram)));
      assert.ok(found.includes(name));
      assert.ok(found.length <= 4, `${name}: ${chosen} find ${found}`);
    }
  });

  it('A text that very many records contain is looked up as a whole', () => {
    assert.equal(sample.choose('@example.com'), undefined);
  });

  it('A text whose trigrams are all rare is looked up as a whole', () => {
    assert.equal(sample.choose('quixotic'), undefined);
  });

  it('A trigram has three characters, also outside the basic plane', () => {
    const chosen = sample.choose('@example.com 😀😁😂');
    assert.ok(chosen && chosen.length > 0);
    for (const trigram of chosen) assert.equal([...trigram].length, 3, trigram);
  });

  it('Searches of a large workspace return the same as a scan, also after changes', async (test) => {
    const database = await databaseFor(test, 'sqlite');
    const storage = await storageFor(test, database);
    const { principal } = await makeWorkspace(storage);
    await fillContacts(database, principal.workspace, 12_000);
    const assertSame = async (search: string, { limit, offset } = { limit: 20, offset: 0 }) => {
      const { json, total } = await storage.run(listContacts, principal, { search, limit, offset });
      const ids = (JSON.parse(`[${json}]`) as { id: string }[]).map(({ id }) => id);
      const rows = await database.query(
        'select id from contacts where workspace_id = ? and instr(search_text, ?) > 0 order by seq desc',
        principal.workspace,
        search,
      );
      const expected = rows.map(({ id }) => String(id));
      assert.deepEqual(
        { total, ids },
        { total: expected.length, ids: expected.slice(offset, offset + limit) },
        search,
      );
      return { total, ids };
    };
    const needles = ['ada lovelace', 'emile ito', 'unique777', 'person11999@', 'noor knuth', 'no such name'];
    for (const needle of needles) {
      await assertSame(needle);
      await assertSame(needle, { limit: 7, offset: 30 });
    }
    const create = (fields: object) =>
      storage.run(createContact, principal, {
        source: 'api',
        fields: { phone_number: newPhone(), ...fields },
      });
    await create({ first_name: 'Quirin', last_name: 'Xylander' });
    const { ids } = await assertSame('quirin xylander');
    assert.equal(ids.length, 1);
    const [id] = ids as [string];
    await storage.run(updateContact, principal, { id, fields: { last_name: 'Lovelace' } });
    assert.equal((await assertSame('quirin xylander')).total, 0);
    assert.equal((await assertSame('quirin lovelace')).total, 1);
    await storage.run(deleteContact, principal, { id });
    assert.equal((await assertSame('quirin lovelace')).total, 0);
  });
});
