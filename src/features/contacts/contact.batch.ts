import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { type ApiError, attempt, notFound } from '../../lib/errors.ts';
import { change } from '../../records/change.ts';
import { fieldsFor } from '../fields/field.store.ts';
import type { Definitions } from '../fields/field.values.ts';
import type { Principal } from '../workspaces/principal.ts';
import { atomicError, type BatchOperation, failed, type RowResult, type Target } from './batch.schema.ts';
import { namesOfChanges } from './contact.derived.ts';
import type { ContactCreate, ContactUpdate, Source } from './contact.schema.ts';
import { contactId, mergeFields, newRow, numberTaken } from './contact.service.ts';
import * as store from './contact.store.ts';
import { writeContacts } from './contact.write.ts';

/** A contact that operations of a batch name: as it is stored, and as it will be after them. */
interface Draft {
  readonly stored: store.StoredContact | undefined;
  /** Undefined after a delete. */
  row: store.ContactRow | undefined;
}

const phoneOf = (operation: BatchOperation): string | undefined => {
  if (operation.op === 'create' || operation.op === 'upsert') return operation.fields.phone_number;
  if ('phone' in operation.target) return operation.target.phone;
  return operation.op === 'update' ? operation.fields.phone_number : undefined;
};

const idOf = (operation: BatchOperation): string | undefined =>
  'target' in operation && 'id' in operation.target ? contactId.parse(operation.target.id) : undefined;

/** Locks all contacts that the operations name, in one statement and in the order of their ids. */
const lockNamed = async (
  db: Db,
  workspace: number,
  operations: readonly BatchOperation[],
): Promise<store.StoredContact[]> => {
  const phones = new Set(operations.flatMap((each) => phoneOf(each) ?? []));
  const keys = JSON.stringify([...phones]);
  const owners = phones.size > 0 ? await db.all(store.idsOfIdentities, { workspace, keys }) : [];
  const ids = new Set([...owners.map(({ id }) => id), ...operations.flatMap((each) => idOf(each) ?? [])]);
  if (ids.size === 0) return [];
  return db.all(store.selectByIdsForUpdate, { workspace, keys: JSON.stringify([...ids]) });
};

/** Executes operations one after another in memory, on the contacts that are locked and on new ones. Only the last state of each is
 *  written. */
const draftsOf = (
  db: Db,
  principal: Principal,
  { source, definitions }: { source: Source; definitions: Definitions },
  locked: readonly store.StoredContact[],
) => {
  const all: Draft[] = [];
  const byId = new Map<string, Draft>();
  const byIdentity = new Map<string, Draft>();

  const add = (stored: Draft['stored'], row: store.ContactRow): void => {
    const draft = { stored, row };
    all.push(draft);
    byId.set(row.id, draft);
    if (row.phone_identity !== null) byIdentity.set(row.phone_identity, draft);
  };
  for (const stored of locked) add(stored, stored);

  const find = (target: Target): Draft => {
    const found = 'id' in target ? byId.get(contactId.parse(target.id) ?? '') : byIdentity.get(target.phone);
    if (!found) throw notFound('contact');
    return found;
  };

  const assertFree = (identity: string): void => {
    const owner = byIdentity.get(identity)?.row;
    if (owner) throw numberTaken(owner.id);
  };

  const create = (fields: ContactCreate): RowResult => {
    assertFree(fields.phone_number);
    const row = newRow(principal.workspace, { source, fields }, definitions);
    add(undefined, row);
    change(db, principal, { action: 'contact.created', subject: row.id });
    return { status: 'created', id: row.id, error: null };
  };

  const update = (draft: Draft, fields: ContactUpdate): RowResult => {
    const before = draft.row as store.ContactRow;
    const row = mergeFields(before, fields, definitions);
    if (row.phone_identity !== null && row.phone_identity !== before.phone_identity) {
      assertFree(row.phone_identity);
      byIdentity.delete(before.phone_identity ?? '');
      byIdentity.set(row.phone_identity, draft);
    }
    draft.row = row;
    const changed = { subject: row.id, fields: namesOfChanges(before, row) };
    change(db, principal, { action: 'contact.updated', ...changed });
    return { status: 'updated', id: row.id, error: null };
  };

  const remove = (draft: Draft): RowResult => {
    const { id, phone_identity } = draft.row as store.ContactRow;
    draft.row = undefined;
    byId.delete(id);
    byIdentity.delete(phone_identity ?? '');
    change(db, principal, { action: 'contact.deleted', subject: id });
    return { status: 'deleted', id, error: null };
  };

  const execute = (operation: BatchOperation): RowResult => {
    if (operation.op === 'create') return create(operation.fields);
    if (operation.op === 'upsert') {
      const { phone_number, ...fields } = operation.fields;
      const known = byIdentity.get(phone_number);
      return known ? update(known, fields) : create(operation.fields);
    }
    const draft = find(operation.target);
    return operation.op === 'update' ? update(draft, operation.fields) : remove(draft);
  };
  return { all, execute };
};

/** The route has checked everything else, so an invalid operation has invalid values of fields, or an invalid new number, which the
 *  message would contain. */
const NUMBER_INVALID = failed({ code: 'VALIDATION_ERROR', message: '' });
const isNumberInvalid = ({ code, details }: ApiError) =>
  code === 'VALIDATION_ERROR' && Array.isArray(details) && details[0]?.field === 'phone_number';

export interface Batch {
  readonly source: Source;
  readonly atomic: boolean;
  readonly operations: readonly BatchOperation[];
}

/** Executes operations in their order, in one transaction. The results contain no personal data, because the answer to a
 *  request with an idempotency key is stored. */
export const batchContacts = write('batchContacts', async (db, principal: Principal, batch: Batch) => {
  const { source, atomic, operations } = batch;
  const sent = operations.flatMap((each) => ('fields' in each ? [each.fields] : []));
  const definitions = await fieldsFor(db, principal, sent);
  const locked = await lockNamed(db, principal.workspace, operations);
  const drafts = draftsOf(db, principal, { source, definitions }, locked);
  const failures: [number, ApiError][] = [];
  const results = operations.map((operation, index): RowResult => {
    const done = attempt(() => drafts.execute(operation));
    if ('value' in done) return done.value;
    failures.push([index, done.error]);
    return isNumberInvalid(done.error) ? NUMBER_INVALID : failed(done.error);
  });
  if (atomic && failures.length > 0) throw atomicError(failures);
  const writes = drafts.all.flatMap(({ stored, row }) =>
    stored === row ? [] : [{ ...(stored && { before: stored }), ...(row && { after: row }) }],
  );
  await writeContacts(db, principal, writes);
  return { results };
});
