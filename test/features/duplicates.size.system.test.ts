import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createContact, updateContact } from '../../src/features/contacts/contact.service.ts';
import { duplicatesStep, startDuplicates } from '../../src/features/duplicates/duplicate.jobs.ts';
import type { JobRow } from '../../src/jobs/job.service.ts';
import { registerContributions } from '../../src/wiring/handlers.ts';
import { engines } from '../kit/database/engines.ts';
import { makeWorkspace, openTestStorage } from '../kit/database/workspaces.ts';
import { expectedDuplicates } from '../kit/fixtures/duplicates.ts';
import { fillContacts } from '../kit/fixtures/large-workspace.ts';
import type { Json } from '../kit/service/test-service.ts';

const CONTACTS = Number(process.env.DUPLICATE_CONTACTS ?? 50_000);
const SIZE = 1_000;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

for (const engine of Object.keys(engines) as (keyof typeof engines)[])
  describe(`Duplicates among ${CONTACTS} contacts (${engine})`, () => {
    it('All groups are found in steps that do not grow, and changes of few contacts take few steps', async (t) => {
      registerContributions();
      const database = await engines[engine]();
      const storage = await openTestStorage(database);
      const { principal } = await makeWorkspace(storage);
      const { workspace } = principal;
      await fillContacts(database, workspace, CONTACTS);
      // Emails of one to five contacts and one of very many, and names of two contacts, half of them with a company.
      await database.query(
        `update contacts set email = case when seq % 10 = 0 then 'info@example.com' else 'Mail' || (seq / (1 + seq % 5)) || '@example.com' end,
          display_name = 'Name ' || (seq % ${CONTACTS / 2}), company = case when seq % 2 = 0 then 'Acme' end where workspace_id = ?`,
        workspace,
      );
      await storage.run(startDuplicates, principal, null);
      const [job] = (await database.query(
        `select * from jobs where kind = 'duplicates.following'`,
      )) as JobRow[];
      const run = async (): Promise<number[]> => {
        const times: number[] = [];
        for (let isDone = false; !isDone; ) {
          const began = performance.now();
          isDone = await duplicatesStep(storage, { job: job as JobRow, size: SIZE });
          times.push(performance.now() - began);
        }
        return times;
      };
      const assertExact = async () => {
        const contacts: Json[] = await database.query(
          'select id, phone_number, first_name, last_name, display_name, email, company from contacts',
        );
        const groups = await database.query(
          `select g.reason, string_agg(k.contact_id, ' ') as ids from duplicate_groups as g
            join duplicate_keys as k on k.workspace_id = g.workspace_id and k.key = g.key group by g.id, g.reason`,
        );
        const found = groups.map(({ reason, ids }) => `${reason} ${String(ids).split(' ').sort().join(' ')}`);
        const expected = expectedDuplicates(contacts);
        assert.ok(expected.length > CONTACTS / 10, `${expected.length} groups`);
        assert.equal(found.length, expected.length);
        assert.deepEqual(found.sort(), expected);
      };
      const times = await run();
      await assertExact();
      const part = Math.ceil(times.length / 5);
      const [first, last] = [median(times.slice(0, part)), median(times.slice(-part - 1, -1))];
      t.diagnostic(
        `${times.length} steps, medians ${first.toFixed()} and ${last.toFixed()} ms, at most ${Math.max(...times).toFixed()} ms`,
      );
      // On PostgreSQL, the events of these contacts had no positions when the job began, and are read again.
      assert.ok(times.length <= (2 * CONTACTS) / SIZE + 2, `${times.length} steps`);
      assert.ok(last < 4 * first + 50, `the first steps took ${first} ms, the last ${last} ms`);

      const known = await database.query(`select id from contacts order by id limit 200`);
      for (const [at, { id }] of known.entries()) {
        const fields = { email: `mail${at * 3}@example.com` };
        await storage.run(updateContact, principal, { id: String(id), fields } as never);
        const phone_number = `+1212555${String(100 + (at % 100)).padStart(4, '0')}`;
        if (at < 100)
          await storage.run(createContact, principal, {
            source: 'api',
            fields: { phone_number, ...fields } as never,
          });
      }
      const later = await run();
      assert.ok(later.length <= 3, `${later.length} steps`);
      await assertExact();
      await storage.close();
      await database.drop();
    });
  });
