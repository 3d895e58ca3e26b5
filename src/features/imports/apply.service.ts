import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import { ApiError, conflict, TransactionConflict } from '../../lib/errors.ts';
import type { Campaign } from '../campaigns/campaign.store.ts';
import { enrollImported, lockIfEnrollable } from '../campaigns/enrollment.imports.ts';
import { contactsOf } from '../contacts/contact.lookup.ts';
import { newRow } from '../contacts/contact.service.ts';
import { type ContactWrite, numberKey, writeContacts } from '../contacts/contact.write.ts';
import { lockFields } from '../fields/field.store.ts';
import { withValues } from '../fields/field.values.ts';
import type { Principal } from '../workspaces/principal.ts';
import { decide, enrolledAt, factsOf, type PreviousFacts, previousFactsJson, withChanges } from './decide.ts';
import { createFields, fieldsOfImport, withoutArchived } from './field.service.ts';
import type { ImportOptions } from './import.schema.ts';
import { campaignOf } from './import.service.ts';
import { importStep } from './import.step.ts';
import { rulesOf } from './import.view.ts';
import { assertState, lockImport, scheduleUndoExpiry, startJob } from './lifecycle.service.ts';
import { type Reading, rowReader } from './reading.ts';
import type { Outcome } from './row.store.ts';
import * as rowStore from './row.store.ts';
import { countChanges } from './totals.ts';

export const startApply = write('startApply', async (db, principal: Principal, { id }: { id: string }) => {
  const record = await lockImport(db, principal, id);
  assertState(record, ['planned'], 'applied');
  await campaignOf(db, principal, rulesOf(record)).catch((error: unknown) => {
    const isDeleted = error instanceof ApiError && error.code === 'NOT_FOUND';
    throw isDeleted
      ? conflict('The campaign of this import was deleted. Choose another one, or none.')
      : error;
  });
  await createFields(db, principal, record);
  return startJob(db, principal, record, 'applying');
});

const none = (number: number, contact_id: string | null = null): Outcome => ({
  number,
  effect: 'none',
  contact_id,
  former: null,
  written_at: null,
});

interface ReadRow {
  number: number;
  reading: Reading;
}

const changedMeanwhile = () =>
  new TransactionConflict('These numbers are being changed by other requests. Retry.');

const newContact = ({ workspace }: Principal, reading: Reading, crm: string | null) => {
  const { written: _, variables: __, crm_id, fields: values, ...fields } = reading;
  const crm_ids = JSON.stringify(crm === null || crm_id === null ? {} : { [crm]: crm_id });
  const row = newRow(workspace, { source: 'import', fields: { ...fields, crm_ids } });
  return values ? { ...row, fields: withValues('{}', values) } : row;
};

type ContactOf = Awaited<ReturnType<typeof contactsOf>>;

interface Applied {
  readonly outcomes: Outcome[];
  /** The numbers of rows that are invalid by now. They keep their contact, whose deletion erases them. */
  readonly refused: number[];
}

/** Decides each row again, since contacts may have changed after the plan. `contactOf` returns locked contacts. If another request has
 *  created a contact with one of the numbers since they were looked up, the transaction is retried: a second lookup could deadlock. */
const applyRows = async (
  db: Db,
  principal: Principal,
  { rows, contactOf, options }: { rows: readonly ReadRow[]; contactOf: ContactOf; options: ImportOptions },
): Promise<Applied> => {
  const outcomes: Outcome[] = [];
  const refused: number[] = [];
  const writes: ContactWrite[] = [];
  const { crm } = options;
  /** Contacts and numbers. Two legacy numbers can match the same contact; only the first row updates it. */
  const used = new Set<string>();
  for (const { number, reading } of rows) {
    const contact = contactOf(reading);
    const key = contact?.id ?? numberKey(reading);
    const { verdict, changes } = decide(contact && factsOf(contact, crm), reading, options);
    const isWanted = contact ? verdict === 'update' : reading.phone_identity !== null || options.legacy;
    if (verdict === 'invalid') refused.push(number);
    if (verdict === 'invalid' || used.has(key) || !isWanted) {
      outcomes.push(none(number, contact?.id ?? null));
      continue;
    }
    used.add(key);
    const write = contact
      ? withChanges(contact, changes, crm)
      : { after: newContact(principal, reading, crm) };
    const { id: contact_id, updated_at: written_at } = write.after;
    const former = contact ? previousFactsJson(contact, changes, crm) : null;
    outcomes.push({ number, effect: contact ? 'updated' : 'created', contact_id, former, written_at });
    writes.push(write);
  }
  await writeContacts(db, principal, writes);
  return { outcomes, refused };
};

