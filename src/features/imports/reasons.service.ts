import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { truncate } from '../../files/csv/columns.ts';
import { countFieldNames, LAST_HEADER_ROW } from '../../files/csv/header-row.ts';
import { unescapeCell } from '../../files/csv/write.ts';
import { notFound, type Problem } from '../../lib/errors.ts';
import { countriesOf } from '../../lib/trunk-prefix.ts';
import { numberKey } from '../contacts/contact.bulk.ts';
import { callingCodeOf } from '../contacts/phone.ts';
import type { Principal } from '../workspaces/principal.ts';
import { countryOf } from '../workspaces/settings.service.ts';
import type { ImportOptions, Reason } from './import.schema.ts';
import * as store from './import.store.ts';
import { columnIndexes } from './mapping.ts';
import { readRow } from './reading.ts';
import * as rowStore from './row.store.ts';
import { parseTruncatedCells } from './truncated-cells.ts';

/** Names of the header in a suggestion. */
const MAX_NAMES = 12;

/** A row that names at least two fields is the header of the rows below it. */
const suggestHeaderRow = (rows: readonly Pick<rowStore.RowRecord, 'line' | 'cells'>[]) => {
  for (const { line, cells } of rows.slice(0, -1)) {
    if (cells === null || line > LAST_HEADER_ROW) continue;
    const names = (JSON.parse(cells) as string[]).map(unescapeCell);
    if (countFieldNames({ line, cells: names }) >= 2) {
      return { line, names: names.slice(0, MAX_NAMES).map((name) => truncate(name)) };
    }
  }
  return null;
};

/** Reasons that another country may resolve. */
const COUNTRY_REASONS: readonly Reason[] = [
  'country_missing',
  'country_mismatch',
  'country_ambiguous',
  'phone_too_short',
];
/** Rows of a reason or a verdict that are read in another country. */
const CHECKED_ROWS = 200;
const MAX_COUNTRIES = 3;

/** Reads a sample of the rows in other countries, and returns those in which more of them are valid. Only countries that someone chose
 *  for the workspace, or that other numbers of the file have: a guess could call a stranger. */
const suggestCountries = async (db: Db, principal: Principal, record: store.ImportRecord) => {
  const key = { workspace: principal.workspace, id: record.id, limit: CHECKED_ROWS, offset: 0 };
  const counts = JSON.parse(record.reasons) as Partial<Record<Reason, number>>;
  const wrong = COUNTRY_REASONS.filter((reason) => counts[reason]);
  if (wrong.length === 0 || record.state !== 'planned') return [];
  const list = async (filter: 'reason' | 'verdict', values: readonly string[]) => {
    const rows = [];
    for (const value of values) {
      const args = { ...key, verdict: '', effect: '', reason: '', [filter]: value };
      rows.push(...(await db.all(rowStore.detailedListings[filter], args)));
    }
    return rows.map(({ cells, identity }) => ({ identity, cells: parseTruncatedCells(cells ?? '[]') }));
  };
  const invalid = await list('reason', wrong);
  const valid = await list('verdict', ['create', 'update', 'unchanged']);
  const options = JSON.parse(record.options) as ImportOptions;
  const indexes = columnIndexes(JSON.parse(record.columns));
  const codes = Map.groupBy(valid, ({ identity }) => identity?.startsWith('+') && callingCodeOf(identity));
  const frequent = [...codes].sort(([, one], [, other]) => other.length - one.length);
  const candidates = new Set([
    await countryOf(db, principal),
    ...frequent.slice(0, MAX_COUNTRIES).map(([code]) => (code ? countriesOf(code)?.[0] : undefined)),
  ]);
  const suggestions = [...candidates].flatMap((country) => {
    if (!country || country === options.country) return [];
    const numberIn = ({ cells }: { cells: string[] }) => {
      const { reading } = readRow(cells, indexes, { ...options, country });
      return reading && numberKey(reading);
    };
    const fixes = invalid.filter((row) => numberIn(row) !== null).length;
    const breaks = valid.filter((row) => numberIn(row) !== row.identity).length;
    return fixes > breaks ? [{ country, fixes, breaks, checked: invalid.length }] : [];
  });
  return suggestions.sort((one, other) => other.fixes - one.fixes);
};

/** Why rows are rejected or incomplete, with the number of rows and the first one of each reason. */
export const getReasons = longRead(
  'getImportReasons',
  async (db: Db, principal: Principal, { id }: { id: string }) => {
    const { workspace } = principal;
    const record = await db.get(store.findImport, { workspace, id });
    if (!record) throw notFound('import');
    const counts = Object.entries(JSON.parse(record.reasons) as Record<Reason, number>);
    const reasons = [];
    for (const [reason, count] of counts.sort(([, one], [, other]) => other - one)) {
      const page = { workspace, id, verdict: '', effect: '', reason, limit: 1, offset: 0 };
      const [row] = await db.all(rowStore.listings.reason, page);
      if (!row) continue;
      const [warning] = (row.warnings === null ? [] : JSON.parse(row.warnings)) as Problem[];
      const { field, message } = warning ?? { field: row.field, message: row.reason ?? '' };
      const rejected = row.verdict === 'invalid' || row.verdict === 'duplicate_in_file';
      reasons.push({ reason: reason as Reason, count, rejected, field, line: row.line, message });
    }
    const canMove = record.state === 'planned' || record.state === 'planning';
    const first = canMove
      ? await db.all(rowStore.shortCells, { workspace, id, after: 0, until: LAST_HEADER_ROW })
      : [];
    const countries = await suggestCountries(db, principal, record);
    return { countries, header_row: suggestHeaderRow(first), reasons };
  },
);
