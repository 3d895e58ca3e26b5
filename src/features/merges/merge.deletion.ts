import { count } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { cancelJob } from '../../jobs/job.service.ts';
import { deleteMergedContacts } from '../contacts/contact.merged.ts';
import { withValues } from '../fields/field.values.ts';
import type { Principal } from '../workspaces/principal.ts';
import { EXPIRING, MOVING } from './merge.service.ts';
import * as store from './merge.store.ts';

/** Erases the values of a field from what merges have stored. */
export const eraseFieldOfMerges = async (db: Db, { workspace }: Principal, key: string): Promise<void> => {
  for (const row of await db.all(store.contactRecords, { workspace })) {
    const former = JSON.stringify(
      JSON.parse(row.former, (name, value) =>
        name === 'fields' ? withValues(value, { [key]: null }) : value,
      ),
    );
    if (former !== row.former) await db.run(store.setFormer, { ...row, former });
  }
};

/** Erases the merges into deleted contacts. */
export const eraseMerges = async (
  db: Db,
  { workspace }: Principal,
  contacts: readonly { id: string }[],
): Promise<void> => {
  const merges = await db.all(store.mergesInto, {
    workspace,
    keys: JSON.stringify(contacts.map(({ id }) => id)),
  });
  if (merges.length === 0) return;
  const keys = JSON.stringify(merges.map(({ id }) => id));
  await db.run(store.deleteRecords, { workspace, keys });
  await db.run(deleteMergedContacts, { workspace, keys });
  await db.run(store.deleteMerges, { workspace, keys });
  for (const { id } of merges) {
    for (const kind of [MOVING, EXPIRING]) await cancelJob(db, { workspace, kind, subject: id });
    count(db, workspace, [store.MERGE_COUNTER], -1);
  }
};
