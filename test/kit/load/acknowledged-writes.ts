import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { actualCounts, storedCounts } from '../database/counters.ts';
import type { TestDatabase } from '../database/engines.ts';
import type { Json } from '../service/test-service.ts';

export interface ContactFields {
  readonly phone_number: string;
  readonly first_name: string;
  readonly notes: string;
  readonly tags: readonly string[];
}

/** What a writer knows about one contact. `null` means that the contact does not exist. */
export interface Entry {
  id: string | undefined;
  /** The state after the last successful write. */
  acknowledged: ContactFields | null;
  /** The state after a later write without a successful response: the contact has this state or the acknowledged one. */
  pending: ContactFields | null | undefined;
  /** Whether the pending write was sent before. */
  isRetry: boolean;
}

const fieldsOf = ({ phone_number, first_name, notes, tags }: Json): ContactFields => ({
  phone_number,
  first_name,
  notes,
  tags,
});

const isStored = (stored: Json, fields: ContactFields | null) =>
  JSON.stringify(stored ? fieldsOf(stored) : null) === JSON.stringify(fields);

/** The writes that were acknowledged to the writers of a test, by phone number. */
export class AcknowledgedWrites {
  readonly entries = new Map<string, Entry>();

  /** Compares the entries with the stored contacts: every acknowledged write is stored, a write without a response is
   *  stored completely or not at all, and nothing else is stored. Then the stored state counts as acknowledged. */
  async verify(
    database: TestDatabase,
    workspace?: number,
  ): Promise<{ acknowledged: number; unanswered: number; stored: number }> {
    const rows = await database.query(
      `select phone_number, wire from contacts ${workspace === undefined ? '' : `where workspace_id = ${workspace}`}`,
    );
    const contacts = new Map(rows.map((row) => [String(row.phone_number), JSON.parse(String(row.wire))]));
    assert.equal(contacts.size, rows.length, 'no phone number is stored twice');
    const lost: string[] = [];
    const count = { acknowledged: 0, unanswered: 0, stored: 0 };
    for (const [phone, entry] of this.entries) {
      const { acknowledged, pending, id } = entry;
      const found = contacts.get(phone);
      const isAcknowledged = isStored(found, acknowledged) && (acknowledged === null || found.id === id);
      const isPending = pending !== undefined && isStored(found, pending);
      if (!isAcknowledged && !isPending)
        lost.push(`${JSON.stringify(entry)} is ${JSON.stringify(found && fieldsOf(found))}`);
      if (pending === undefined) count.acknowledged++;
      else {
        count.unanswered++;
        if (isPending && !isAcknowledged) count.stored++;
        Object.assign(entry, { id: found?.id, acknowledged: found ? fieldsOf(found) : null });
        Object.assign(entry, { pending: undefined, isRetry: false });
      }
      contacts.delete(phone);
    }
    assert.deepEqual(lost, [], 'every acknowledged write is stored');
    assert.deepEqual([...contacts.keys()], [], 'nothing else is stored');
    return count;
  }
}

/** Asserts that contacts, tags, counters and search entries agree, and that the file is intact. */
export const assertConsistent = async (database: TestDatabase): Promise<void> => {
  const { query } = database;
  assert.deepEqual(await storedCounts(database), await actualCounts(database), 'counts');
  const tags = await query('select seq, tag from contact_tags');
  const named = (await query('select seq, tags from contacts')).flatMap(({ seq, tags }) =>
    (JSON.parse(String(tags)) as string[]).map((tag) => `${seq} ${tag}`),
  );
  assert.deepEqual(tags.map(({ seq, tag }) => `${seq} ${tag}`).sort(), named.sort(), 'tags');
  if (database.database.engine === 'sqlite') assertFileIntact(database.database.path);
};

const assertFileIntact = (path: string) => {
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
         contacts_docs as (select workspace_id << 40 | seq as doc from contacts)
       select * from (select doc from entries except select doc from contacts_docs)
       union all select * from (select doc from contacts_docs except select doc from entries)`,
    );
    assert.deepEqual(strays, [], 'search entries');
  } finally {
    file.close();
  }
};
