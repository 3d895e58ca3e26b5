import type { Db } from '../../db/db.ts';
import { longRead, write } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { conflict } from '../../lib/errors.ts';
import { changedByOthers } from '../../records/timeline.store.ts';
import { findImported, type ImportedEnrollments, removeImported } from '../campaigns/enrollment.imports.ts';
import { crmIdOf, withCrmId } from '../contacts/contact.crm.ts';
import {
  type ContactFacts,
  contactsById,
  type LockedContact,
  unlockedContactsById,
} from '../contacts/contact.lookup.ts';
import { changedRow } from '../contacts/contact.service.ts';
import { writeContacts } from '../contacts/contact.write.ts';
import { lockFields } from '../fields/field.store.ts';
import { readValue, withValues } from '../fields/field.values.ts';
import { assertAlso } from '../workspaces/access.guard.ts';
import type { Principal } from '../workspaces/principal.ts';
import { enrolledAt, factsOf, type PreviousFacts, writtenFacts } from './decide.ts';
import type { ImportFields } from './field.columns.ts';
import { fieldsOfImport } from './field.service.ts';
import type { Effect, ImportOptions } from './import.schema.ts';
import { findImport } from './import.service.ts';
import { importStep } from './import.step.ts';
import type * as store from './import.store.ts';
import { rulesOf, UNDO_DAYS, undoUntil } from './import.view.ts';
import { assertState, lastRowOfStep, lockImport, startJob } from './lifecycle.service.ts';
import { type Reading, rowReader } from './reading.ts';
import type { Applied } from './row.store.ts';
import * as rowStore from './row.store.ts';
import { countChanges } from './totals.ts';

const assertMayUndo = (principal: Principal, record: store.ImportRecord): void => {
  if (rulesOf(record).campaign_id !== null) assertAlso(principal, 'campaigns:write');
  assertState(record, ['applied'], 'undone');
};

export const startUndo = write('startUndo', async (db, principal: Principal, { id }: { id: string }) => {
  const record = await lockImport(db, principal, id);
  assertMayUndo(principal, record);
  if (timestamp() > undoUntil(record.applied_at ?? '')) {
    throw conflict(`An import can be undone for ${UNDO_DAYS} days. This period is over.`);
  }
  return startJob(db, principal, record, 'undoing');
});

/** Whether a contact has the values that its row has written, so that changes since then cancel out. A contact that the import
 *  created must have all of them, one that it updated those that it changed. */
const isAsWritten = (
  { former, effect }: Applied,
  reading: Reading,
  contact: LockedContact,
  options: ImportOptions,
): boolean => {
  // A contact that has got another identity since is more than what the import has made.
  if (effect === 'created' && contact.identities !== null) return false;
  const { fields: values, ...now } = factsOf(contact);
  const previous = effect === 'created' ? null : (JSON.parse(former ?? '{}') as PreviousFacts);
  const { crm_id: _, fields, ...after } = previous ? writtenFacts(previous, reading, options) : reading;
  const keys = Object.keys(previous ? (previous.fields ?? {}) : { ...values, ...fields });
  if (keys.some((key) => values?.[key] !== fields?.[key])) return false;
  const names = Object.keys(now).filter((name) => name in after) as (keyof ContactFacts)[];
  // A tag that was removed and added again is the last one.
  const comparable = ({ tags, ...rest }: Partial<ContactFacts>, name: keyof ContactFacts) =>
    name === 'tags' ? JSON.stringify(tags?.toSorted()) : rest[name];
  return names.every((name) => comparable(now, name) === comparable(after, name));
};

/** Whether a row's contact stays because the import created it and someone has claimed it. */
const stays = ({ effect, contact_id }: Applied, claimed: readonly string[]): boolean =>
  effect === 'created' && claimed.includes(contact_id ?? '');

/** The contacts of applied rows, by the numbers of the rows, without those that were changed since, and without new ones whom someone
 *  has claimed. */
const unchangedContacts = (
  {
    record,
    fields,
    claimed,
  }: { record: store.ImportRecord; fields: ImportFields; claimed: readonly string[] },
  rows: readonly Applied[],
  contacts: ReadonlyMap<string, LockedContact>,
): Map<number, LockedContact> => {
  const { options, reread } = rowReader(record, fields);
  const found = new Map<number, LockedContact>();
  for (const row of rows) {
    if (stays(row, claimed)) continue;
    const contact = contacts.get(row.contact_id ?? '');
    const isSame = contact?.updated_at === row.written_at;
    const reading = contact && !isSame ? reread(row) : null;
    if (contact && (isSame || (reading && isAsWritten(row, reading, contact, options))))
      found.set(row.number, contact);
  }
  return found;
};

/** Finds or removes the enrollments that the import made for some rows. */
const enrollmentsOf = async (
  db: Db,
  principal: Principal,
  { record, rows }: { record: store.ImportRecord; rows: readonly Applied[] },
  find: typeof findImported,
): Promise<ImportedEnrollments> => {
  const { campaign_id } = rulesOf(record);
  if (campaign_id === null) return { unclaimed: [], claimed: [] };
  const times = rows.flatMap((row) => {
    const at = enrolledAt(row);
    return at !== undefined && row.contact_id !== null ? [[row.contact_id, at] as const] : [];
  });
  return find(db, principal, campaign_id, new Map(times));
};

