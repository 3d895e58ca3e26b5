import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { type ApiError, attempt, notFound } from '../../lib/errors.ts';
import { change } from '../../records/change.ts';
import { fieldsFor } from '../fields/field.store.ts';
import type { Definitions } from '../fields/field.values.ts';
import type { Principal } from '../workspaces/principal.ts';
import { atomicError, type BatchOperation, failed, type RowResult, type Target } from './batch.schema.ts';
import { namesOfChanges } from './contact.derived.ts';
import { lockByNumbers } from './contact.holder.ts';
import { missingContact } from './contact.merged.ts';
import type { ContactCreate, ContactUpdate, Source } from './contact.schema.ts';
import { contactId, mergeFields, newRow, numberTaken } from './contact.service.ts';
import type * as store from './contact.store.ts';
import { writeContacts } from './contact.write.ts';
import { phonesOf } from './identity.column.ts';

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

/** Locks all contacts that the operations name. */
const lockNamed = (db: Db, workspace: number, operations: readonly BatchOperation[]) =>
  lockByNumbers(db, workspace, {
    numbers: [...new Set(operations.flatMap((each) => phoneOf(each) ?? []))],
    ids: operations.flatMap((each) => idOf(each) ?? []),
  });

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
    for (const phone of phonesOf(row)) byIdentity.set(phone, draft);
  };
  for (const stored of locked) add(stored, stored);

  const find = (target: Target): Draft => {
    const found = 'id' in target ? byId.get(contactId.parse(target.id) ?? '') : byIdentity.get(target.phone);
    if (!found) throw notFound('contact');
    return found;
  };

  const assertFree = (identity: string, id?: string): void => {
    const owner = byIdentity.get(identity)?.row;
    if (owner && owner.id !== id) throw numberTaken(owner.id);
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
      assertFree(row.phone_identity, row.id);
      byIdentity.delete(before.phone_identity ?? '');
      byIdentity.set(row.phone_identity, draft);
    }
    draft.row = row;
    const changed = { subject: row.id, fields: namesOfChanges(before, row) };
    change(db, principal, { action: 'contact.updated', ...changed });
    return { status: 'updated', id: row.id, error: null };
  };

  const remove = (draft: Draft): RowResult => {
    const { id, ...row } = draft.row as store.ContactRow;
    draft.row = undefined;
    byId.delete(id);
    for (const phone of phonesOf(row)) byIdentity.delete(phone);
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
  for (const failure of failures) {
    const id = idOf(operations[failure[0]] as BatchOperation);
    if (failure[1].code !== 'NOT_FOUND' || id === undefined) continue;
    failure[1] = await missingContact(db, principal, id);
    results[failure[0]] = failed(failure[1]);
  }
  if (atomic && failures.length > 0) throw atomicError(failures);
  const writes = drafts.all.flatMap(({ stored, row }) =>
    stored === row ? [] : [{ ...(stored && { before: stored }), ...(row && { after: row }) }],
  );
  await writeContacts(db, principal, writes);
  return { results };
});
