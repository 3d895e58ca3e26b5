import type { Storage } from '../../db/storage.ts';
import { inSteps, unescapeCell, writeCsv } from '../../files/csv/write.ts';
import type { Principal } from '../workspaces/principal.ts';
import type { RowFilter } from './import.schema.ts';
import { walkRows } from './import.service.ts';
import type { ImportView } from './import.view.ts';

/** The rows of an import, or those of a filter, with their verdicts, as a CSV file that can be corrected and imported again. */
export const reportCsv = (
  storage: Storage,
  principal: Principal,
  { id, columns }: ImportView,
  query: RowFilter = {},
): AsyncGenerator<string> => {
  const names = (columns as { name: string }[]).map(({ name }) => name);
  const next = async (after: number | undefined, limit: number) => {
    const records = await storage.run(walkRows, principal, { id, after: after ?? 0, limit, query });
    return { records, next: records.at(-1)?.number };
  };
  async function* batches() {
    for await (const rows of inSteps(next)) {
      yield rows.map(({ line, verdict, field, reason, warnings, effect, cells }) => [
        line,
        verdict,
        field,
        reason,
        warnings.map(({ field, message }) => `${field} ${message}`).join(' '),
        effect,
        ...names.map((_, at) => unescapeCell(cells?.[at] ?? '')),
      ]);
    }
  }
  return writeCsv(['line', 'verdict', 'field', 'reason', 'warnings', 'effect', ...names], batches());
};
