import { readCounter } from '../../db/counters.ts';
import type { Db } from '../../db/db.ts';
import { read, write } from '../../db/operation.ts';
import { cancelJob, scheduleJob } from '../../jobs/job.service.ts';
import { cascade } from '../../lib/cascade.ts';
import { inDays, timestamp, timestampAfter } from '../../lib/clock.ts';
import {
  conflict,
  invalid,
  invalidField,
  notFound,
  type Problem,
  TransactionConflict,
} from '../../lib/errors.ts';
import { change, changedFields } from '../../records/change.ts';
import type { Principal } from '../workspaces/principal.ts';
import { type FieldCreate, type FieldUpdate, MAX_FIELDS, MAX_FILTERABLE } from './field.schema.ts';
import * as store from './field.store.ts';
import { type FieldDefinition, fieldCounter } from './field.values.ts';

/* The fields that a workspace defines for its contacts. Writes of values lock the definitions until they end (`fieldsFor`), so a change
 * here is seen by every later write, and by no earlier one. */

export const INDEXING = 'field.indexing';
export const ERASING = 'field.erasing';

/** Names that a contact, a request or an instruction uses for something else. `constructor` is a member of every JavaScript object. */
export const reservedKeys: ReadonlySet<string> = new Set([
  ...['id', 'phone_number', 'first_name', 'last_name', 'display_name', 'email', 'company', 'notes', 'tags'],
  ...['source', 'first_contact_at', 'last_contact_at', 'created_at', 'updated_at', 'crm_ids', 'fields'],
  ...['identities', 'confirm_phone_change', 'normalized_phone', 'name', 'tag', 'contact', 'variables'],
  ...['phone_country', 'has_email', 'has_name', 'in_campaign', 'campaign', 'called', 'last_activity_at'],
  ...['call_status', 'import', 'constructor'],
]);

/** A field as the API shows it. */
export type Field = Omit<FieldDefinition, 'indexed' | 'options'> & { options?: readonly string[] };

export const fieldOf = (row: store.FieldRow): Field => {
  const { key, label, type, options, filterable, archived_at, created_at, updated_at } =
    store.definitionOf(row);
  return { key, label, type, ...(options && { options }), filterable, archived_at, created_at, updated_at };
};

/** All fields, in the order of their creation. */
export const listFields = read('listFields', async (db, { workspace }: Principal) =>
  (await db.all(store.listFieldRows, { workspace })).map(fieldOf),
);

export const getField = read('getField', async (db, { workspace }: Principal, { key }: { key: string }) => {
  const found = await db.get(store.findField, { workspace, key });
  if (!found) throw notFound('field');
  return fieldOf(found);
});

/** Locks a field, also against the jobs that walk contacts for it, and all other definitions. */
const lockField = async (db: Db, { workspace }: Principal, key: string) => {
  const all = await store.lockDefinitions(db, workspace);
  const before = await db.get(store.selectFieldForUpdate, { workspace, key });
  if (!before) throw notFound('field');
  return { all, before };
};

const assertFilterable = (all: readonly store.FieldRow[]) => {
  if (all.filter((each) => each.filterable === 1).length < MAX_FILTERABLE) return;
  throw conflict(
    `A workspace can have ${MAX_FILTERABLE} filterable fields. Set filterable to false for another one first.`,
  );
};

const assertNew = (all: readonly store.FieldRow[], key: string) => {
  if (reservedKeys.has(key)) throw conflict(`${key} is a name that Roster uses. Choose another key.`);
  const existing = all.find((each) => each.key === key);
  if (existing) {
    if (existing.erased_by !== null)
      throw conflict(
        `The values of the field ${key} are being erased. Try again later, or choose another key.`,
      );
    const hint = existing.archived_at === null ? 'Use it' : 'It is archived: unarchive it';
    throw conflict(`A field with the key ${key} exists. ${hint}, or choose another key.`);
  }
  if (all.length >= MAX_FIELDS)
    throw conflict(`A workspace can have ${MAX_FIELDS} fields, archived ones included. Erase one first.`);
};

export const createField = write('createField', async (db, principal: Principal, input: FieldCreate) => {
  const { key, label, type, options, filterable = false } = input;
  const { workspace } = principal;
  const all = await store.lockDefinitions(db, workspace);
  assertNew(all, key);
  if (filterable) assertFilterable(all);
  const latest = all.at(-1)?.created_at ?? '';
  // Lists show fields in the order of their creation, also those of one import. A creation time from a clock that was ahead is ignored.
  const now = latest < inDays(0, Date.now() + 1_000) ? timestampAfter(latest) : timestamp();
  // No contact has a value yet, so the index is complete.
  const row: store.FieldRow = {
    workspace_id: workspace,
    key,
    label,
    type,
    options: options ? JSON.stringify(options) : null,
    filterable: filterable ? 1 : 0,
    indexed: filterable ? 1 : 0,
    walked_until: 0,
    erased_by: null,
    archived_at: null,
    created_at: now,
    updated_at: now,
  };
  await db.run(store.insertField, row);
  change(db, principal, { action: 'field.created', subject: key });
  return fieldOf(row);
});

