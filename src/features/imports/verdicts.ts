import type { Db } from '../../db/db.ts';
import type { Statement } from '../../db/statement.ts';
import { type Problem, TransactionConflict } from '../../lib/errors.ts';
import { contactsOf, type LockedContact } from '../contacts/contact.lookup.ts';
import { MAX_TAGS } from '../contacts/contact.schema.ts';
import { numberKey } from '../contacts/contact.write.ts';
import type { Principal } from '../workspaces/principal.ts';
import { decide, factsOf } from './decide.ts';
import { fieldsOfImport } from './field.service.ts';
import type { Reason, Verdict } from './import.schema.ts';
import type { ImportRecord } from './import.store.ts';
import { addedValues, fillFrom, type MergedValues } from './merge.ts';
import { type Reading, reasonOf, rowReader } from './reading.ts';
import * as rowStore from './row.store.ts';
import { countChanges } from './totals.ts';
import type { ReadRow } from './worker/requests.ts';

type Planned = rowStore.Planned;

/** The columns of a verdict, without what only the row of a contact has. */
const verdictOf = (verdict: Verdict, problem: Problem | null | undefined, code: Reason | null) => ({
  verdict,
  field: problem?.field ?? null,
  reason: problem?.message ?? null,
  code,
  warnings: null,
  contact_id: null,
  merged: null,
  crm_id: null,
});

const asDuplicate = (message: string) =>
  verdictOf('duplicate_in_file', { field: 'phone_number', message }, 'duplicate_in_file');

/** The row that is to be imported among those with one number. */
interface Imported {
  row: Planned;
  /** What the row is read as; unknown for a row of an earlier batch until it is needed. */
  reading: Reading | null;
  /** The row as it is stored; null for a row of this batch. */
  stored: Planned | null;
}

const sameNumber = ({ row }: Imported): string => `Same number as line ${row.line}.`;

/** Returns a function that finds the earlier rows that are to be imported, by values of a column. It finds a row by several columns as one
 *  object. */
const earlierRows = (db: Db, earlier: { workspace: number; id: string; before: number }) => {
  const known = new Map<number, Imported>();
  return async (
    find: typeof rowStore.importedByIdentity,
    values: (string | null | undefined)[],
  ): Promise<Map<string, Imported>> => {
    const keys = JSON.stringify([...new Set(values.filter((value) => value != null))]);
    const found = keys === '[]' ? [] : await db.all(find, { ...earlier, keys });
    return new Map(
      found.map(({ key, ...row }) => {
        const imported = known.get(row.number) ?? { row, reading: null, stored: row };
        known.set(row.number, imported);
        return [key, imported];
      }),
    );
  };
};

