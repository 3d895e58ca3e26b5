import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import type { JobRow } from '../../jobs/job.service.ts';
import { timestamp } from '../../lib/clock.ts';
import { TransactionConflict } from '../../lib/errors.ts';
import { recordAndGetSeq } from '../audit/audit.service.ts';
import {
  contactsOf,
  type FactChange,
  freeContactsOf,
  insertContacts,
  replaceFacts,
} from '../contacts/contact.bulk.ts';
import type { Principal } from '../workspaces/principal.ts';
import { columnIndexes } from './csv/mapping.ts';
import { decide, factsOf, formerOf } from './decide.ts';
import type { Effect, ImportOptions } from './import.schema.ts';
import * as store from './import.store.ts';
import {
  assertState,
  endStep,
  lockImport,
  scheduleUndoExpiry,
  startWork,
  windowOf,
} from './lifecycle.service.ts';
import { type Reading, readAgain } from './reading.ts';
import { countChanges } from './totals.ts';

export const startApply = write(
  'startApply',
  async (db: Db, principal: Principal, { id }: { id: string }): Promise<void> => {
    const record = await lockImport(db, principal, id);
    assertState(record, ['planned'], 'applied');
    const entry = await recordAndGetSeq(db, principal, { action: 'import.applied', subject: id, counts: {} });
    await startWork(db, { ...record, entry }, 'applying');
  },
);

/** What became of a row. */
interface Outcome {
  number: number;
  effect: Effect;
  contact_id: string | null;
  former: string | null;
  written_at: string | null;
}

const none = (number: number, contact_id: string | null = null): Outcome => ({
  number,
  effect: 'none',
  contact_id,
  former: null,
  written_at: null,
});

const numberOf = ({ number }: { number: number }): number => number;

interface ReadRow {
  number: number;
  reading: Reading;
}

const changedMeanwhile = () =>
  new TransactionConflict('These numbers are being changed by other requests. Retry.');

type ContactOf = Awaited<ReturnType<typeof contactsOf>>;

/** Applies rows to what is stored at this moment, which may not be what it was when they were planned. The contacts that
 *  have their numbers are locked. */
const applyRows = async (
  db: Db,
  principal: Principal,
  { rows, contactOf, options }: { rows: readonly ReadRow[]; contactOf: ContactOf; options: ImportOptions },
): Promise<{ outcomes: Outcome[]; taken: ReadRow[] }> => {
  const outcomes: Outcome[] = [];
  const created: ReadRow[] = [];
  const changed: (FactChange & { number: number })[] = [];
  /** Two legacy numbers can lead to one contact; the first of them has it. */
  const used = new Set<string>();
  for (const row of rows) {
    const held = contactOf(row.reading);
    const { verdict, changes } = decide(held && factsOf(held), row.reading, options);
    if (held && verdict === 'update' && !used.has(held.id)) {
      used.add(held.id);
      changed.push({ number: row.number, held, changes });
    } else if (held) outcomes.push(none(row.number, held.id));
    else if (row.reading.phone_identity === null && !options.legacy) outcomes.push(none(row.number));
    else created.push(row);
  }
  const now = timestamp();
  const facts = created.map(({ reading: { written: _, ...rest } }) => rest);
  const ids = await insertContacts(db, principal, { facts, source: 'import', now });
  const taken: ReadRow[] = [];
  for (const [at, row] of created.entries()) {
    const contact_id = ids[at];
    if (contact_id) outcomes.push({ ...none(row.number, contact_id), effect: 'created', written_at: now });
    else taken.push(row);
  }
  const times = await replaceFacts(db, principal, changed);
  for (const [at, { number, held, changes }] of changed.entries()) {
    const former = formerOf(held, changes);
    outcomes.push({ number, effect: 'updated', contact_id: held.id, former, written_at: times[at] ?? null });
  }
  return { outcomes, taken };
};

/** Applies rows whose numbers other requests took after the first look. To wait for a lock now could deadlock: contacts
 *  that are locked make the transaction start again. */
const applyTaken = async (
  db: Db,
  principal: Principal,
  { rows, options }: { rows: readonly ReadRow[]; options: ImportOptions },
): Promise<Outcome[]> => {
  if (rows.length === 0) return [];
  const contactOf = await freeContactsOf(
    db,
    principal,
    rows.map(({ reading }) => reading),
  );
  const { outcomes, taken } = await applyRows(db, principal, { rows, contactOf, options });
  if (taken.length > 0) throw changedMeanwhile();
  return outcomes;
};

/** One step of applying: some rows, and how far it got, in one transaction. */
export const applyStep = write(
  'applyStep',
  async (db: Db, _: null, { job, size }: { job: JobRow; size: number }): Promise<boolean> => {
    const principal: Principal = { workspace: job.workspace_id, actor: job.subject };
    const { workspace } = principal;
    const record = await lockImport(db, principal, job.subject);
    const key = { workspace, id: record.id };
    const options = JSON.parse(record.options) as ImportOptions;
    const places = columnIndexes(JSON.parse(record.columns));
    const { until, isDone } = await windowOf(db, record, size);
    const planned = await db.all(store.nextToApply, { ...key, after: record.progress, until });
    const read = planned.map((row) => ({ number: row.number, reading: readAgain(row, places, options) }));
    const readings = read.flatMap(({ reading }) => reading ?? []);
    const contactOf = await contactsOf(db, principal, readings);
    // A contact that was deleted while we waited for its lock must not come back: its row is empty now.
    const emptied = new Set(
      (await db.all(store.emptyRows, { ...key, after: record.progress, until })).map(numberOf),
    );
    const isLeft = (row: { number: number; reading: Reading | null }): row is ReadRow =>
      row.reading !== null && !emptied.has(row.number);
    const rows = read.filter(isLeft);
    const { outcomes, taken } = await applyRows(db, principal, { rows, contactOf, options });
    outcomes.push(...(await applyTaken(db, principal, { rows: taken, options })));
    const settle = (statement: typeof store.settleRow, some: readonly Outcome[]) =>
      db.each(
        statement,
        some.map((outcome) => ({ ...key, ...outcome })),
      );
    if ((await settle(store.settleRead, outcomes)).includes(0)) throw changedMeanwhile();
    const forgotten = read.filter((row) => !isLeft(row)).map(({ number }) => none(number));
    await settle(store.settleRow, forgotten);
    if (isDone) await scheduleUndoExpiry(db, workspace, record.id);
    const effects = [...outcomes, ...forgotten].map(({ effect }) => effect);
    return endStep(db, job, record, {
      isDone,
      totals: countChanges(record.totals, effects),
      progress: until,
      ...(isDone && { state: 'applied', applied_at: timestamp() }),
    });
  },
);
