import type { Db } from '../../db/db.ts';
import { write } from '../../db/operation.ts';
import { timestamp } from '../../lib/clock.ts';
import type { Problem } from '../../lib/errors.ts';
import { typeId } from '../../lib/ids.ts';
import { type Counts, recordChange } from '../audit/audit.service.ts';
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
  scheduleUndoExpiry,
  scheduleUploadExpiry,
  startJob,
} from './lifecycle.service.ts';
import * as rowStore from './row.store.ts';
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
    await scheduleUploadExpiry(db, workspace, id);
  },
);

/** Gives each row of a batch its verdict, which depends on the stored contacts and the earlier rows of the file. */
export const assignVerdicts = async (
  db: Db,
  principal: Principal,
  { id, options, rows }: { id: string; options: ImportOptions; rows: readonly ReadRow[] },
): Promise<rowStore.Planned[]> => {
  const { workspace } = principal;
  const readings = rows.flatMap((row) => row.reading ?? row.fallback ?? []);
  const contactOf = await contactsOf(db, principal, readings);
  const earlier = async (find: typeof rowStore.linesOfIdentities, keys: Iterable<string>) => {
    const before = rows[0]?.number ?? 0;
    const found = await db.all(find, { workspace, id, before, keys: JSON.stringify([...keys]) });
    return new Map(found.flatMap(({ key, line }) => (line === null ? [] : [[key, line]])));
  };
  const numbers = await earlier(rowStore.linesOfIdentities, new Set(readings.map(numberKey)));
  const ids = new Set(readings.flatMap((reading) => contactOf(reading)?.id ?? []));
  const contacts = await earlier(rowStore.linesOfContacts, ids);
  return rows.map((row): rowStore.Planned => {
    const { number, line, cells } = row;
    const base = { workspace_id: workspace, import_id: id, number, line, cells, contact_id: null };
    const reading = row.reading ?? (row.fallback && contactOf(row.fallback) ? row.fallback : null);
    if (!reading) {
      const { identity = null, problem } = row.reading ? { problem: null } : row;
      return { ...base, identity, verdict: 'invalid', ...problemColumns(problem), warnings: null };
    }
    const identity = numberKey(reading);
    const contact = contactOf(reading);
    const first = numbers.get(identity) ?? contacts.get(contact?.id ?? '');
    if (first !== undefined) {
      const reason = problemColumns({ field: 'phone_number', message: `Same number as line ${first}.` });
      return { ...base, identity, verdict: 'duplicate_in_file', ...reason, warnings: null };
    }
    numbers.set(identity, line);
    if (contact) contacts.set(contact.id, line);
    const { verdict, problem } = decide(contact && factsOf(contact), reading, options);
    const isInvalid = verdict === 'invalid';
    const warnings = [...row.warnings, ...(problem && !isInvalid ? [problem] : [])];
    return {
      ...base,
      identity,
      contact_id: contact?.id ?? null,
      verdict,
      ...problemColumns(isInvalid ? (problem ?? null) : null),
      warnings: warnings.length > 0 && !isInvalid ? JSON.stringify(warnings) : null,
    };
  });
};

const problemColumns = (problem: Problem | null) => ({
  field: problem?.field ?? null,
  reason: problem?.message ?? null,
});

/** The names under which the totals count the rows. */
export const countedNames = (rows: readonly rowStore.Planned[]): string[] =>
  rows.flatMap(({ verdict, warnings }) => (warnings === null ? [verdict] : [verdict, 'with_warnings']));

/** Inserts a batch of an upload with its verdicts. */
export const planRows = write(
  'planRows',
  async (
    db: Db,
    principal: Principal,
    { id, rows }: { id: string; rows: readonly ReadRow[] },
  ): Promise<void> => {
    const { workspace } = principal;
    const record = await lockImport(db, principal, id);
    const planned = await assignVerdicts(db, principal, { id, options: JSON.parse(record.options), rows });
    await db.each(rowStore.insertRow, planned);
    await scheduleUploadExpiry(db, workspace, id);
    await db.run(store.updateImport, {
      ...record,
      totals: countChanges(record.totals, countedNames(planned)),
      progress: rows.at(-1)?.number ?? record.progress,
    });
  },
);

/** Called when the file was read to its end. */
export const endPlan = write(
  'endPlan',
  async (db: Db, principal: Principal, { id, format }: { id: string; format: FileFormat }): Promise<void> => {
    const record = await lockImport(db, principal, id);
    const file = JSON.stringify(format);
    if (record.file !== file) await db.run(store.setFile, { workspace: principal.workspace, id, file });
    await db.run(store.updateImport, { ...record, state: 'planned', updated_at: timestamp() });
    await scheduleUndoExpiry(db, principal.workspace, id);
    const { with_warnings: _, ...counts } = JSON.parse(record.totals) as Counts;
    recordChange(db, principal, { action: 'import.created', subject: id, counts });
  },
);

/** Starts to plan an uploaded file again, with other columns or options. */
export const startReplan = write(
  'startReplan',
  async (
    db: Db,
    principal: Principal,
    { id, options, mapping }: { id: string; options: Partial<ImportOptions>; mapping: Mapping | undefined },
  ): Promise<void> => {
    const record = await lockImport(db, principal, id);
    assertState(record, ['planned'], 'planned again');
    await db.run(store.setOptionsAndColumns, {
      workspace: principal.workspace,
      id,
      options: JSON.stringify({ ...(JSON.parse(record.options) as ImportOptions), ...options }),
      columns: JSON.stringify(applyMapping(JSON.parse(record.columns), mapping)),
    });
    await startJob(db, { ...record, totals: '{}' }, 'planning');
    const fields = [...Object.keys(options), ...(mapping ? ['mapping'] : [])];
    recordChange(db, principal, { action: 'import.updated', subject: id, fields });
  },
);
