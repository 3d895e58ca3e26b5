import { type RawBuilder, sql } from 'kysely';
import type { SqlDialect } from '../db/dialect.ts';
import type { Value } from '../db/statement.ts';

/* What a list declares: its table, its filters and its orders. An order declares the index ranges that return records in it. */

/** What the records of a list must meet: a tree over its filters. */
export type Condition =
  | { readonly filter: string; readonly value?: Value }
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition };

/** Equal values. An empty text counts as absent. */
export const equalTo = (values: Readonly<Record<string, Value | undefined>>): Condition[] =>
  Object.entries(values).flatMap(([filter, value = '']) => (value === '' ? [] : [{ filter, value }]));

/** A condition without its values, which are arguments of the statements. */
export type Node =
  | { readonly filter: string; readonly argument: string }
  | { readonly all: readonly Node[] }
  | { readonly any: readonly Node[] }
  | { readonly not: Node };

/** What a statement is built with. */
export interface Scope {
  readonly workspace: number;
  readonly args: Record<string, Value>;
  /** The name of the records in the statement. */
  readonly table: string;
  readonly dialect: SqlDialect;
  /** Whether the range of the statement applies the filter by itself, with its index. */
  readonly isOwn: boolean;
  /** Whether the page begins after the position that the arguments `key` and `seq` are. */
  readonly isAfter: boolean;
  readonly isAscending: boolean;
}

/** The SQL of a filter. It must not be null, because a condition can negate it. */
export type Filter = (value: Value, scope: Scope) => RawBuilder<unknown>;

export const column = (name: string, { table }: Scope): RawBuilder<string> => sql.ref(`${table}.${name}`);

const compared =
  (operator: RawBuilder<unknown>) =>
  (name: string): Filter =>
  (value, scope) =>
    sql`${column(name, scope)} ${operator} ${value}`;

/** Filters by a column. */
export const equals = compared(sql`=`);
export const since = compared(sql`>=`);
export const before = compared(sql`<`);
export const atLeast = since;
export const atMost = compared(sql`<=`);

/** A column, or an expression that has an index. */
export type SortKey = string | ((scope: Scope) => RawBuilder<string>);

export interface Range {
  /** The filter that a list must have to use the range: its name, or how to recognize its condition. */
  readonly by?: string | ((node: Node) => boolean);
  /** Filters that the range applies as well, if they are given: the lower and the upper bound of its first key. A position
   *  replaces the bound at which the list begins. */
  readonly within?: readonly [lower: string, upper?: string];
  /** A condition that every record of the range meets. `found` is the condition of `by`. */
  readonly where?: (scope: Scope, found: Node) => RawBuilder<unknown>;
  /** By default that of the order. */
  readonly keys?: readonly SortKey[];
  /** Where the records are found, if not in their own table: the first table of a join, and how it joins the records. `found` is
   *  the condition of `by`, which it applies, and `limit` limits how many records it examines. */
  readonly from?: (scope: Scope, found: Node, limit: RawBuilder<unknown>) => RawBuilder<unknown>;
  readonly on?: (scope: Scope) => RawBuilder<unknown>;
  /** A derived table with the keys and the `seq` of its records, which has the columns of the filters that the range applies. */
  readonly derived?: string;
  /** The index that finds its records if it returns them in no order: all of them are read and sorted. They must be few. */
  readonly foundBy?: string;
}

export interface Order {
  /** The most selective first. The last one is for all records. */
  readonly ranges: readonly Range[];
  /** By default `seq`. A page after a position needs one key, or one and `seq`. */
  readonly keys?: readonly SortKey[];
  readonly isAscending?: boolean;
  /** Where the total ends if the range does not apply all filters. */
  readonly cap?: number;
}

/** An order by a name, and the reverse by the name with a minus sign. */
export const bothWays = <N extends string>(name: N, order: Order): Record<N | `-${N}`, Order> =>
  ({ [name]: { ...order, isAscending: true }, [`-${name}`]: order }) as Record<N | `-${N}`, Order>;

/** What a page selects of its records, and a select around them. */
export interface View<R> {
  readonly columns: readonly string[];
  readonly wrap?: (
    rows: RawBuilder<unknown>,
    scope: Pick<Scope, 'workspace' | 'args'>,
    order: RawBuilder<unknown>,
  ) => RawBuilder<R>;
}

export interface Declaration {
  readonly table: string;
  /** The name of the table in statements. */
  readonly alias?: string;
  readonly filters: Readonly<Record<string, Filter>>;
  /** Finds a filter that is not declared, of which there may be any number. */
  readonly filterNamed?: (name: string) => Filter | undefined;
  readonly orders: Readonly<Record<string, Order>>;
  /** Joined tables of a page. */
  readonly joins?: (scope: Scope) => RawBuilder<unknown>;
  /** A condition on all records of the list. */
  readonly where?: RawBuilder<unknown>;
  /** The counter of the records that meet all conditions, if there is one. */
  readonly counter?: (conditions: readonly Condition[], range: Range) => string | undefined;
  readonly readsDerived?: boolean;
  /** Whether engines must not choose another index for the filters that a range does not apply: `always`, or where the engine
   *  would rather sort. */
  readonly keepsRange?: 'always' | 'unsorted';
}
