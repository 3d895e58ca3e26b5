import { longRead } from '../../db/operation.ts';
import { truncate } from '../../files/csv/columns.ts';
import { countFieldNames, LAST_HEADER_ROW } from '../../files/csv/header-row.ts';
import { unescapeCell } from '../../files/csv/write.ts';
import type { Problem } from '../../lib/errors.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { Reason } from './import.schema.ts';
import { findImport } from './import.service.ts';
import * as rowStore from './row.store.ts';

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

/** Why rows are rejected or incomplete, with the number of rows and the first one of each reason. */
export const getImportReasons = longRead(
  'getImportReasons',
  async (db, { workspace }: Principal, { id }: { id: string }) => {
    const record = await findImport(db, { workspace }, id);
    const counts = Object.entries(JSON.parse(record.reasons) as Record<Reason, number>);
    const reasons = [];
    for (const [reason, count] of counts.sort(([, one], [, other]) => other - one)) {
      const page = { workspace, id, value: reason, limit: 1, offset: 0 };
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
    return { header_row: suggestHeaderRow(first), reasons };
  },
);
