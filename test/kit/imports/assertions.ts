import assert from 'node:assert/strict';
import type { DashboardUser } from '../dashboard/users.ts';
import { actualCounts, storedCounts } from '../database/counters.ts';
import type { TestDatabase } from '../database/engines.ts';
import type { Json } from '../service/test-service.ts';

/** Asserts that the stored counts match the rows, and the stored tags match the contacts. */
export const assertCounts = async (database: TestDatabase) => {
  const { query } = database;
  assert.deepEqual(await storedCounts(database), await actualCounts(database));
  const own = await query('select seq, tags from contacts order by seq');
  const stored = await query('select seq, tag from contact_tags');
  const tagged = Map.groupBy(stored, ({ seq }) => Number(seq));
  for (const { seq, tags } of own) {
    const names = (tagged.get(Number(seq)) ?? []).map(({ tag }) => String(tag));
    assert.deepEqual(names.sort(), (JSON.parse(String(tags)) as string[]).sort());
  }
};

/** All contacts in the order of their phone numbers. */
export const allContacts = async ({ call }: Pick<DashboardUser, 'call'>): Promise<Json[]> => {
  const contacts: Json[] = [];
  for (let more = true; more; ) {
    const { body } = await call('GET', `/contacts?limit=100&offset=${contacts.length}`);
    contacts.push(...body.data);
    more = body.pagination.has_more;
  }
  return contacts.sort((one, other) => (one.phone_number < other.phone_number ? -1 : 1));
};

export const withoutIdsAndTimes = (contacts: Json[]) =>
  contacts.map(({ id, created_at, updated_at, first_contact_at, last_contact_at, ...facts }) => facts);

export const withoutUpdatedAt = (contacts: Json[]) => contacts.map(({ updated_at, ...rest }) => rest);

/** Asserts that there are no jobs except those for a later day. */
export const assertNoPendingJobs = async ({ query }: TestDatabase) =>
  assert.deepEqual(await query(`select kind, subject from jobs where kind <> 'import.expiring'`), []);
