import type { Pool, PoolClient, QueryResult } from 'pg';
import type { Pending } from '../../kernel/pending.ts';
import type { RunTime } from '../capabilities.ts';
import { Held, type Kept } from '../held.ts';
import type { Arguments, Statement } from '../statement.ts';
import type { Db } from '../storage.ts';
import { postgresRunTime } from './capabilities.ts';

/** A pool or one of its connections, answering when the server has. */
export class PostgresDb implements Db {
  readonly can: RunTime = postgresRunTime;
  /** What the transaction holds back. */
  readonly held = new Held();
  readonly #client: Pool | PoolClient;
  readonly #prepare: boolean;

  constructor(client: Pool | PoolClient, { prepare = true } = {}) {
    this.#client = client;
    this.#prepare = prepare;
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

  each<A extends Arguments>(statement: Statement<A, unknown>, many: readonly A[]): Promise<number[]> {
    return Promise.all(many.map((args) => this.run(statement, args)));
  }

  hold<C>(kept: Kept<C>, change: C): void {
    this.held.add(kept, change);
  }

  async #query<A extends Arguments>(statement: Statement<A, unknown>, args: A): Promise<QueryResult> {
    const { name, sql, order, planOnce, looksAtKept } = statement.textFor('postgres');
    const values = order.map((argument) => args[argument]);
    const written = looksAtKept ? this.held.write(this) : [];
    const query = this.#client.query(
      planOnce && this.#prepare ? { name, text: sql, values } : { text: sql, values },
    );
    return written.length === 0 ? query : inOneJourney(written, query);
  }
}

/** The answer to a query that was sent behind others; where one of them fails, its error. */
export const inOneJourney = async <T>(before: readonly Pending<unknown>[], last: Promise<T>): Promise<T> => {
  const answers = await Promise.all([...before, last]);
  return answers.at(-1) as T;
};

const ignore = () => {};

/** Works on one connection of the pool and gives it back, rolled back after an error. One that cannot roll back, or was
 *  lost meanwhile, is not used again; while it is out, nobody but us hears that it was lost. */
export const withClient = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  client.on('error', ignore);
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    const isStale = error instanceof Error && 'code' in error && error.code === '0A000';
    broken = await client.query('rollback').then(
      () => isStale,
      () => true,
    );
    throw error;
  } finally {
    // A broken one goes on complaining after it was given back.
    if (!broken) client.off('error', ignore);
    client.release(broken);
  }
};
