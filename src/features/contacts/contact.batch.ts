import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { ApiError, notFound, TransactionConflict } from '../../lib/errors.ts';
import { change, changedFields } from '../../records/change.ts';
import type { Principal } from '../workspaces/principal.ts';
import { atomicError, type BatchOperation, failed, type RowResult, type Target } from './batch.schema.ts';
import {
  deleteLocked,
  insertPlaced,
  type LockedContact,
  numberKey,
  type PlacedRow,
  placeRows,
  type RowChange,
  replaceRows,
  takenRows,
} from './contact.bulk.ts';
import { type ContactCreate, type ContactUpdate, profileTexts, type Source } from './contact.schema.ts';
import { contactId, mergeFields, newFacts, numberTaken } from './contact.service.ts';
import * as store from './contact.store.ts';

/** A contact that operations of a batch name: as it is stored, and as it will be after them. */
interface Draft {
  readonly stored: LockedContact | undefined;
  /** Undefined after a delete. */
  facts: store.RowFacts | undefined;
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
): Promise<LockedContact[]> => {
  const phones = new Set(operations.flatMap((each) => phoneOf(each) ?? []));
  const keys = JSON.stringify([...phones]);
  const owners = phones.size > 0 ? await db.all(store.idsOfIdentities, { workspace, keys }) : [];
  const ids = new Set([...owners.map(({ id }) => id), ...operations.flatMap((each) => idOf(each) ?? [])]);
  if (ids.size === 0) return [];
  return db.all(store.selectByIdsForUpdate, { workspace, keys: JSON.stringify([...ids]) });
};

/** The fields that an operation can change. */
const CHANGEABLE = ['phone_number', ...profileTexts, 'tags'] as const;

/** Executes operations one after another in memory. Only the last state of each contact is written. */
class Drafts {
  readonly all: Draft[] = [];
  readonly #byId = new Map<string, Draft>();
  readonly #byIdentity = new Map<string, Draft>();
  readonly #db: Db;
  readonly #principal: Principal;
  readonly #source: Source;

  constructor(db: Db, principal: Principal, source: Source, locked: readonly LockedContact[]) {
    this.#db = db;
    this.#principal = principal;
    this.#source = source;
    for (const stored of locked) this.#add(stored, stored);
  }

  execute(operation: BatchOperation): RowResult {
    if (operation.op === 'create') return this.#create(operation.fields);
    if (operation.op === 'upsert') {
      const { phone_number, ...fields } = operation.fields;
      const known = this.#byIdentity.get(phone_number);
      return known ? this.#update(known, fields) : this.#create(operation.fields);
    }
    const draft = this.#find(operation.target);
    return operation.op === 'update' ? this.#update(draft, operation.fields) : this.#delete(draft);
  }

  #add(stored: Draft['stored'], facts: store.RowFacts): void {
    const draft = { stored, facts };
    this.all.push(draft);
    this.#byId.set(facts.id, draft);
    if (facts.phone_identity !== null) this.#byIdentity.set(facts.phone_identity, draft);
  }

  #find(target: Target): Draft {
    const id = 'id' in target ? contactId.parse(target.id) : undefined;
    const found = 'id' in target ? this.#byId.get(id ?? '') : this.#byIdentity.get(target.phone);
    if (!found) throw notFound('contact');
    return found;
  }

  #assertFree(identity: string): void {
    const owner = this.#byIdentity.get(identity)?.facts;
    if (owner) throw numberTaken(owner.id);
  }

  #create(fields: ContactCreate): RowResult {
    this.#assertFree(fields.phone_number);
    const facts = newFacts(this.#principal.workspace, { source: this.#source, fields });
    this.#add(undefined, facts);
    change(this.#db, this.#principal, { action: 'contact.created', subject: facts.id });
    return { status: 'created', id: facts.id, error: null };
  }

  #update(draft: Draft, fields: ContactUpdate): RowResult {
    const before = draft.facts as store.RowFacts;
    const facts = mergeFields(before, fields);
    if (facts.phone_identity !== null && facts.phone_identity !== before.phone_identity) {
      this.#assertFree(facts.phone_identity);
      this.#byIdentity.delete(before.phone_identity ?? '');
      this.#byIdentity.set(facts.phone_identity, draft);
    }
    draft.facts = facts;
    const changed = { subject: facts.id, fields: changedFields(before, facts, CHANGEABLE) };
    change(this.#db, this.#principal, { action: 'contact.updated', ...changed });
    return { status: 'updated', id: facts.id, error: null };
  }

  #delete(draft: Draft): RowResult {
    const { id, phone_identity } = draft.facts as store.RowFacts;
    draft.facts = undefined;
    this.#byId.delete(id);
    this.#byIdentity.delete(phone_identity ?? '');
    change(this.#db, this.#principal, { action: 'contact.deleted', subject: id });
    return { status: 'deleted', id, error: null };
  }
}

const withoutStored = ({ seq: _, crm_ids: __, ...facts }: store.RowFacts & Partial<LockedContact>) => facts;

