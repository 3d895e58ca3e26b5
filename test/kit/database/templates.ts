import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresOn, sqliteIn } from './engines.ts';
import { openTestStorage } from './workspaces.ts';

/** Migrates one database per engine. The tests copy these: a migration takes half a second, and a run needs hundreds
 *  of databases. */
export const prepareTemplates = async (server: string) => {
  const file = sqliteIn(mkdtempSync(join(tmpdir(), 'roster-template-')));
  const database = await postgresOn(server);
  for (const each of [file, database]) await (await openTestStorage(each)).close();
  return {
    environment: {
      TEST_SQLITE_TEMPLATE: file.url.replace('sqlite:', ''),
      TEST_POSTGRES_TEMPLATE: new URL(database.url).pathname.slice(1),
    },
    remove: async () => {
      await file.drop();
      await database.drop();
    },
  };
};
