import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { Db } from './db.ts';

/** The kind of an operation decides where the storage runs it:
 *  - `read`: fast at any table size. SQLite runs it on the thread that serves requests.
 *  - `longRead`: its work can grow with the tables. It never runs on the thread that serves requests.
 *  - `write`: one transaction. It is on disk when it resolves; an error rolls back all of it. */
export type Kind = 'read' | 'longRead' | 'write';

type Run<P, I, O> = (db: Db, principal: P, input: I) => MaybePromise<O>;

/** A request for an operation. */
export interface Call<P, I> {
  readonly principal: P;
  readonly input: I;
}

export const workspaceOf = ({ principal }: Call<unknown, unknown>): number | undefined =>
  (principal as { workspace?: number } | null)?.workspace;

export type Outcome<O = unknown> = { readonly value: O } | { readonly error: unknown };

/** The outcome of each call; undefined for one that has to run alone. */
type RunMany<P, I, O> = (db: Db, calls: readonly Call<P, I>[]) => MaybePromise<(Outcome<O> | undefined)[]>;

interface Definition<I, K extends Kind> {
  /** Unique, because threads look up operations by name. */
  readonly operationName: string;
  readonly kind: K;
  /** Turns a `read` into a `longRead` for inputs whose work can grow with the tables. */
  readonly isLong: ((input: I) => boolean) | undefined;
  /** Whether SQLite may answer from the read cache. The result must depend only on the workspace and the input, not on
   *  anything else of the principal. */
  readonly cacheable: boolean | ((input: I) => boolean);
  /** Runs the operation for several requests of one workspace that share a transaction, with the same outcomes as one after another. It
   *  must be short, and lock in an order that does not depend on the calls. A request that it refuses, or that has to run alone, must not
   *  change anything, because there are no savepoints. If it throws, the transaction is rolled back and each request runs alone. */
  // biome-ignore lint/suspicious/noExplicitAny: it takes the principal and returns the result of the operation
  readonly runMany: RunMany<any, I, any> | undefined;
}

/** A function over a database with its own description. Principal, input and result are plain data, because they cross
 *  threads. Another operation can call it directly. */
// biome-ignore lint/suspicious/noExplicitAny: any operation, whatever it takes and returns
export type Operation<P = any, I = any, O = any, K extends Kind = Kind> = Run<P, I, O> & Definition<I, K>;

/** Only a short read may return its result without a promise. */
export type Result<K extends Kind, O> = K extends 'read' ? MaybePromise<O> : Promise<O>;

// biome-ignore lint/suspicious/noExplicitAny: the type of the function is preserved
type AnyRun = Run<any, any, any>;
// biome-ignore lint/suspicious/noExplicitAny: an operation without an input takes any
type InputOf<F extends AnyRun> = Parameters<F> extends [any, any, infer I] ? I : any;
type Defined<F extends AnyRun, K extends Kind> = F & Definition<InputOf<F>, K>;

/** The operations of all loaded modules. */
const byName = new Map<string, Operation>();

/** The operation with this name, on a thread that loads `src/wiring/operations.ts`. */
export const operationNamed = (name: string): Operation => {
  const operation = byName.get(name);
  if (!operation) throw new Error(`src/wiring/operations.ts does not load the module of ${name}.`);
  return operation;
};

const define = <F extends AnyRun, K extends Kind>(
  operationName: string,
  run: F,
  options: { kind: K } & Partial<Definition<InputOf<F>, K>>,
): Defined<F, K> => {
  // A copy of the function: one function can serve several operations.
  const operation = Object.assign(((db, principal, input) => run(db, principal, input)) as F, {
    operationName,
    isLong: undefined,
    cacheable: false,
    runMany: undefined,
    ...options,
  });
  byName.set(operationName, operation);
  return operation;
};

export const read = <F extends AnyRun>(
  name: string,
  run: F,
  options: {
    isLong?: (input: InputOf<F>) => boolean;
    cacheable?: boolean | ((input: InputOf<F>) => boolean);
  } = {},
): Defined<F, 'read'> => define(name, run, { kind: 'read', ...options });

export const longRead = <F extends AnyRun>(name: string, run: F): Defined<F, 'longRead'> =>
  define(name, run, { kind: 'longRead' });

export const write = <F extends AnyRun>(
  name: string,
  run: F,
  options: Partial<Pick<Definition<InputOf<F>, 'write'>, 'runMany'>> = {},
): Defined<F, 'write'> => define(name, run, { kind: 'write', ...options });

export const kindOf = <I>({ kind, isLong }: Definition<I, Kind>, input: I): Kind =>
  kind === 'read' && isLong?.(input) ? 'longRead' : kind;

export const isCacheable = <I>({ cacheable }: Definition<I, Kind>, input: I): boolean =>
  typeof cacheable === 'boolean' ? cacheable : cacheable(input);

/** Runs an operation where a promise is always returned. */
export type RunAsync = <P, I, O>(operation: Operation<P, I, O>, principal: P, input: I) => Promise<O>;
