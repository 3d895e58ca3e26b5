import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { countedRows, keptCounts } from '../database/counters.ts';
import type { TestDatabase } from '../database/engines.ts';
import type { Json } from '../service/test-service.ts';

export interface Facts {
  readonly phone_number: string;
  readonly first_name: string;
  readonly notes: string;
  readonly tags: readonly string[];
}

/** What a writer knows of one contact. `null` is a contact that is not there. */
export interface Entry {
  id: string | undefined;
  /** As the last answered write has left it. */
  promised: Facts | null;
  /** What was asked for since and not answered with success: it may be so, or as promised. */
  asked: Facts | null | undefined;
  /** Whether it was asked for before, without success. */
  isAgain: boolean;
}

const factsOf = ({ phone_number, first_name, notes, tags }: Json): Facts => ({
  phone_number,
  first_name,
  notes,
  tags,
});

const same = (stored: Json, facts: Facts | null) =>
  JSON.stringify(stored ? factsOf(stored) : null) === JSON.stringify(facts);

/** What the writers of a test were promised, by phone number. */
export class Ledger {
  readonly entries = new Map<string, Entry>();

  /** Compares the promises with what is stored: every answered write is there and equal, what got no answer is there
   *  wholly or not at all, and there is nothing else. Then what is stored is what is promised. */
  async settle(database: TestDatabase): Promise<{ promised: number; unanswered: number; kept: number }> {
    const rows = await database.query('select phone_number, wire from contacts');
    const stored = new Map(rows.map((row) => [String(row.phone_number), JSON.parse(String(row.wire))]));
    assert.equal(stored.size, rows.length, 'no number is there twice');
    const lost: string[] = [];
    const count = { promised: 0, unanswered: 0, kept: 0 };
    for (const [phone, entry] of this.entries) {
      const { promised, asked, id } = entry;
      const found = stored.get(phone);
      const isPromised = same(found, promised) && (promised === null || found.id === id);
      const isAsked = asked !== undefined && same(found, asked);
      if (!isPromised && !isAsked)
        lost.push(`${JSON.stringify(entry)} is ${JSON.stringify(found && factsOf(found))}`);
      if (asked === undefined) count.promised++;
      else {
        count.unanswered++;
        if (isAsked && !isPromised) count.kept++;
        Object.assign(entry, { id: found?.id, promised: found ? factsOf(found) : null });
        Object.assign(entry, { asked: undefined, isAgain: false });
      }
      stored.delete(phone);
    }
    assert.deepEqual(lost, [], 'every answered write is kept');
    assert.deepEqual([...stored.keys()], [], 'nothing is there that nobody asked for');
    return count;
  }
}

/** Contacts, tags, counts and search entries must tell the same, and the file must be sound. */
export const assertWhole = async (database: TestDatabase): Promise<void> => {
  const { query } = database;
  assert.deepEqual(await keptCounts(database), await countedRows(database), 'counts');
  const tags = await query('select seq, tag from contact_tags');
  const named = (await query('select seq, tags from contacts')).flatMap(({ seq, tags }) =>
    (JSON.parse(String(tags)) as string[]).map((tag) => `${seq} ${tag}`),
  );
  assert.deepEqual(tags.map(({ seq, tag }) => `${seq} ${tag}`).sort(), named.sort(), 'tags');
  if (database.database.engine === 'sqlite') assertSound(database.database.path);
};

const assertSound = (path: string) => {
  const file = new DatabaseSync(path, { timeout: 5_000 });
  const all = (sql: string) => file.prepare(sql).all();
  try {
    assert.deepEqual(
      all('pragma integrity_check').map((row) => row.integrity_check),
      ['ok'],
    );
    assert.deepEqual(all('pragma foreign_key_check'), []);
    file.exec('create virtual table temp.entries using fts5vocab(main, contacts_search, instance)');
    const strays = all(
      `with entries as (select distinct doc from temp.entries),
         places as (select workspace_id << 40 | seq as doc from contacts)
       select * from (select doc from entries except select doc from places)
       union all select * from (select doc from places except select doc from entries)`,
    );
    assert.deepEqual(strays, [], 'search entries');
  } finally {
    file.close();
  }
};