/** Enrolls the contacts of applied rows in the campaign of the import, and notes new enrollments for an undo. */
const enrollRows = async (
  db: Db,
  principal: Principal,
  campaign: Campaign,
  { rows, outcomes, refused }: Applied & { rows: readonly ReadRow[] },
): Promise<Outcome[]> => {
  const variables = new Map(rows.map(({ number, reading }) => [number, reading.variables ?? {}]));
  const contacts = outcomes.flatMap(({ number, contact_id }) =>
    contact_id === null || refused.includes(number)
      ? []
      : [[contact_id, variables.get(number) ?? {}] as const],
  );
  const enrolled = await enrollImported(db, principal, campaign, new Map(contacts));
  return outcomes.map((outcome) => {
    const at = enrolled.get(outcome.contact_id ?? '');
    if (at === undefined || refused.includes(outcome.number)) return outcome;
    enrolled.delete(outcome.contact_id ?? '');
    const former: PreviousFacts = { facts: {}, ...JSON.parse(outcome.former ?? '{}'), enrolled: at };
    return { ...outcome, former: JSON.stringify(former) };
  });
};

/** Applies the next rows of an import and records its progress, in one transaction. */
export const applyStep = importStep(
  'applyStep',
  'applying',
  async (db, { principal, record, rows: next, isDone }) => {
    const { campaign_id } = rulesOf(record);
    // Locked before contacts and their fields (see the lock order).
    const campaign = campaign_id === null ? undefined : await lockIfEnrollable(db, principal, campaign_id);
    const fields = withoutArchived(await fieldsOfImport(db, principal, record, lockFields));
    const { options, reread } = rowReader(record, fields);
    const planned = await db.all(rowStore.nextToApply, next);
    const read = planned.map((row) => ({ number: row.number, reading: reread(row) }));
    const readings = read.flatMap(({ reading }) => reading ?? []);
    const contactOf = await contactsOf(db, principal, readings);
    // A contact that was deleted while this waited for its lock must not be created again: its row is erased by now.
    const erased = new Set((await db.all(rowStore.erasedRows, next)).map(({ number }) => number));
    const isLeft = (row: { number: number; reading: Reading | null }): row is ReadRow =>
      row.reading !== null && !erased.has(row.number);
    const rows = read.filter(isLeft);
    const applied = await applyRows(db, principal, { rows, contactOf, options });
    const outcomes = campaign
      ? await enrollRows(db, principal, campaign, { rows, ...applied })
      : applied.outcomes;
    const save = (statement: typeof rowStore.recordOutcome, some: readonly Outcome[]) =>
      db.each(
        statement,
        some.map((outcome) => ({ workspace_id: record.workspace_id, import_id: record.id, ...outcome })),
      );
    if ((await save(rowStore.recordOutcomeUnlessErased, outcomes)).includes(0)) throw changedMeanwhile();
    const skipped = read.filter((row) => !isLeft(row)).map(({ number }) => none(number));
    await save(rowStore.recordOutcome, skipped);
    if (isDone) await scheduleUndoExpiry(db, principal.workspace, record.id);
    const effects = [...outcomes, ...skipped].map(({ effect }) => effect);
    const enrolled = campaign ? outcomes.filter(enrolledAt).map(() => 'enrolled') : [];
    const totals = countChanges(record.totals, [...effects, ...enrolled]);
    return { totals, ...(isDone && { applied_at: timestamp() }) };
  },
);
