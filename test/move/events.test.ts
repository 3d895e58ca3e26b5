import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Storage } from '../../src/db/storage.ts';
import { createContact, updateContact } from '../../src/features/contacts/contact.service.ts';
import { readFeed } from '../../src/features/events/feed.service.ts';
import type { Principal } from '../../src/features/workspaces/principal.ts';
import { emptyEngines, type TestDatabase } from '../kit/database/engines.ts';
import { openTestStorage } from '../kit/database/workspaces.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { runRoster } from '../kit/process/cli.ts';
import { environmentOf, move, newSource } from '../kit/process/move.ts';
import type { Json } from '../kit/service/test-service.ts';

const principalOf = async ({ query }: TestDatabase): Promise<Principal> => {
  const [row] = await query('select max(id) as id from workspaces');
  return { workspace: Number(row?.id), actor: 'test' };
};

const read = async (storage: Storage, principal: Principal): Promise<Json[]> => {
  const page = await readFeed(storage, principal, { limit: 500, payload: 'snapshot' });
  return page.events.map((json) => JSON.parse(json));
};

describe('Move of events', () => {
  it('Events without a position come before those that are written after the move', async (test) => {
    const source = await newSource('postgres');
    const file = await emptyEngines.sqlite();
    const final = await emptyEngines.postgres();
    test.after(() => Promise.all([source, file, final].map((each) => each.drop())));
    const principal = await principalOf(source);
    const names: string[] = [];
    let id = '';
    const work = async (database: TestDatabase, run: (storage: Storage) => Promise<void>) => {
      const storage = await openTestStorage(database);
      await run(storage).finally(() => storage.close());
    };
    const change = async (storage: Storage, name: string) => {
      await storage.run(updateContact, principal, { id, fields: { first_name: name } });
      names.push(name);
    };
    let before: Json[] = [];
    await work(source, async (storage) => {
      const fields = { phone_number: newPhone(), first_name: 'first' };
      ({ id } = await storage.run(createContact, principal, { source: 'api', fields }));
      names.push('first');
      before = await read(storage, principal);
      await change(storage, 'without a position');
      await change(storage, 'also without');
    });
    assert.equal((await move(source, file)).status, 0);
    await work(file, (storage) => change(storage, 'in SQLite'));
    assert.equal((await move(file, final)).status, 0);
    for (const [database, name] of [
      [file, 'in SQLite again'],
      [final, 'in PostgreSQL again'],
    ] as const) {
      await work(database, async (storage) => {
        await change(storage, name);
        const events = await read(storage, principal);
        assert.deepEqual(
          events.map(({ data }) => data.first_name),
          names,
        );
        assert.deepEqual(events[0], before[0], 'an event that was read has the same id');
        names.pop();
      });
      const verified = await runRoster(environmentOf(database), 'verify');
      assert.equal(verified.status, 0, verified.stdout);
    }
  });
});
