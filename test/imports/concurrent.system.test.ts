import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signedInUser } from '../kit/dashboard/users.ts';
import { engines } from '../kit/database/engines.ts';
import { allContacts, assertCounts, assertNoPendingJobs } from '../kit/imports/assertions.ts';
import { planCsv, waitForImport } from '../kit/imports/imports.ts';
import { databaseFor, serviceFor } from '../kit/service/scoped-resources.ts';
import type { Json, Reply, TestService } from '../kit/service/test-service.ts';

const ROWS = 600;
const phoneAt = (at: number) => `+1${200 + Math.floor(at / 100)}5550${100 + (at % 100)}`;
const numbers = Array.from({ length: ROWS }, (_, at) => phoneAt(at));

/** Every row contains the same name twice, which reveals a contact with values of two imports. */
const fileOf = (name: string, phones: readonly string[]) =>
  [
    'Phone,First Name,Last Name,Labels',
    ...phones.map((phone) => `${phone},${name},${name},all;${name}`),
  ].join('\n');

const complaints = ({ log }: TestService) =>
  log.filter((line) => /"level":"error"|job failed|request failed/.test(line));

for (const engine of Object.keys(engines) as (keyof typeof engines)[]) {
  describe(`Concurrent imports on ${engine}`, () => {
    it('Concurrent imports of the same numbers create no duplicates, and both complete', async (test) => {
      const database = await databaseFor(test, engine);
      const first = await serviceFor(test, database);
      const second = await serviceFor(test, database);
      const owner = await signedInUser(first);
      const other = await signedInUser(second);
      const rule = { on_existing: 'overwrite', tags: 'replace' };
      const plans = await Promise.all([
        planCsv(owner, fileOf('one', numbers), rule),
        planCsv(other, fileOf('two', numbers.toReversed()), rule),
        planCsv(owner, fileOf('three', numbers), rule),
      ]);
      const starts = await Promise.all(
        plans.map(({ id }, at) => [owner, other][at % 2]?.call('POST', `/imports/${id}/apply`)),
      );
      assert.deepEqual(
        starts.map((reply) => reply?.status),
        [200, 200, 200],
      );
      const ended = await Promise.all(plans.map(({ id }) => waitForImport(owner, id)));
      assert.deepEqual(
        ended.map(({ state }) => state),
        ['applied', 'applied', 'applied'],
      );
      const sum = (effect: string) => ended.reduce((total, { totals }) => total + (totals[effect] ?? 0), 0);
      assert.deepEqual([sum('created'), sum('updated'), sum('none')], [ROWS, 2 * ROWS, 0]);
      const contacts = await allContacts(owner);
      assert.deepEqual(
        contacts.map((contact) => contact.phone_number),
        numbers,
      );
      for (const { first_name, last_name, tags } of contacts) {
        assert.deepEqual([last_name, tags], [first_name, ['all', first_name]]);
      }
      await assertCounts(database);
      await assertNoPendingJobs(database);
      assert.deepEqual([...complaints(first), ...complaints(second)], []);
    });

    it('An import and ordinary writes to the same contacts all complete', async (test) => {
      const database = await databaseFor(test, engine);
      const service = await serviceFor(test, database);
      const owner = await signedInUser(service);
      const plan = await planCsv(owner, fileOf('file', numbers), { on_existing: 'overwrite' });
      assert.equal((await owner.call('POST', `/imports/${plan.id}/apply`)).status, 200);
      let running = true;
      const ended = waitForImport(owner, plan.id).finally(() => {
        running = false;
      });
      const seen = new Map<string, number>();
      const counted = async (name: string, call: () => Promise<Reply>) => {
        const reply = await call();
        const key = `${name} ${reply.status}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
        return reply;
      };
      const client = async (start: number) => {
        for (let at = start; running; at = (at + 37) % ROWS) {
          const phone_number = phoneAt(at);
          const made = await counted('create', () =>
            service.post('/v1/contacts', {
              phone_number,
              first_name: 'api',
              last_name: 'api',
              tags: ['api'],
            }),
          );
          const id = made.body.data?.id ?? made.body.error.details.existing_contact_id;
          await counted('patch', () =>
            service.patch(`/v1/contacts/${id}`, { first_name: 'api', last_name: 'api' }),
          );
          if (at % 5 === 0) await counted('delete', () => service.delete(`/v1/contacts/${id}`));
        }
      };
      await Promise.all(Array.from({ length: 6 }, (_, at) => client(at * 90)));
      const { state, totals } = await ended;
      assert.equal(state, 'applied');
      assert.equal(totals.created + (totals.updated ?? 0) + (totals.none ?? 0), ROWS);
      const expected = ['create 201', 'create 409', 'delete 200', 'delete 404', 'patch 200', 'patch 404'];
      assert.deepEqual(
        [...seen.keys()].filter((key) => !expected.includes(key)),
        [],
      );
      assert.ok((seen.get('create 409') ?? 0) > 0 && (seen.get('patch 200') ?? 0) > 0, 'they have met');
      const contacts: Json[] = await allContacts(owner);
      assert.equal(new Set(contacts.map((contact) => contact.phone_number)).size, contacts.length);
      for (const { first_name, last_name } of contacts) assert.equal(last_name, first_name);
      await assertCounts(database);
      await assertNoPendingJobs(database);
      assert.deepEqual(complaints(service), []);
    });
  });
}
