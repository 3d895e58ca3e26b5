import { hash } from 'node:crypto';
import { counterOf } from '../db/sqlite/search/ngram-counts.ts';

/** The values of a row in the order of the columns. Integers are text, so that none loses digits. */
export type Row = readonly (string | null)[];

export interface Column {
  readonly name: string;
  readonly isInteger: boolean;
}

/** A table with the properties that both engines have in common. */
export interface MovedTable {
  readonly name: string;
  /** Sorted by name: migrations add columns in different orders. */
  readonly columns: readonly Column[];
  /** The columns of the primary key; empty without one. */
  readonly key: readonly string[];
  /** The tables that its foreign keys reference. */
  readonly parents: readonly string[];
}

const COUNTERS = 'tallies';

/** The prefix of the n-gram counters of SQLite's search, which are rebuilt. */
const NGRAMS = counterOf();

/** PostgreSQL has several rows for a counter (see counters.ts), and rows of empty lists until they are compacted. */
const MOVED_COUNTERS = `(select workspace_id, list, 0 as part, cast(sum(count) as bigint) as count from ${COUNTERS}
    where substr(list, 1, ${NGRAMS.length}) <> '${NGRAMS}' group by workspace_id, list having sum(count) <> 0) as ${COUNTERS}`;

/** The text after `from` for the rows that are moved. */
export const movedRows = ({ name }: MovedTable): string => (name === COUNTERS ? MOVED_COUNTERS : name);

export const columnNames = ({ columns }: MovedTable): string => columns.map(({ name }) => name).join(', ');

/** Selects the rows that are moved. */
export const selectMoved = (table: MovedTable): string =>
  `select ${columnNames(table)} from ${movedRows(table)}`;

const literalOf = (table: MovedTable, name: string, value: string, quote: (text: string) => string) =>
  table.columns.find((column) => column.name === name)?.isInteger ? String(BigInt(value)) : quote(value);

/** Selects the rows to move in the order of their key, after the row with the key `after`. */
export const selectInOrder = (table: MovedTable, after: Row | undefined, quote: (text: string) => string) => {
  const key = table.key.join(', ');
  const values = after?.map((value, at) => literalOf(table, table.key[at] ?? '', value ?? '', quote));
  return [
    selectMoved(table),
    ...(values ? [`where (${key}) > (${values.join(', ')})`] : []),
    ...(key ? [`order by ${key}`] : []),
  ].join(' ');
};

/** The key of a row. */
export const keyOf = ({ columns, key }: MovedTable, row: Row): Row =>
  key.map((name) => row[columns.findIndex((column) => column.name === name)] ?? null);

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (value: string | null): string =>
  value === null ? '\\N' : value.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] as string);

/** A row as a line of the text format of COPY. Different rows have different lines, so it is also the form that digests are
 *  computed of. */
export const rowText = (row: Row): string => `${row.map(escaped).join('\t')}\n`;

/** The number of rows and the sum of their hashes: 128 bits in hexadecimal. It does not depend on their order, because the
 *  engines sort text differently. */
export const digestOf = async (
  batches: AsyncIterable<readonly Row[]>,
  onRows: (count: number) => void = () => {},
) => {
  let [rows, high, low] = [0, 0n, 0n];
  for await (const batch of batches) {
    for (const row of batch) {
      const bytes = hash('sha256', rowText(row), 'buffer');
      high = BigInt.asUintN(64, high + bytes.readBigUInt64BE(0));
      low = BigInt.asUintN(64, low + bytes.readBigUInt64BE(8));
    }
    rows += batch.length;
    onRows(batch.length);
  }
  return { rows, digest: ((high << 64n) | low).toString(16).padStart(32, '0') };
};
