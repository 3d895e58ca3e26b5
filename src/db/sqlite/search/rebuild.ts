import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SqliteDb } from '../connection.ts';
import { countNgrams, MARKS, MAX_PER_TRANSACTION } from './ngram-counts.ts';

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

/** Counts the n-grams of all contacts, in the transactions in which writes would count them. */
export const countAllNgrams = async (file: DatabaseSync): Promise<void> => {
  const db = new SqliteDb(file);
  const workspaces = file
    .prepare('select workspace_id as id, max(seq) as last from contacts group by workspace_id')
    .all() as { id: number; last: number }[];
  for (const { id, last } of workspaces) {
    for (let counted = MAX_PER_TRANSACTION; counted === MAX_PER_TRANSACTION; await nextTurn()) {
      file.exec('begin immediate');
      counted = await countNgrams(db, id, [], last);
      file.exec('commit');
    }
  }
};
