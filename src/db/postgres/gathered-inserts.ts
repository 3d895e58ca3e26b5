import type { Db } from '../db.ts';
import type { Arguments, ForMany, Statement } from '../statement.ts';

// biome-ignore lint/suspicious/noExplicitAny: any statement that inserts a row
type AnyStatement = Statement<any, any>;

interface Insert {
  readonly statement: AnyStatement;
  readonly row: Arguments;
  resolve(returned: unknown): void;
  reject(error: unknown): void;
}

/** Inserts of several operations that share a transaction. The rows of a workspace and a statement are inserted together. */
export class GatheredInserts {
  readonly #inserts: Insert[] = [];

  add<A extends Arguments, R>(statement: Statement<A, R>, row: A): Promise<R | undefined> {
    return new Promise((resolve, reject) => {
      this.#inserts.push({ statement, row, resolve: resolve as Insert['resolve'], reject });
    });
  }

  send(db: Db): void {
    for (const ofStatement of Map.groupBy(this.#inserts, ({ statement }) => statement).values())
      for (const inserts of Map.groupBy(ofStatement, ({ row }) => row.workspace_id).values())
        sendOne(db, inserts);
  }
}

const sendOne = async (db: Db, inserts: readonly Insert[]): Promise<void> => {
  const [{ statement, row }] = inserts as [Insert];
  try {
    if (inserts.length === 1) return inserts[0]?.resolve(await db.get(statement, row));
    const rows = JSON.stringify(inserts.map((each) => each.row));
    const args = { workspace: row.workspace_id as number, rows };
    const returned = await db.all(statement.forMany as ForMany<{ id: string }>, args);
    const byId = new Map(returned.map((each) => [each.id, each]));
    for (const each of inserts) each.resolve(byId.get(each.row.id as string));
  } catch (error) {
    for (const { reject } of inserts) reject(error);
  }
};
