import type { Db } from '../../db/db.ts';
import { recordEvent } from '../events/event.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { ImportRecord } from './import.store.ts';
import { importOf } from './import.view.ts';

/** Without the samples of the columns and the email of the user, which would outlive the contacts and the user. */
const dataOf = (record: ImportRecord): string =>
  JSON.stringify(importOf({ ...record, created_by_email: null }, []));

/** Records a planned import, or the change of fields. */
export const recordImportEvent = (
  db: Db,
  principal: Principal,
  record: ImportRecord,
  changed?: readonly string[],
): void => {
  const about = { subject: record.id, data: dataOf(record) };
  if (changed) recordEvent(db, principal, { type: 'import.updated', ...about, changed });
  else recordEvent(db, principal, { type: 'import.created', ...about });
};

export const recordImportDeleted = (db: Db, principal: Principal, id: string): void =>
  recordEvent(db, principal, { type: 'import.deleted', subject: id });
