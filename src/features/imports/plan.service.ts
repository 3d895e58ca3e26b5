import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import type { Problem } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import { type Counts, record as recordEntry } from '../audit/audit.service.ts';
import { contactsOf, numberKey } from '../contacts/contact.bulk.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { Column } from './csv/columns.ts';
import { applyMapping, type Mapping } from './csv/mapping.ts';
import type { FileFormat } from './csv/open.ts';
import { decide, factsOf } from './decide.ts';
import type { ImportOptions } from './import.schema.ts';
import * as store from './import.store.ts';
import {
  assertState,
  lockImport,
  scheduleExpiry,
  scheduleUndoExpiry,
  startWork,
} from './lifecycle.service.ts';
import { countChanges } from './totals.ts';
import type { ReadRow } from './worker/requests.ts';

export const importId = typeId('import');

export const createImport = write(
  'createImport',
  async (
    db: Db,
    { workspace, actor }: Principal,
    {
      id,
      name,
      options,
      columns,
      format,
    }: {
      id: string;
      name: string;
      options: ImportOptions;
      columns: readonly Column[];
      format: FileFormat;
    },
  ): Promise<void> => {
    const now = timestamp();
    await db.run(store.insertImport, {
      workspace_id: workspace,
      id,
      name,
      state: 'planning',
      options: JSON.stringify(options),
      columns: JSON.stringify(columns.map((column) => ({ ...column, samples: [] }))),
      file: JSON.stringify(format),
      totals: '{}',
      progress: 0,
      created_by: actor,
      created_at: now,
      updated_at: now,
      applied_at: null,
      entry: null,
    });
    await scheduleExpiry(db, workspace, id);
  },
);

/** Gives each row of a batch its verdict, by what is stored now and what stood in the file before. */
export const judge = async (
  db: Db,
  principal: Principal,
  { id, options, rows }: { id: string; options: ImportOptions; rows: readonly ReadRow[] },
): Promise<store.Planned[]> => {
  const { workspace } = principal;
  const readings = rows.flatMap((row) => row.reading ?? row.shown ?? []);
  const contactOf = await contactsOf(db, principal, readings);
  const earlier = async (find: typeof store.findIdentities, keys: Iterable<string>) => {
    const before = rows[0]?.number ?? 0;
    const found = await db.all(find, { workspace, id, before, keys: JSON.stringify([...keys]) });
    return new Map(found.flatMap(({ key, line }) => (line === null ? [] : [[key, line]])));
  };
  const numbers = await earlier(store.findIdentities, new Set(readings.map(numberKey)));
  const ids = new Set(readings.flatMap((reading) => contactOf(reading)?.id ?? []));
  const contacts = await earlier(store.findContacts, ids);
  return rows.map((row): store.Planned => {
    const { number, line, cells } = row;
    const base = { workspace_id: workspace, import_id: id, number, line, cells, contact_id: null };
    const reading = row.reading ?? (row.shown && contactOf(row.shown) ? row.shown : null);
    if (!reading) {
      const { identity = null, problem } = row.reading ? { problem: null } : row;
      return { ...base, identity, verdict: 'invalid', ...said(problem), warnings: null };
    }
    const identity = numberKey(reading);
    const held = contactOf(reading);
    const first = numbers.get(identity) ?? contacts.get(held?.id ?? '');
    if (first !== undefined) {
      const reason = said({ field: 'phone_number', message: `Same number as line ${first}.` });
      return { ...base, identity, verdict: 'duplicate_in_file', ...reason, warnings: null };
    }
    numbers.set(identity, line);
    if (held) contacts.set(held.id, line);
    const { verdict, problem } = decide(held && factsOf(held), reading, options);
    const isInvalid = verdict === 'invalid';
    const warnings = [...row.warnings, ...(problem && !isInvalid ? [problem] : [])];
    return {
      ...base,
      identity,
      contact_id: held?.id ?? null,
      verdict,
      ...said(isInvalid ? (problem ?? null) : null),
      warnings: warnings.length > 0 && !isInvalid ? JSON.stringify(warnings) : null,
    };
  });
};

const said = (problem: Problem | null) => ({
  field: problem?.field ?? null,
  reason: problem?.message ?? null,
});

/** What rows add to the totals. */
export const countedOf = (rows: readonly store.Planned[]): string[] =>
  rows.flatMap(({ verdict, warnings }) => (warnings === null ? [verdict] : [verdict, 'with_warnings']));

/** Writes the verdicts of a batch of a file that is being read. */
export const planRows = write(
  'planRows',
  async (
    db: Db,
    principal: Principal,
    { id, rows }: { id: string; rows: readonly ReadRow[] },
  ): Promise<void> => {
    const { workspace } = principal;
    const record = await lockImport(db, principal, id);
    const planned = await judge(db, principal, { id, options: JSON.parse(record.options), rows });
    await db.each(store.insertRow, planned);
    await scheduleExpiry(db, workspace, id);
    await db.run(store.updateImport, {
      ...record,
      totals: countChanges(record.totals, countedOf(planned)),
      progress: rows.at(-1)?.number ?? record.progress,
    });
  },
);

/** The file was read to its end. */
export const endPlan = write(
  'endPlan',
  async (db: Db, principal: Principal, { id, format }: { id: string; format: FileFormat }): Promise<void> => {
    const record = await lockImport(db, principal, id);
    const file = JSON.stringify(format);
    if (record.file !== file) await db.run(store.setFile, { workspace: principal.workspace, id, file });
    await db.run(store.updateImport, { ...record, state: 'planned', updated_at: timestamp() });
    await scheduleUndoExpiry(db, principal.workspace, id);
    const { with_warnings: _, ...counts } = JSON.parse(record.totals) as Counts;
    recordEntry(db, principal, { action: 'import.created', subject: id, counts });
  },
);

/** Plans a file that is here already once more, with other columns or other rules. */
export const startReplan = write(
  'startReplan',
  async (
    db: Db,
    principal: Principal,
    { id, options, mapping }: { id: string; options: Partial<ImportOptions>; mapping: Mapping | undefined },
  ): Promise<void> => {
    const record = await lockImport(db, principal, id);
    assertState(record, ['planned'], 'planned again');
    await db.run(store.setReading, {
      workspace: principal.workspace,
      id,
      options: JSON.stringify({ ...(JSON.parse(record.options) as ImportOptions), ...options }),
      columns: JSON.stringify(applyMapping(JSON.parse(record.columns), mapping)),
    });
    await startWork(db, { ...record, totals: '{}' }, 'planning');
    const fields = [...Object.keys(options), ...(mapping ? ['mapping'] : [])];
    recordEntry(db, principal, { action: 'import.updated', subject: id, fields });
  },
);
