import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Db } from '../../src/db/db.ts';
import { seekPosition } from '../../src/db/deep-pagination.ts';
import { read, write } from '../../src/db/operation.ts';
import type { Storage } from '../../src/db/storage.ts';
import { recordWrite } from '../../src/features/contacts/contact.derived.ts';
import { contactId, deleteContact, updateContact } from '../../src/features/contacts/contact.service.ts';
import { type ContactRow, insertContacts, rowOf } from '../../src/features/contacts/contact.store.ts';
import { listContacts } from '../../src/features/contacts/list.service.ts';
import type { Principal } from '../../src/features/workspaces/principal.ts';
import { actualCounts, storedCounts } from '../kit/database/counters.ts';
import type { TestDatabase } from '../kit/database/engines.ts';
import { makeWorkspace } from '../kit/database/workspaces.ts';
import { emptyTexts } from '../kit/fixtures/insert-contacts.ts';
import { databaseFor, storageFor } from '../kit/service/scoped-resources.ts';

const AT = '2026-01-01T00:00:00.000Z';
const COUNT = 2_500;

/** A contact whose name is its position; its number does not matter. */
const rowAt = (workspace: number, seq: number): ContactRow & { seq: number } => ({
  seq,
  ...rowOf({
    ...emptyTexts,
    workspace_id: workspace,
    id: contactId.create(),
    phone_number: String(seq),
    phone_identity: null,
    phone_conflict: 0,
    identities: null,
    first_name: `at ${seq}`,
    tags: '[]',
    crm_ids: '{}',
    fields: '{}',
    source: 'import',
    first_contact_at: AT,
    last_contact_at: AT,
    created_at: AT,
    updated_at: AT,
  }),
});

/** Inserts contacts at positions of the list, as if all between them had been deleted. */
const insertAt = write('layAt', async (db: Db, principal: Principal, { places }: { places: number[] }) => {
  const rows = places.map((seq) => rowAt(principal.workspace, seq));
  await db.each(
    insertContacts.one,
    rows.map((row) => ({ ...row, created_by: principal.actor })),
  );
  for (const row of rows) {
    recordWrite(db, principal, { after: row }, { seq: row.seq });
  }
});

/** The page according to a plain `offset`. */
const pageByOffset = async ({ query }: TestDatabase, { workspace }: Principal, offset: number) =>
  (
    await query(
      `select id from contacts where workspace_id = ? order by seq desc limit 20 offset ${offset}`,
      workspace,
    )
  ).map(({ id }) => id);

const paged = async (storage: Storage, principal: Principal, offset: number) => {
  const { json, total } = await storage.run(listContacts, principal, { offset });
  return { total, ids: (JSON.parse(`[${json}]`) as { id: string }[]).map(({ id }) => id) };
};

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`Deep pagination on ${engine}`, () => {
    it('Deep pages equal those of a plain offset, whatever gaps and deletes there are', async (test) => {
      const database = await databaseFor(test, engine);
      const storage = await storageFor(test, database);
      const { principal: otherPrincipal } = await makeWorkspace(storage);
      const { principal } = await makeWorkspace(storage);
      // Full blocks, blocks with one contact, empty blocks, and the edges of both block sizes.
      const places = new Set([1, 999, 1_000, 99_999, 100_000, 100_999, 101_000, 199_999, 1_000_000]);
      for (let at = 0; places.size < COUNT / 2; at++) places.add(250_000 + at);
      for (let at = 0; places.size < COUNT; at++) places.add(2_000 + ((at * 7_919) % 1_300_000));
      await storage.run(insertAt, principal, { places: [...places] });
      await storage.run(insertAt, otherPrincipal, { places: [1, 500_000] });
      const ids = async () =>
        (
          await database.query(
            'select id from contacts where workspace_id = ? order by seq',
            principal.workspace,
          )
        ).map(({ id }) => String(id));
      const offsets = fc.integer({ min: 1_001, max: COUNT + 50 });
      const steps = fc.record({
        offset: offsets,
        gone: fc.array(fc.nat({ max: COUNT - 1 }), { maxLength: 12 }),
        changed: fc.nat({ max: COUNT - 1 }),
      });
      await fc.assert(
        fc.asyncProperty(steps, async ({ offset, gone, changed }) => {
          const all = await ids();
          const left = new Set(all);
          for (const at of gone) {
            const id = all[at];
            if (id && left.delete(id)) await storage.run(deleteContact, principal, { id });
          }
          const [id = ''] = [...left].slice(changed);
          if (id) await storage.run(updateContact, principal, { id, fields: { notes: 'changed' } });
          const found = await paged(storage, principal, offset);
          assert.deepEqual(found.ids, await pageByOffset(database, principal, offset));
          assert.equal(found.total, left.size);
        }),
        { numRuns: 15, endOnFailure: true },
      );
      for (const offset of [1_001, 1_500, (await ids()).length - 1, (await ids()).length]) {
        assert.deepEqual(
          (await paged(storage, principal, offset)).ids,
          await pageByOffset(database, principal, offset),
        );
      }
      assert.deepEqual(await storedCounts(database), await actualCounts(database));
    });

    it('A deep page skips no more than the contacts of one small block', async (test) => {
      const database = await databaseFor(test, engine);
      const storage = await storageFor(test, database);
      const { principal } = await makeWorkspace(storage);
      await storage.run(insertAt, principal, {
        places: Array.from({ length: COUNT }, (_, at) => 150_001 + at),
      });
      const place = read('place', (db: Db, { workspace }: Principal, offset: number) =>
        seekPosition(db, workspace, 'contacts', offset),
      );
      // 150,001 to 152,500: the newest block has 501 positions.
      assert.deepEqual(await storage.run(place, principal, 500), { below: 153_000, skip: 500 });
      assert.deepEqual(await storage.run(place, principal, 501), { below: 152_000, skip: 0 });
      assert.deepEqual(await storage.run(place, principal, 2_499), { below: 151_000, skip: 998 });
      assert.deepEqual(await storage.run(place, principal, 2_500), { below: 0, skip: 0 });
    });
  });
}