/** Gives each row of a batch its verdict, which depends on the stored contacts and the earlier rows of the file. */
const assignVerdicts = async (
  db: Db,
  principal: Principal,
  record: ImportRecord,
  rows: readonly ReadRow[],
) => {
  const { workspace } = principal;
  const { id } = record;
  const { options, reread } = rowReader(record, await fieldsOfImport(db, principal, record));
  const { crm, on_duplicate } = options;
  const readings = rows.flatMap((row) => row.reading ?? row.fallback ?? []);
  const contactOf = await contactsOf(db, principal, readings);
  const earlierBy = earlierRows(db, { workspace, id, before: rows[0]?.number ?? 0 });
  const byNumber = await earlierBy(rowStore.importedByIdentity, readings.map(numberKey));
  const ids = readings.map((reading) => contactOf(reading)?.id);
  const byContact = await earlierBy(rowStore.importedByContact, ids);
  const crmIds = readings.map(({ crm_id }) => crm_id);
  const byCrmId = await earlierBy(rowStore.importedByCrmId, crmIds);
  /** Stored rows of earlier batches whose verdict depends on a later row of the same number. */
  const revised = new Map<number, { before: Planned; after: Planned }>();

  const judge = (reading: Reading, contact: LockedContact | undefined, known: readonly Problem[]) => {
    const { verdict, problem } = decide(contact && factsOf(contact, crm), reading, options);
    const contact_id = contact?.id ?? null;
    if (verdict === 'invalid')
      return { ...verdictOf(verdict, problem, problem ? codeOf(problem) : null), contact_id };
    // A merge finds the problem of an earlier judgement again.
    const others = known.filter(({ field }) => field !== problem?.field);
    const warnings = problem ? [...others, problem] : others;
    const code = warnings[0] ? codeOf(warnings[0]) : null;
    return {
      ...verdictOf(verdict, null, code),
      warnings: warnings.length > 0 ? JSON.stringify(warnings) : null,
      contact_id,
    };
  };

  const revise = (earlier: Imported, changes: Partial<Planned>) => {
    Object.assign(earlier, {
      row: Object.assign(earlier.stored ? { ...earlier.row } : earlier.row, changes),
    });
    if (earlier.stored) revised.set(earlier.row.number, { before: earlier.stored, after: earlier.row });
  };

  /** Adds the values of a later row to the row that is to be imported, and returns what the later row says. */
  const merge = (target: Imported, reading: Reading): string => {
    const { row } = target;
    const own = target.reading ?? reread(row);
    if (!own) return sameNumber(target);
    const added = addedValues(own, reading);
    const omitted: string[] = [];
    if (own.tags.length + added.tags.length > MAX_TAGS) {
      added.tags = [];
      omitted.push(`its tags (the maximum is ${MAX_TAGS})`);
    }
    const sameId = added.crm_id === undefined ? undefined : byCrmId.get(added.crm_id);
    if (sameId && sameId !== target) {
      delete added.crm_id;
      omitted.push(`its CRM id, which is also on line ${sameId.row.line}`);
    }
    const former = row.merged === null ? null : (JSON.parse(row.merged) as MergedValues);
    const merged = former ? fillFrom(former, added) : added;
    const filled = fillFrom(own, merged);
    const known = (row.warnings === null ? [] : JSON.parse(row.warnings)) as Problem[];
    const judged = judge(filled, contactOf(reading), known);
    if (judged.verdict === 'invalid')
      return `${sameNumber(target)} Not merged: ${judged.field} ${judged.reason}`;
    target.reading = filled;
    revise(target, { ...judged, merged: JSON.stringify(merged), crm_id: filled.crm_id });
    if (added.crm_id !== undefined) byCrmId.set(added.crm_id, target);
    if (omitted.length === 0) return `Merged into line ${row.line}.`;
    return `Merged into line ${row.line} without ${omitted.join(' and ')}.`;
  };

  const planRow = (row: ReadRow): Planned => {
    const { number, line, cells } = row;
    const base = { workspace_id: workspace, import_id: id, number, line, cells };
    const reading = row.reading ?? (row.fallback && contactOf(row.fallback) ? row.fallback : null);
    if (!reading) {
      const { identity = null, problem, code } = row.reading ? { problem: null, code: null } : row;
      return { ...base, identity, ...verdictOf('invalid', problem, code) };
    }
    const identity = numberKey(reading);
    const contact = contactOf(reading);
    const earlier = byNumber.get(identity) ?? byContact.get(contact?.id ?? '');
    if (earlier && on_duplicate !== 'last') {
      const message = on_duplicate === 'fill' ? merge(earlier, reading) : sameNumber(earlier);
      return { ...base, identity, ...asDuplicate(message) };
    }
    const sameId = reading.crm_id === null ? undefined : byCrmId.get(reading.crm_id);
    const message = `is also on line ${sameId?.row.line}. A CRM id identifies one contact.`;
    const conflict = sameId && sameId !== earlier ? { field: 'crm_ids', message } : null;
    if (conflict && options.on_invalid !== 'omit_field') {
      return { ...base, identity, ...verdictOf('invalid', conflict, 'crm_id_conflict') };
    }
    const own = conflict ? { ...reading, crm_id: null } : reading;
    const judged = judge(own, contact, [...row.warnings, ...(conflict ? [conflict] : [])]);
    const planned: Planned = { ...base, identity, ...judged, crm_id: own.crm_id };
    if (judged.verdict === 'invalid') return planned;
    if (earlier) {
      const { crm_id } = earlier.row;
      if (crm_id !== null) byCrmId.delete(crm_id);
      revise(earlier, asDuplicate(`Replaced by line ${line}.`));
    }
    const now: Imported = { row: planned, reading: own, stored: null };
    byNumber.set(identity, now);
    if (contact) byContact.set(contact.id, now);
    if (own.crm_id !== null) byCrmId.set(own.crm_id, now);
    return planned;
  };

  return { planned: rows.map(planRow), revised: [...revised.values()] };
};

const codeOf = (problem: Problem): Reason =>
  problem.field === 'crm_ids' && problem.message.startsWith('is also')
    ? 'crm_id_conflict'
    : reasonOf(problem);

/** The names under which the totals count a row. */
const namesOf = ({ verdict, warnings }: Planned): string[] =>
  warnings === null ? [verdict] : [verdict, 'with_warnings'];

const codesOf = ({ code }: Planned): string[] => (code === null ? [] : [code]);

/** Gives rows of an import their verdicts, writes them with `save`, and returns the counts of the import after it. */
export const planBatch = async (
  db: Db,
  principal: Principal,
  record: ImportRecord,
  rows: readonly ReadRow[],
  save: Statement<Planned, unknown>,
): Promise<Pick<ImportRecord, 'totals' | 'reasons'>> => {
  const { planned, revised } = await assignVerdicts(db, principal, record, rows);
  const after = revised.map((each) => each.after);
  const written = [...(await db.each(save, planned)), ...(await db.each(rowStore.updateVerdict, after))];
  // The contact of a row was deleted in the meantime, so the row does not count for its new verdict.
  if (written.includes(0))
    throw new TransactionConflict('These rows are being changed by other requests. Retry.');
  const added = [...planned, ...after];
  const removed = revised.map((each) => each.before);
  return {
    totals: countChanges(record.totals, added.flatMap(namesOf), removed.flatMap(namesOf)),
    reasons: countChanges(record.reasons, added.flatMap(codesOf), removed.flatMap(codesOf)),
  };
};
