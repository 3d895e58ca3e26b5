import { readCounter } from '../db/counters.ts';
import type { Db } from '../db/db.ts';
import type { Arguments, Value } from '../db/statement.ts';
import type { Condition, Declaration, Node, Order, Range, View } from './list.declaration.ts';
import { isFilter, ListStatements, type Shape } from './list.statements.ts';

/* Lists of records. A plan chooses the range that a page reads. */

/** How a list finds the records of some conditions in an order. */
export interface Plan extends Shape {
  readonly args: Arguments;
  readonly counter: string | undefined;
}

/** The last record of the page before. `key` is the value of the order's first key, if it has two, and `seq` that of the last one. */
export interface Position {
  readonly key: string;
  readonly seq: number;
}

export interface PageArgs {
  readonly workspace: number;
  readonly limit: number;
  readonly offset?: number;
  readonly after?: { readonly key: string; readonly seq: Value } | undefined;
  /** How many records of the range are examined, if not all. */
  readonly examined?: number;
  /** Arguments of the view. */
  readonly view?: Arguments;
}

/** More than any list has. */
export const EVERY = 2 ** 40;

/** Names the argument of each filter in a condition. The first with its name has that of the filter. */
const nodeOf = (condition: Condition, args: Record<string, Value>): Node => {
  const each = (some: readonly Condition[]) => some.map((one) => nodeOf(one, args));
  if ('all' in condition) return { all: each(condition.all) };
  if ('any' in condition) return { any: each(condition.any) };
  if ('not' in condition) return { not: nodeOf(condition.not, args) };
  const { filter, value = null } = condition;
  let argument = filter;
  for (let number = 2; argument in args; number++) argument = `${filter}${number}`;
  args[argument] = value;
  return { filter, argument };
};

/** All records of a plan's range. */
export const bareOf = (plan: Plan): Plan => ({ ...plan, others: [], name: `${plan.name} bare` });

const rangeOf = ({ ranges }: Order, nodes: readonly Node[]) => {
  for (const range of ranges) {
    const { by, within = [] } = range;
    const found = nodes.find((node) => (typeof by === 'string' ? isFilter(node, by) : by?.(node)));
    if (by && !found) continue;
    const bounds = nodes.filter((node) => within.some((name) => name && isFilter(node, name)));
    const own = found ? [found, ...bounds] : bounds;
    return { range, own, others: nodes.filter((node) => !own.includes(node)) };
  }
  throw new Error('An order needs a range for all records.');
};

/** A range with the keys of another, so that a list can continue after a position of either. A key that only a join has is `seq`. */
const sortedLike = ({ keys }: Range, range: Range): Range =>
  keys?.every((key) => typeof key === 'string') ? { ...range, keys } : range;

/** Every list, for tests that check the statements of all. */
export const allLists: List[] = [];

export class List extends ListStatements {
  readonly #orders: Map<string, Order>;

  constructor(declaration: Declaration) {
    super(declaration);
    this.#orders = new Map(Object.entries(declaration.orders));
    allLists.push(this);
  }

  get orders(): string[] {
    return [...this.#orders.keys()];
  }

  /** Adds an order of a feature that this list's feature must not import (see wiring/handlers.ts). */
  addOrder(name: string, order: Order): void {
    this.#orders.set(name, order);
  }

  /** Records must meet all conditions. `chosen` is a range of few records, instead of one of the order, what it is found by, and the
   *  conditions that it applies. */
  plan(
    conditions: readonly Condition[],
    orderName: string,
    chosen?: {
      readonly range: Range;
      readonly condition: Condition;
      readonly applied: ReadonlySet<Condition>;
    },
  ): Plan {
    const order = this.#orders.get(orderName);
    if (!order) throw new Error(`The list of ${this.declaration.table} has no order ${orderName}.`);
    const args: Record<string, Value> = {};
    const nodes = conditions.map((condition) => nodeOf(condition, args));
    const own = chosen && nodeOf(chosen.condition, args);
    const walked = rangeOf(order, nodes);
    const others = nodes.filter((_, at) => !chosen?.applied.has(conditions[at] as Condition));
    // Of two tags, either can be the range, and then the other one is checked.
    const name = `${this.declaration.table} ${orderName} ${JSON.stringify(own ? [own, others] : nodes)}`;
    const found =
      chosen && own ? { range: sortedLike(walked.range, chosen.range), own: [own], others } : walked;
    const counter = chosen ? undefined : this.declaration.counter?.(conditions, found.range);
    return { ...found, order, args, counter, name };
  }

  /** The records of a page, as a view shows them. */
  async page<R>(db: Db, plan: Plan, view: View<R>, page: PageArgs): Promise<R[]> {
    const { workspace, limit, offset = 0, after, examined = EVERY } = page;
    const isLimited = page.examined !== undefined;
    const text = this.pageStatement(plan, view, { isAfter: after !== undefined, isLimited });
    return db.all(text, { ...plan.args, ...page.view, ...after, workspace, limit, offset, examined });
  }

  /** The value of the counter, or else the number of records, which ends at the cap. */
  async total(db: Db, plan: Plan, workspace: number, most: { cap?: number } = {}): Promise<number> {
    if (plan.counter) return Number(await readCounter(db, workspace, plan.counter));
    const { cap = plan.others.length > 0 ? plan.order.cap : undefined } = most;
    const args = { ...plan.args, workspace, cap: cap ?? EVERY };
    return Number((await db.get(this.countStatement(plan, { isCapped: cap !== undefined }), args))?.count);
  }

  /** How many of the first records of the range meet all conditions, and how many records these are. */
  async totalAmong(db: Db, plan: Plan, workspace: number, examined: number) {
    const args = { ...plan.args, workspace, examined };
    const found = await db.get(this.countStatement(plan, { isLimited: true }), args);
    return { count: Number(found?.count), examined: Number(found?.examined) };
  }
}
