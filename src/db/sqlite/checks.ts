import { DatabaseSync } from 'node:sqlite';
import { type Check, FindingCollector, readInBatches, sqlCheck } from '../check.ts';
import { migrateConnection } from './migrate.ts';
import { MARKS } from './search/ngram-counts.ts';

interface SchemaEntry {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string;
}

/** Indexes of constraints have no text. */
const SCHEMA = 'select type, name, tbl_name, sql from sqlite_schema where sql is not null';

/** Apart from its layout, which an added column changes. */
const textOf = ({ type, sql }: SchemaEntry): string =>
  `${type} ${sql.replace(/\s+/g, ' ').replace(/ ?([(),]) ?/g, '$1')}`;

const describe = ({ type, name }: SchemaEntry): string => `the ${type} ${name}`;

/** What a new database of this version contains. */
const schemaOf = (version: number): SchemaEntry[] => {
  using db = new DatabaseSync(':memory:');
  migrateConnection(db, { version });
  return db.prepare(SCHEMA).all() as unknown as SchemaEntry[];
};

/** Others may add tables and indexes, which do nothing by themselves. A trigger or a view would run on requests of the service,
 *  and a unique index on one of its `tables` would refuse its writes. */
const mayAdd = ({ type, tbl_name, sql }: SchemaEntry, tables: ReadonlySet<string>): boolean =>
  (type === 'index' && !(tables.has(tbl_name) && /^create unique/i.test(sql))) ||
  (type === 'table' && !/^create virtual/i.test(sql));

const schema: Check = {
  name: 'the schema is that of a new database',
  find: async (snapshot) => {
    const found = new FindingCollector();
    const expected = new Map(schemaOf(snapshot.schema).map((entry) => [entry.name, entry]));
    const tables = new Set(expected.keys());
    for (const entry of await snapshot.all<SchemaEntry>(SCHEMA)) {
      const own = expected.get(entry.name);
      expected.delete(entry.name);
      if (!own && !mayAdd(entry, tables)) found.add(`${describe(entry)} is not part of Roster`);
      else if (own && textOf(own) !== textOf(entry)) found.add(`${describe(entry)} was changed`);
    }
    for (const entry of expected.values()) found.add(`${describe(entry)} is missing`);
    return found;
  },
};

const integrity: Check = {
  name: 'file integrity and indexes',
  find: async (snapshot) => {
    const found = new FindingCollector();
    for (const row of await snapshot.all<{ integrity_check: string }>('pragma integrity_check')) {
      if (row.integrity_check !== 'ok') found.add(row.integrity_check.replaceAll('\n', '; '));
    }
    return found;
  },
};

const references = sqlCheck(
  'foreign keys refer to existing rows',
  () => `select 'row ' || coalesce(rowid, '?') || ' of ' || "table" || ' refers to no row of ' || parent as what
    from pragma_foreign_key_check`,
);

/** Gives access to the trigrams of the search index and how often they occur. */
const CREATE_TRIGRAMS = `create virtual table if not exists temp.search_trigrams using fts5vocab(main, contacts_search, col)`;

/** A checksum over all trigrams that detects a missing, duplicate or outdated entry. */
const STORED_SUMS = `select col, cast(sum(cnt * (unicode(term) + 31 * unicode(substr(term, 2)) + 961 * unicode(substr(term, 3))))
  as text) as sum from temp.search_trigrams group by col`;

/** SQLite reads the noncharacters U+FFFE and U+FFFF as the replacement character. */
const indexedCode = (character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  return code === 0xfffe || code === 0xffff ? 0xfffd : code;
};

/** The same checksum for one text. */
const sumOf = (text: string): number => {
  let [sum, first, second] = [0, 0, 0];
  for (const character of text) {
    const third = indexedCode(character);
    if (first > 0) sum += first + 31 * second + 961 * third;
    [first, second] = [second, third];
  }
  return sum;
};

type Texts = { workspace_id: number; seq: number; search_text: string; search_phone: string };

const indexContent: Check = {
  name: 'the search index matches the contacts',
  find: async (snapshot) => {
    await snapshot.all(CREATE_TRIGRAMS);
    const stored = await snapshot.all<{ col: string; sum: string }>(STORED_SUMS);
    let [text, phone] = [0n, 0n];
    for await (const rows of readInBatches<Texts>(
      snapshot,
      'select c.workspace_id, c.seq, c.search_text, c.search_phone from contacts as c',
    )) {
      for (const row of rows) {
        text += BigInt(sumOf(row.search_text + MARKS));
        phone += BigInt(sumOf(row.search_phone + MARKS));
      }
    }
    const found = new FindingCollector();
    for (const [col, sum] of Object.entries({ text, phone })) {
      const has = BigInt(stored.find((each) => each.col === col)?.sum ?? 0);
      if (has !== sum) found.add(`the column ${col} has missing, duplicate or outdated entries`);
    }
    return found;
  },
};

/** Checking one contact takes about 0.1 ms, so a larger database is checked by a random sample. */
const SAMPLE = 2_000;

const indexLookup = sqlCheck(
  `the search index finds each contact (up to ${SAMPLE.toLocaleString('en')})`,
  () => `select 'contact ' || id || ' is not found' as what from contacts
    where random() % (select 1 + count(*) / ${SAMPLE} from contacts) = 0 and not exists (
      select 1 from contacts_search where rowid = workspace_id << 40 | seq
      and contacts_search match '{text} : "' || replace(substr(search_text, -8), '"', '""') || '"')`,
);

/** Counting one n-gram reads every contact, so only a random sample is counted. */
const NGRAM_SAMPLE = 8;

const ngramCounts = sqlCheck(
  `n-gram counts are correct (${2 * NGRAM_SAMPLE} of them)`,
  () => `
    with counted as (
      select workspace_id, count as up_to from tallies where list = 'contacts~'
    ), ngrams as materialized (
      select * from (
        select workspace_id, substr(list, 10) as ngram from tallies
        where list > 'contacts~' and list < 'contacts\u007f' order by random() limit ${NGRAM_SAMPLE})
      union
      select * from (
        select workspace_id, substr(search_text, 1 + abs(random() % length(search_text)), 2)
        from contacts join counted using (workspace_id) where seq <= up_to order by random() limit ${NGRAM_SAMPLE})
    )
    select 'the n-gram ' || ngram || ' in workspace ' || workspace_id as what
    from ngrams join counted using (workspace_id)
    where instr(ngram, char(31)) = 0 and coalesce((
      select count from tallies as t where t.workspace_id = ngrams.workspace_id and t.list = 'contacts~' || ngram), 0) <> (
      select count(*) from contacts as c where c.workspace_id = ngrams.workspace_id and seq <= up_to
      and (instr(search_text, ngram) > 0 or instr(search_phone, ngram) > 0))`,
);

export const sqliteChecks: readonly Check[] = [
  schema,
  integrity,
  references,
  indexContent,
  indexLookup,
  ngramCounts,
];