const hasWritten = ({ effect }: Applied): boolean => effect !== 'none';

const PREVIEW_STEP = 1_000;

/** What an undo would do now with the rows after a row. `next` is the last of these rows; null after the last one of the import. */
export const previewUndo = longRead(
  'previewUndo',
  async (db, principal: Principal, { id, after }: { id: string; after: number }) => {
    const { workspace, actor } = principal;
    const record = await findImport(db, { workspace }, id);
    assertMayUndo(principal, record);
    const until = await lastRowOfStep(db, { workspace, id, after }, PREVIEW_STEP);
    const all = until === undefined ? [] : await db.all(rowStore.nextToUndo, { workspace, id, after, until });
    const { unclaimed, claimed } = await enrollmentsOf(db, principal, { record, rows: all }, findImported);
    const rows = all.filter((row) => hasWritten(row) && !stays(row, claimed));
    const ids = rows.flatMap(({ contact_id }) => contact_id ?? []);
    const contacts = await unlockedContactsById(db, { workspace }, ids);
    const fields = await fieldsOfImport(db, principal, record);
    const unchanged = unchangedContacts({ record, fields, claimed }, rows, contacts);
    const edited = rows.filter(
      ({ number, contact_id }) => contacts.has(contact_id ?? '') && !unchanged.has(number),
    );
    const since = edited.map(({ contact_id, written_at }) => ({ id: contact_id, since: written_at }));
    const args = { workspace, contacts: JSON.stringify(since), actor };
    const byOthers = edited.length > 0 ? await db.all(changedByOthers, args) : [];
    const count = (effect: Effect) =>
      rows.filter((row) => row.effect === effect && unchanged.has(row.number)).length;
    const counts = {
      removed: count('created'),
      restored: count('updated'),
      edited_by_you: edited.length - byOthers.length,
      edited_by_others: byOthers.length,
      claimed: all.filter((row) => stays(row, claimed)).length,
      deleted: rows.length - unchanged.size - edited.length,
      unenrolled: unclaimed.length,
      still_enrolled: claimed.length,
    };
    return { counts, next: until ?? null };
  },
);

export type UndoPreview = Awaited<ReturnType<typeof previewUndo>>;

/** The contact with its values before the import. */
const restored = (
  { former, written_at }: Applied,
  contact: LockedContact,
  { definitions }: ImportFields,
): LockedContact => {
  const { facts, crm, fields: previous = {} } = JSON.parse(former ?? '{}') as PreviousFacts;
  // Another id may have been set since, which `updated_at` does not show.
  const isCurrent = crm && crmIdOf(contact.crm_ids, crm.name) === crm.after;
  const crm_ids = isCurrent ? withCrmId(contact.crm_ids, crm.name, crm.before) : contact.crm_ids;
  // An archived field takes no values, and those of a field that was erased must not come back in a new one with its key.
  const values = Object.entries(previous).filter(([key, value]) => {
    const field = definitions.get(key);
    if (!field || field.archived_at !== null) return false;
    return value === null || (field.created_at <= (written_at ?? '') && 'value' in readValue(field, value));
  });
  const fields = values.length > 0 ? withValues(contact.fields, Object.fromEntries(values)) : contact.fields;
  return changedRow(contact, { ...facts, crm_ids, fields });
};

export const undoStep = importStep('undoStep', 'undoing', async (db, step) => {
  const { principal, record, rows: next, isDone } = step;
  const all = await db.all(rowStore.nextToUndo, next);
  const ids = all.flatMap(({ contact_id }) => contact_id ?? []);
  const fields = await fieldsOfImport(db, principal, record, lockFields);
  const contacts = await contactsById(db, principal, ids);
  const { unclaimed, claimed } = await enrollmentsOf(db, principal, { record, rows: all }, removeImported);
  const rows = all.filter(hasWritten);
  const unchanged = unchangedContacts({ record, fields, claimed }, rows, contacts);
  const outcomes = rows.map((row) => {
    const contact = unchanged.get(row.number);
    const effect: Effect = !contact ? 'edited_since' : row.effect === 'created' ? 'removed' : 'restored';
    return { row, contact, effect };
  });
  const writes = outcomes.flatMap(({ row, contact: before, effect }) => {
    if (!before) return [];
    return effect === 'removed' ? [{ before }] : [{ before, after: restored(row, before, fields) }];
  });
  await writeContacts(db, principal, writes);
  await db.each(
    rowStore.recordOutcome,
    outcomes.map(({ row, effect }) => {
      const contact_id = effect === 'removed' ? null : row.contact_id;
      const key = { workspace_id: record.workspace_id, import_id: record.id };
      return { ...key, ...row, contact_id, former: null, effect };
    }),
  );
  const effects = [
    ...outcomes.map(({ effect }) => effect),
    ...unclaimed.map(() => 'unenrolled'),
    ...claimed.map(() => 'still_enrolled'),
  ];
  const former = [...rows.map(({ effect }) => effect), ...all.filter(enrolledAt).map(() => 'enrolled')];
  const totals = countChanges(record.totals, effects, former);
  // Those of contacts that were deleted since have no rows.
  return { totals: isDone ? JSON.stringify({ ...JSON.parse(totals), enrolled: undefined }) : totals };
});
