import type { Writable } from 'node:stream';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import type { Pending } from '../../lib/maybe-promise.ts';
import type { RunTime } from '../capabilities.ts';
import { Held, type Kept } from '../deferred-writes.ts';
import type { Arguments, Statement } from '../statement.ts';
import type { Db } from '../storage.ts';
import { postgresRunTime } from './capabilities.ts';

const ignore = () => {};

const ROLLBACK_MS = 4_500;

/** A pool, or one of its connections, or several that are shared. */
export interface Asked {
  query(question: QueryConfig | string): Promise<QueryResult>;
}

/** What is asked of a server, answering when it has. */
export class PostgresDb implements Db {
  readonly can: RunTime = postgresRunTime;
  /** What the transaction holds back. */
  readonly held = new Held();
  readonly #client: Asked;
  readonly #prepare: boolean;
  readonly #patienceMs: number;

  /** A connection that has not answered within the patience is taken for dead, and not used again. */
  constructor(client: Asked, { prepare = true, patienceMs }: { prepare?: boolean; patienceMs: number }) {
    this.#client = client;
    this.#prepare = prepare;
    this.#patienceMs = patienceMs;
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

  async piece<T>(work: () => Pending<T>): Promise<T> {
    const takeBack = this.held.mark();
    await this.#say('savepoint piece');
    try {
      const value = await work();
      await this.#say('release savepoint piece');
      return value;
    } catch (error) {
      // On a connection that was lost there is nothing to undo.
      await this.#say('rollback to savepoint piece; release savepoint piece').catch(ignore);
      takeBack();
      throw error;
    }
  }

  /** Ends the transaction with what it holds back, in one journey. Behind a statement that fails, the server rolls back
   *  where it is told to commit. */
  async commit(): Promise<void> {
    await inOneJourney(this.held.write(this), this.#say('commit'));
  }

  #say(text: string) {
    return this.#client.query({ text, query_timeout: this.#patienceMs } as QueryConfig);
  }

  hold<C>(kept: Kept<C>, change: C): void {
    this.held.add(kept, change);
  }

  #query<A extends Arguments>(statement: Statement<A, unknown>, args: A): Promise<QueryResult> {
    const { name, sql, order, planOnce, looksAtKept } = statement.textFor('postgres');
    const values = order.map((argument) => args[argument]);
    const written = looksAtKept ? this.held.write(this) : [];
    const question = { text: sql, values, query_timeout: this.#patienceMs };
    const query = this.#client.query(planOnce && this.#prepare ? { name, ...question } : question);
    return written.length === 0 ? query : inOneJourney(written, query);
  }
}

/** The answer to a query that was sent behind others; where one of them fails, its error. */
const inOneJourney = async <T>(before: readonly Pending<unknown>[], last: Promise<T>): Promise<T> => {
  const answers = await Promise.all([...before, last]);
  return answers.at(-1) as T;
};

/** Sends all that is asked of a connection before `ask` gives back in one packet, rather than in one for each statement. */
export const inOnePacket = <T>(client: PoolClient, ask: () => T): T => {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  try {
    return ask();
  } finally {
    stream.uncork();
  }
};

/** Works on one connection of the pool and gives it back, rolled back after an error. One that cannot roll back, or was
 *  lost meanwhile, is not used again. */
export const withClient = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    const isStale = error instanceof Error && 'code' in error && error.code === '0A000';
    broken = await client.query({ text: 'rollback', query_timeout: ROLLBACK_MS } as QueryConfig).then(
      () => isStale,
      () => true,
    );
    throw error;
  } finally {
    client.release(broken);
  }
};
