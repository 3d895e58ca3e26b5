import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createContact } from '../../src/features/contacts/contact.service.ts';
import { makeWorkspace } from '../kit/database/workspaces.ts';
import { newPhone } from '../kit/fixtures/factories.ts';
import { databaseFor, storageFor } from '../kit/service/scoped-resources.ts';

it('Commits that add to the search index also merge its segments', async (test) => {
  const database = await databaseFor(test, 'sqlite');
  const storage = await storageFor(test, database);
  const { principal } = await makeWorkspace(storage);
  const COMMITS = 60;
  for (let count = 0; count < COMMITS; count++) {
    await storage.run(createContact, principal, { source: 'api', fields: { phone_number: newPhone() } });
  }
  const [found] = await database.query('select count(distinct segid) as count from contacts_search_idx');
  // Each commit adds a segment, and eight segments of a level are merged.
  assert.ok(Number(found?.count) < COMMITS / 3, `${found?.count} segments after ${COMMITS} commits`);
});