const optionsProblem = ({ type, options }: FieldDefinition, sent: readonly string[]): string | undefined => {
  if (type !== 'enum') return 'must be omitted: only an enum has options.';
  const missing = options?.filter((each) => !sent.includes(each)) ?? [];
  return missing.length > 0
    ? `must contain the existing options, because contacts may have them: ${missing.join(', ')}.`
    : undefined;
};

const updateProblems = (field: FieldDefinition, update: FieldUpdate): Problem[] => {
  const constant = (name: 'key' | 'type', hint = '') => {
    const isChanged = update[name] !== undefined && update[name] !== field[name];
    return isChanged ? `never changes: send ${field[name]}, or omit it.${hint}` : undefined;
  };
  const problems = {
    key: constant('key'),
    type: constant('type', ' Create another field instead.'),
    options: update.options && optionsProblem(field, update.options),
  };
  return Object.entries(problems).flatMap(([name, message]) => (message ? [{ field: name, message }] : []));
};

/** Effects of an archived field that is restored. */
export const fieldRestoration = cascade<[Db, Principal]>();

/** Checks that refuse to archive or delete a field, and to make it unfilterable, while another feature uses its key. */
export const fieldRemoval = cascade<[Db, Principal, string]>();

/** Runs when the values of a field have been erased from all contacts. */
export const fieldErasure = cascade<[Db, Principal, string]>();
export const filterRemoval = cascade<[Db, Principal, string]>();

export const updateField = write(
  'updateField',
  async (db, principal: Principal, { field: name, update }: { field: string; update: FieldUpdate }) => {
    const { archived_at } = await getField(db, principal, { key: name });
    // It locks campaigns, which come before fields in the lock order.
    if (update.archived === false && archived_at !== null) await fieldRestoration.run(db, principal);
    const { all, before } = await lockField(db, principal, name);
    if (before.archived_at !== archived_at)
      throw new TransactionConflict('Another request changed this field. Retry.');
    const problems = updateProblems(store.definitionOf(before), update);
    if (problems.length > 0) throw invalid(problems);
    if (before.erased_by !== null) throw conflict('The values of this field are being erased.');
    const { label = before.label, options, filterable = before.filterable === 1, archived } = update;
    const isSwitched = filterable !== (before.filterable === 1);
    if (isSwitched && filterable) assertFilterable(all);
    else if (isSwitched) await filterRemoval.run(db, principal, name);
    if (archived && before.archived_at === null) await fieldRemoval.run(db, principal, name);
    // A job indexes the values, or deletes their index entries.
    if (isSwitched) await scheduleJob(db, { workspace: before.workspace_id, kind: INDEXING, subject: name });
    const updated_at = timestampAfter(before.updated_at);
    const next = {
      ...before,
      label,
      options: options ? JSON.stringify(options) : before.options,
      ...(isSwitched && { filterable: filterable ? 1 : 0, indexed: 0, walked_until: 0 }),
      archived_at:
        archived === undefined ? before.archived_at : archived ? (before.archived_at ?? updated_at) : null,
      updated_at,
    };
    const fields = changedFields(before, next, ['label', 'options', 'filterable', 'archived_at']);
    if (fields.length === 0) return fieldOf(before);
    await db.run(store.updateFieldRow, next);
    const values = { before: fieldOf(before), after: fieldOf(next) };
    change(db, principal, { action: 'field.updated', subject: before.key, fields, values });
    return fieldOf(next);
  },
);

/** Deletes a field that no contact has a value of. Otherwise archives it or, if it is archived and `erase` is set, erases its values in
 *  the background. */
export const deleteField = write(
  'deleteField',
  async (db, principal: Principal, { key, erase }: { key: string; erase?: string | undefined }) => {
    const { workspace } = principal;
    const { before } = await lockField(db, principal, key);
    await fieldRemoval.run(db, principal, key);
    const contacts = Number(await readCounter(db, workspace, fieldCounter(before)));
    if (contacts === 0) {
      await cancelJob(db, { workspace, kind: INDEXING, subject: key });
      await db.run(store.deleteFieldRow, { workspace, key });
      change(db, principal, { action: 'field.deleted', subject: key });
      return { deleted: true, archived: false, contacts };
    }
    const archived = { deleted: false, archived: true, contacts };
    const updated_at = timestampAfter(before.updated_at);
    if (before.archived_at === null) {
      if (erase === 'true')
        throw invalidField(
          'erase',
          'is only for an archived field. Send DELETE without it first, which archives the field.',
        );
      await db.run(store.updateFieldRow, { ...before, archived_at: updated_at, updated_at });
      change(db, principal, { action: 'field.updated', subject: key, fields: ['archived_at'] });
    } else if (erase === 'true' && before.erased_by === null) {
      const next = { filterable: 0, indexed: 0, walked_until: 0, erased_by: principal.actor, updated_at };
      await db.run(store.updateFieldRow, { ...before, ...next });
      await cancelJob(db, { workspace, kind: INDEXING, subject: key });
      await scheduleJob(db, { workspace, kind: ERASING, subject: key });
      change(db, principal, { action: 'field.deleted', subject: key, counts: { contacts } });
    }
    return archived;
  },
);
