import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { addToCounters, readCounter } from '../../counters.ts';
import { SqliteDb } from '../connection.ts';
import { BATCH, counterOf, MARKS, MAX_PER_TRANSACTION, NgramSums, textsAfter } from './ngram-counts.ts';

/* Rebuilds the search of a database whose contacts were inserted without it. Both parts can be repeated after they were
 * interrupted. The event loop turns between two transactions, so that signals are handled. */

const INDEXED_PER_TRANSACTION = 5_000;
const PAGES_TO_MERGE = 2_000;

const NEXT = `from contacts where (workspace_id, seq) > (?, ?) order by workspace_id, seq`;

/** Fills the index in the order of its rowids, in short transactions, so that the write-ahead log stays short. */
export const indexAllContacts = async (
  db: DatabaseSync,
  onProgress: (done: number) => void,
): Promise<void> => {
  const add = db.prepare(`insert into contacts_search (rowid, text, phone)
    select workspace_id << 40 | seq, search_text || '${MARKS}', search_phone || '${MARKS}' ${NEXT} limit ?`);
  const last = db.prepare(`select workspace_id, seq ${NEXT} limit 1 offset ?`);
  const merge = db.prepare(`insert into contacts_search (contacts_search, rank) values ('merge', ?)`);
  db.exec(`insert into contacts_search (contacts_search) values ('delete-all')`);
  let done = 0;
  for (let [workspace, seq] = [0, 0]; ; ) {
    db.exec('begin immediate');
    const added = Number(add.run(workspace, seq, INDEXED_PER_TRANSACTION).changes);
    merge.run(PAGES_TO_MERGE);
    db.exec('commit');
    done += added;
    onProgress(done);
    await nextTurn();
    if (added < INDEXED_PER_TRANSACTION) return;
    const row = last.get(workspace, seq, INDEXED_PER_TRANSACTION - 1) as {
      workspace_id: number;
      seq: number;
    };
    [workspace, seq] = [row.workspace_id, row.seq];
  }
};

/** Counts up to the record that the counter says, unless so many have followed that a write would count them. */
const countWorkspace = async (db: SqliteDb, workspace: number, last: number): Promise<void> => {
  const upTo = await readCounter(db, workspace, counterOf());
  const end = last - upTo >= BATCH ? last : upTo;
  await Promise.all(addToCounters(db, workspace, [[counterOf(), end - upTo]]));
  for (let seq = 0; ; ) {
    const rows = db.all(textsAfter, { workspace, seq, limit: MAX_PER_TRANSACTION });
    const counted = rows.filter((row) => row.seq <= end);
    const sums = new NgramSums();
    for (const row of counted) sums.add(row, 1);
    await Promise.all(addToCounters(db, workspace, [...sums.named()]));
    await nextTurn();
    if (counted.length < MAX_PER_TRANSACTION) return;
    seq = rows.at(-1)?.seq ?? end;
  }
};

/** Counts the n-grams of all contacts, one workspace in a transaction. */
export const countAllNgrams = async (file: DatabaseSync): Promise<void> => {
  const db = new SqliteDb(file);
  const workspaces = file
    .prepare('select workspace_id as id, max(seq) as last from contacts group by workspace_id')
    .all() as { id: number; last: number }[];
  const clear = file.prepare(
    `delete from tallies where workspace_id = ? and list > 'contacts~' and list < 'contacts\u007f'`,
  );
  for (const { id, last } of workspaces) {
    file.exec('begin immediate');
    clear.run(id);
    await countWorkspace(db, id, last);
    file.exec('commit');
  }
};
