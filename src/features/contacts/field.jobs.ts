import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { statement } from '../../db/statement.ts';
import { jobStep } from '../../jobs/job.service.ts';
import { eraseFieldChanges } from '../../records/change.ts';
import { fieldErasure } from '../fields/field.service.ts';
import {
  deleteFieldRow,
  type FieldRow,
  selectFieldForUpdate,
  updateFieldRow,
} from '../fields/field.store.ts';
import { indexedValue, nameOfField, valuesIn, withValues } from '../fields/field.values.ts';
import { mergedIds } from './contact.merged.ts';
import { changedRow } from './contact.service.ts';
import { fieldValueRows, type StoredContact, selectByIdsForUpdate } from './contact.store.ts';
import { writeContacts } from './contact.write.ts';

/* The jobs that walk all contacts for a field. A step locks the field's row and then its contacts; writes of values lock no rows of
 * fields, but the definitions, by an advisory lock. */

/** The next contacts, with values or without. */
const listNext = statement(
  ({ workspace, after, limit }: { workspace: number; after: number; limit: number }) => sql<
    Pick<StoredContact, 'id' | 'seq'> & { is_empty: number }
  >`
    select id, seq, case when fields = '{}' then 1 else 0 end as is_empty from contacts
    where workspace_id = ${workspace} and seq > ${after} order by seq limit ${limit}`,
);

/** Deletes some index entries of a field. */
const deleteSomeValues = statement(
  ({ workspace, field, limit }: { workspace: number; field: string; limit: number }) => sql<never>`
    with gone as materialized (
      select value, seq from contact_field_values where workspace_id = ${workspace} and field = ${field} limit ${limit}
    )
    delete from contact_field_values where workspace_id = ${workspace} and field = ${field}
    and (value, seq) in (select value, seq from gone)`,
  { readsDerived: true },
);

/** A field and its next contacts, all locked; `until` is undefined after the last contact. Those without values of any field are left out,
 *  unless `isErasing`: their timelines can have former ones. */
const lockNext = async (db: Db, field: FieldRow, limit: number, isErasing = false) => {
  const { workspace_id: workspace, walked_until: after } = field;
  const next = await db.all(listNext, { workspace, after: Number(after), limit });
  const keys = next.flatMap(({ id, is_empty }) => (is_empty && !isErasing ? [] : id));
  const contacts =
    keys.length > 0 ? await db.all(selectByIdsForUpdate, { workspace, keys: JSON.stringify(keys) }) : [];
  return { until: next.at(-1)?.seq, contacts };
};

/** A step on a field that still needs the job. `run` returns whether it was the last. */
const fieldStep = (
  name: string,
  isNeeded: (field: FieldRow) => boolean,
  run: (db: Db, field: FieldRow, size: number) => Promise<boolean>,
) =>
  jobStep(name, async (db, { job: { workspace_id: workspace, subject: key }, size }) => {
    const field = await db.get(selectFieldForUpdate, { workspace, key });
    return !field || !isNeeded(field) || run(db, field, size);
  });

const addToIndex = async (db: Db, { workspace_id: workspace, key }: FieldRow, contacts: StoredContact[]) => {
  const rows = contacts.flatMap(({ fields, seq }) => {
    const value = valuesIn(fields).get(key);
    return value === undefined ? [] : [{ field: key, value: indexedValue(value), seq }];
  });
  if (rows.length > 0) await db.run(fieldValueRows.add, { workspace, rows: JSON.stringify(rows) });
};

/** Indexes the values of a field that has become filterable, or deletes the entries of one that no longer is. */
export const indexFieldStep = fieldStep(
  'indexFieldStep',
  ({ indexed }) => indexed === 0,
  async (db, field, size) => {
    const { workspace_id: workspace, key } = field;
    if (field.filterable === 0)
      return (await db.run(deleteSomeValues, { workspace, field: key, limit: size })) === 0;
    const { until, contacts } = await lockNext(db, field, size);
    await addToIndex(db, field, contacts);
    const progress = until === undefined ? { indexed: 1 } : { walked_until: until };
    await db.run(updateFieldRow, { ...field, ...progress });
    return until === undefined;
  },
);

/** Erases the values of an archived field from some contacts, and the field after the last. */
export const eraseFieldStep = fieldStep(
  'eraseFieldStep',
  ({ erased_by }) => erased_by !== null,
  async (db, field, size) => {
    const { workspace_id: workspace, key } = field;
    const { until, contacts } = await lockNext(db, field, size, true);
    const principal = { workspace, actor: field.erased_by ?? '' };
    const writes = contacts.flatMap((before) => {
      const fields = withValues(before.fields, { [key]: null });
      return fields === before.fields ? [] : [{ before, after: changedRow(before, { fields }) }];
    });
    await writeContacts(db, principal, writes);
    const ids = contacts.map(({ id }) => id);
    const all = [...ids, ...(await mergedIds(db, workspace, ids))].map((id) => ({ id }));
    await eraseFieldChanges(db, { workspace, field: nameOfField(field) }, all);
    if (until === undefined) await fieldErasure.run(db, principal, key);
    if (until === undefined) await db.run(deleteFieldRow, { workspace, key });
    else await db.run(updateFieldRow, { ...field, walked_until: until });
    return until === undefined;
  },
);