/** If a contact takes the number that another one of the batch gives up, all numbers are given up first: they are unique at
 *  every moment. */
const releaseNumbers = async (
  db: Db,
  moved: readonly RowChange[],
  created: readonly store.ContactRow[],
): Promise<void> => {
  const released = new Set(moved.map(({ before }) => before.phone_identity));
  const taking = [...moved.map(({ after }) => after), ...created];
  if (!taking.some(({ phone_identity }) => released.has(phone_identity))) return;
  await db.each(
    store.updateContactRow,
    moved.map(({ before }) => ({ ...before, phone_identity: null })),
  );
};

type NumberTaken = { readonly number: string } & (
  | { readonly moved: RowChange; readonly placed?: never }
  | { readonly placed: PlacedRow; readonly moved?: never }
);

const numbersTaken = () =>
  new TransactionConflict('Other requests are creating contacts with these numbers. Retry.');

/** Gives numbers to contacts, new ones and others, in the order of the numbers: a statement waits for another transaction that
 *  has given the same number, so all transactions follow one order. */
const giveNumbers = async (
  db: Db,
  principal: Principal,
  moved: readonly RowChange[],
  created: readonly store.ContactRow[],
): Promise<void> => {
  const placed = created.length > 0 ? await placeRows(db, principal.workspace, created) : [];
  const taken: NumberTaken[] = [
    ...moved.map((each) => ({ number: numberKey(each.after), moved: each })),
    ...placed.map((each) => ({ number: numberKey(each.row), placed: each })),
  ].sort((one, other) => (one.number < other.number ? -1 : 1));
  const after = [...moved.map((each) => each.after), ...created];
  if ((await takenRows(db, principal.workspace, after)).size > 0) throw numbersTaken();
  let inserted = 0;
  for (let from = 0; from < taken.length; ) {
    const isMove = taken[from]?.moved !== undefined;
    const end = taken.findIndex((each, at) => at > from && (each.moved !== undefined) !== isMove);
    const run = taken.slice(from, end === -1 ? undefined : end);
    if (isMove)
      await replaceRows(
        db,
        principal,
        run.flatMap((each) => each.moved ?? []),
      );
    else
      inserted += (
        await insertPlaced(
          db,
          principal,
          run.flatMap((each) => each.placed ?? []),
        )
      ).size;
    from += run.length;
  }
  if (inserted < created.length) throw numbersTaken();
};

const isMoved = ({ before, after }: RowChange) => before.phone_identity !== after.phone_identity;

/** Numbers are given before other contacts are changed: a transaction that inserts a number waits for one that changes its
 *  contact, but not for one that has only locked it. */
const writeDrafts = async (db: Db, principal: Principal, drafts: readonly Draft[]): Promise<void> => {
  const deleted = drafts.flatMap(({ stored, facts }) => (stored && !facts ? [stored] : []));
  const changed = drafts.flatMap(({ stored, facts }): RowChange[] =>
    stored && facts && facts !== stored ? [{ before: stored, after: store.rowOf(withoutStored(facts)) }] : [],
  );
  const moved = changed.filter(isMoved);
  const created = drafts.flatMap(({ stored, facts }) => (!stored && facts ? [store.rowOf(facts)] : []));
  const given = new Set([...moved.map(({ after }) => after), ...created].map(numberKey));
  const isGiven = (contact: LockedContact) => given.has(numberKey(contact));
  await deleteLocked(db, principal, deleted.filter(isGiven));
  await releaseNumbers(db, moved, created);
  await giveNumbers(db, principal, moved, created);
  await deleteLocked(
    db,
    principal,
    deleted.filter((contact) => !isGiven(contact)),
  );
  await replaceRows(
    db,
    principal,
    changed.filter((each) => !isMoved(each)),
  );
};

/** The route has checked everything else, so an invalid operation has an invalid new number. The message would contain it. */
const NUMBER_INVALID = failed({ code: 'VALIDATION_ERROR', message: '' });

export interface Batch {
  readonly source: Source;
  readonly atomic: boolean;
  readonly operations: readonly BatchOperation[];
}

/** Executes operations in their order, in one transaction. The results contain no personal data, because the answer to a
 *  request with an idempotency key is stored. */
export const batchContacts = write(
  'batchContacts',
  async (db: Db, principal: Principal, batch: Batch): Promise<{ results: RowResult[] }> => {
    const { source, atomic, operations } = batch;
    const locked = await lockNamed(db, principal.workspace, operations);
    const drafts = new Drafts(db, principal, source, locked);
    const failures: [number, ApiError][] = [];
    const results = operations.map((operation, index): RowResult => {
      try {
        return drafts.execute(operation);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        failures.push([index, error]);
        return error.code === 'VALIDATION_ERROR' ? NUMBER_INVALID : failed(error);
      }
    });
    if (atomic && failures.length > 0) throw atomicError(failures);
    await writeDrafts(db, principal, drafts.all);
    return { results };
  },
);
