import { sql } from 'kysely';
import { migrations } from '../../db/migrations/index.ts';
import { read, write } from '../../db/operation.ts';
import { derivedStatement as statement } from '../../db/statement.ts';
import type { Storage } from '../../db/storage.ts';
import { COMMAND_LINE } from '../../records/change.ts';
import { contactsById } from '../contacts/contact.lookup.ts';
import { writeContacts } from '../contacts/contact.write.ts';
import type { Principal } from '../workspaces/principal.ts';

const STEP = 100;

const findSample = statement(
  ({ name }: { name: string }) =>
    sql<{ id: number; sample: number }>`select id, sample from workspaces where name = ${name}`,
);

export const markSample = statement(
  ({ workspace }: { workspace: number }) =>
    sql<never>`update workspaces set sample = 1 where id = ${workspace}`,
);

const deleteWorkspace = statement(
  ({ workspace }: { workspace: number }) =>
    sql<never>`delete from workspaces where id = ${workspace} and sample = 1`,
);

const nextContacts = statement(
  ({ workspace }: { workspace: number }) => sql<{ id: string }>`
    select id from contacts where workspace_id = ${workspace} order by seq limit ${sql.lit(STEP)}`,
);

const deleteAll = (table: string) =>
  statement(
    ({ workspace }: { workspace: number }) =>
      sql<never>`delete from ${sql.table(table)} where workspace_id = ${workspace}`,
  );

/** Without them, no request and no job can write to the workspace. */
const deleteAccess = ['sessions', 'sign_in_links', 'keys', 'hooks', 'jobs'].map(deleteAll);

/** All tables of workspaces, each after those that refer to it: a migration can only refer to tables before it. */
const deleteRecords = migrations
  .flatMap(({ statements }) => statements('postgres'))
  .flatMap((text) => /^create table (\w+) \(.*\bworkspace_id\b/s.exec(text)?.[1] ?? [])
  .reverse()
  .map(deleteAll);

/** The workspace with this name. `sample` is 1 if it contains sample data. */
export const findDemo = read('findDemo', (db, _: null, name: { name: string }) => db.get(findSample, name));

/** Deletes the next contacts with their search entries, and finally everything else. Returns how many contacts it deleted; 0
 *  after the last. An interrupted removal can be repeated. */
export const removeStep = write('removeStep', async (db, principal: Principal): Promise<number> => {
  const { workspace } = principal;
  for (const statement of deleteAccess) await db.run(statement, { workspace });
  const ids = (await db.all(nextContacts, { workspace })).map(({ id }) => id);
  const contacts = [...(await contactsById(db, principal, ids)).values()];
  const deletes = contacts.map((before) => ({ before }));
  await writeContacts(db, principal, deletes);
  if (ids.length === 0)
    for (const statement of [...deleteRecords, deleteWorkspace]) await db.run(statement, { workspace });
  return ids.length;
});

export const removeSample = async (
  storage: Storage,
  workspace: number,
  onProgress: (contacts: number) => void,
): Promise<void> => {
  const principal: Principal = { workspace, actor: COMMAND_LINE };
  let done = 0;
  for (let removed = 1; removed > 0; ) {
    removed = await storage.run(removeStep, principal, null);
    done += removed;
    onProgress(done);
  }
};
