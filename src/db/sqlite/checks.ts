import { type Check, Found, selecting, walk } from '../check.ts';
import { MARKS } from './search/ngram-counts.ts';

/** Pages, rows and order of every table, every index against its table, and the search index itself. */
const integrity: Check = {
  name: 'every page of the file, every index against its table',
  since: 1,
  find: async (snapshot) => {
    const found = new Found();
    for (const row of await snapshot.all<{ integrity_check: string }>('pragma integrity_check')) {
      if (row.integrity_check !== 'ok') found.add(row.integrity_check.replaceAll('\n', '; '));
    }
    return found;
  },
};

const references = selecting(
  'references lead to a record',
  1,
  () => `select 'row ' || coalesce(rowid, '?') || ' of ' || "table" || ' refers to no row of ' || parent as what
    from pragma_foreign_key_check`,
);

/** The index stores no texts, only trigrams and how often they occur. */
const PIECES = `create virtual table if not exists temp.search_pieces using fts5vocab(main, contacts_search, col)`;

/** A checksum over all trigrams: an entry that is missing, duplicated or outdated changes it. */
const STORED_SUMS = `select col, cast(sum(cnt * (unicode(term) + 31 * unicode(substr(term, 2)) + 961 * unicode(substr(term, 3))))
  as text) as sum from temp.search_pieces group by col`;

/** The same sum for one text. */
const sumOf = (text: string): number => {
  let [sum, first, second] = [0, 0, 0];
  for (const character of text) {
    const third = character.codePointAt(0) ?? 0;
    if (first > 0) sum += first + 31 * second + 961 * third;
    [first, second] = [second, third];
  }
  return sum;
};

type Texts = { workspace_id: number; seq: number; search_text: string; search_phone: string };

/** Since this migration entries end with marks. */
const MARKED_SINCE = 6;

const searchPieces: Check = {
  name: 'the search index holds the pieces of all search texts',
  since: 1,
  find: async (snapshot) => {
    await snapshot.all(PIECES);
    const stored = await snapshot.all<{ col: string; sum: string }>(STORED_SUMS);
    let [text, phone] = [0n, 0n];
    const end = snapshot.schema < MARKED_SINCE ? '' : MARKS;
    for await (const rows of walk<Texts>(
      snapshot,
      'select c.workspace_id, c.seq, c.search_text, c.search_phone from contacts as c',
    )) {
      for (const row of rows) {
        text += BigInt(sumOf(row.search_text + end));
        phone += BigInt(sumOf(row.search_phone + end));
      }
    }
    const found = new Found();
    for (const [col, sum] of Object.entries({ text, phone })) {
      const has = BigInt(stored.find((each) => each.col === col)?.sum ?? 0);
      if (has !== sum) found.add(`the column ${col} has entries that no contact needs, or lacks some`);
    }
    return found;
  },
};

/** To check one contact takes about 0.1 ms. Beyond so many a random sample is checked. */
const SAMPLE = 2_000;

const searchPlaces = selecting(
  `the search index finds contacts at their places (up to ${SAMPLE.toLocaleString('en')})`,
  1,
  () => `select 'contact ' || id || ' is not found' as what from contacts
    where random() % (select 1 + count(*) / ${SAMPLE} from contacts) = 0 and not exists (
      select 1 from contacts_search where rowid = workspace_id << 40 | seq
      and contacts_search match '{text} : "' || replace(substr(search_text, -8), '"', '""') || '"')`,
);

/** To count one n-gram reads every contact, so a random sample is counted. */
const COUNTED = 8;

const gramCounts = selecting(
  `pieces of one or two characters are counted rightly (${2 * COUNTED} of them)`,
  MARKED_SINCE,
  () => `
    with counted as (
      select workspace_id, count as up_to from tallies where list = 'contacts~'
    ), pieces as materialized (
      select * from (
        select workspace_id, substr(list, 10) as piece from tallies
        where list > 'contacts~' and list < 'contacts\u007f' order by random() limit ${COUNTED})
      union
      select * from (
        select workspace_id, substr(search_text, 1 + abs(random() % length(search_text)), 2)
        from contacts join counted using (workspace_id) where seq <= up_to order by random() limit ${COUNTED})
    )
    select 'the piece ' || piece || ' in workspace ' || workspace_id as what
    from pieces join counted using (workspace_id)
    where instr(piece, char(31)) = 0 and coalesce((
      select count from tallies as t where t.workspace_id = pieces.workspace_id and t.list = 'contacts~' || piece), 0) <> (
      select count(*) from contacts as c where c.workspace_id = pieces.workspace_id and seq <= up_to
      and (instr(search_text, piece) > 0 or instr(search_phone, piece) > 0))`,
);

export const sqliteChecks: readonly Check[] = [integrity, references, searchPieces, searchPlaces, gramCounts];
