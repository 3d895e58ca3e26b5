import type { Pool, PoolClient } from 'pg';
import type { RunTime } from '../capabilities.ts';
import type { Arguments, Statement } from '../statement.ts';
import type { Db } from '../storage.ts';
import { postgresRunTime } from './capabilities.ts';

/** A pool or one of its connections, answering when the server has. */
export class PostgresDb implements Db {
  readonly can: RunTime = postgresRunTime;
  readonly #client: Pool | PoolClient;

  constructor(client: Pool | PoolClient) {
    this.#client = client;
  }

  async get<A extends Arguments, R>(statement: Statement<A, R>, args: A): Promise<R | undefined> {
    return (await this.#query(statement, args)).rows[0] as R | undefined;
  }

  async all<A extends Arguments, R>(statement: Statement<A, R>, args: A): Promise<R[]> {
    return (await this.#query(statement, args)).rows as R[];
  }

  async run<A extends Arguments>(statement: Statement<A, unknown>, args: A): Promise<number> {
    return (await this.#query(statement, args)).rowCount ?? 0;
  }

  #query<A extends Arguments>(statement: Statement<A, unknown>, args: A) {
    const { name, sql, order, planOnce } = statement.textFor('postgres');
    const values = order.map((argument) => args[argument]);
    return this.#client.query(planOnce ? { name, text: sql, values } : { text: sql, values });
  }
}
