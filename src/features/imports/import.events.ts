import type { Snapshot } from '../../records/change.ts';
import type { ImportRecord } from './import.store.ts';
import { importOf } from './import.view.ts';

/** Without the samples of the columns and the email of the user, which would outlive the contacts and the user. */
export const importSnapshot = (record: ImportRecord): Snapshot => ({
  data: JSON.stringify(importOf({ ...record, created_by_email: null }, [])),
});
