import { MOVE_TABLE } from '../db/unfinished-move.ts';
import { type MoveReader, type MoveTarget, readRows } from './database.ts';

/* A table in the target that records the source of the move, and what was copied of each table. */

export const CREATE_RECORD = `create table ${MOVE_TABLE} (name text not null primary key, value text not null)`;

/** The statement that records a value. */
export const recording = ({ quote }: Pick<MoveReader, 'quote'>, name: string, value: string): string =>
  `insert into ${MOVE_TABLE} (name, value) values (${quote(name)}, ${quote(value)})
    on conflict (name) do update set value = excluded.value`;

/** All recorded values; undefined if no move has begun. */
export const readRecord = async (target: MoveTarget): Promise<Map<string, string> | undefined> => {
  if (!(await target.has(MOVE_TABLE))) return undefined;
  const rows = await readRows(target, `select name, value from ${MOVE_TABLE}`);
  return new Map(rows.map(([name, value]) => [name ?? '', value ?? '']));
};
