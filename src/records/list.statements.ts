import { type RawBuilder, sql } from 'kysely';
import type { SqlDialect } from '../db/dialect.ts';
import { type Arguments, type Statement, statementsWith, type Value } from '../db/statement.ts';
import type { Declaration, Filter, Node, Order, Range, Scope, View } from './list.declaration.ts';
import { column } from './list.declaration.ts';

/* The statements of a list: pages and counts, which read one index range. All filters that the range does not apply by itself are
 * conditions on its records. Each combination of filters has statements of its own, which are built when they are first needed. */

/** What the statements of a plan depend on. It has no values, which may be personal data. */
export interface Shape {
  readonly name: string;
  readonly order: Order;
  readonly range: Range;
  /** The conditions that the range applies, and the others. */
  readonly own: readonly Node[];
  readonly others: readonly Node[];
}

const statement = statementsWith({ planOnce: false });

/** Of all lists. There are more combinations of filters, but few are used. */
const MAX_STATEMENTS = 2_000;
const statements = new Map<string, unknown>();

const and = (conditions: readonly RawBuilder<unknown>[]) => sql.join(conditions, sql` and `);

const NOTHING = sql``;
const NO_RANGE = { isOwn: false, isAfter: false, isAscending: false };

interface Select {
  /** None if the records are only counted. */
  readonly columns: readonly string[];
  readonly tail: RawBuilder<unknown>;
  /** Whether the order matters. It does not if all are counted. */
  readonly isSorted: boolean;
  readonly where: readonly Node[];
}

const shapeOf = ({ name, order, range, own, others }: Shape): Shape => ({ name, order, range, own, others });

export const isFilter = (node: Node, name: string): boolean => 'filter' in node && node.filter === name;

export class ListStatements {
  readonly declaration: Declaration;
  readonly views: View<unknown>[] = [];
  readonly #filters: Map<string, Filter>;

  constructor(declaration: Declaration) {
    this.declaration = declaration;
    this.#filters = new Map(Object.entries(declaration.filters));
  }

  get filters(): string[] {
    return [...this.#filters.keys()];
  }

  view<R>(view: View<R>): View<R> {
    this.views.push(view);
    return view;
  }

  /** Adds a filter of a feature that this list's feature must not import (see wiring/handlers.ts). */
  addFilter(name: string, filter: Filter): void {
    this.#filters.set(name, filter);
  }

  pageStatement<R>(
    plan: Shape,
    view: View<R>,
    { isAfter = false, isLimited = false } = {},
  ): Statement<Arguments, R> {
    return this.built(`page ${this.views.indexOf(view)} ${isAfter} ${isLimited}`, plan, (shape) =>
      this.#statement<R>(isAfter, (scope) => {
        const tail = sql`limit ${scope.args.limit} offset ${scope.args.offset}`;
        const rows = isLimited
          ? this.#examined(shape, view.columns, scope, tail)
          : this.#rows(shape, { columns: view.columns, tail, isSorted: true, where: shape.others }, scope);
        return (view.wrap?.(rows, scope, this.#sort(shape, scope)) ?? rows) as RawBuilder<R>;
      }),
    );
  }

  countStatement(
    plan: Shape,
    { isLimited = false, isCapped = false } = {},
  ): Statement<Arguments, { count: number; examined?: number }> {
    return this.built(`count ${isLimited} ${isCapped}`, plan, (shape) =>
      this.#statement(false, (scope) => {
        if (isLimited) return this.#countExamined(shape, scope);
        const tail = isCapped ? sql`limit ${scope.args.cap}` : NOTHING;
        const rows = this.#rows(shape, { columns: [], tail, isSorted: isCapped, where: shape.others }, scope);
        return sql<{ count: number }>`select count(*) as count from (${rows}) as counted`;
      }),
    );
  }

  /** Something that depends on a plan's conditions, such as a search. It is built once, and again if it was rare. */
  built<T>(name: string, plan: Shape, build: (shape: Shape) => T): T {
    const key = `${name} ${plan.name}`;
    const found = statements.get(key) as T | undefined;
    if (found) return found;
    const built = build(shapeOf(plan));
    const [oldest] = statements.keys();
    if (statements.size >= MAX_STATEMENTS && oldest !== undefined) statements.delete(oldest);
    statements.set(key, built);
    return built;
  }

  /** The conditions and the order of a plan, for a statement that joins the records. */
  parts(shape: Shape, args: Arguments, dialect: SqlDialect, table = this.#alias) {
    const workspace = args.workspace as number;
    const scope = { ...NO_RANGE, workspace, args, table, dialect };
    const nodes = [...shape.own, ...shape.others].map((node) => this.#condition(node, scope));
    return { conditions: and([sql`true`, ...nodes]), order: this.#sort(shape, scope) };
  }

  /** A condition on the record with a `seq`, for a search; undefined if every record meets the conditions. */
  meets(shape: Shape) {
    if (shape.own.length + shape.others.length === 0) return undefined;
    return (args: Arguments, seq: RawBuilder<number>, dialect: SqlDialect): RawBuilder<unknown> => {
      const { conditions } = this.parts(shape, args, dialect, 'listed');
      return sql`exists (select 1 from ${sql.table(this.declaration.table)} as listed
        where listed.workspace_id = ${args.workspace} and listed.seq = ${seq} and ${conditions})`;
    };
  }

  get #alias(): string {
    return this.declaration.alias ?? this.declaration.table;
  }

  #statement<R>(isAfter: boolean, build: (scope: Scope) => RawBuilder<R>): Statement<Arguments, R> {
    const { readsDerived = false } = this.declaration;
    return statement(
      (args: Arguments, dialect) => {
        const workspace = args.workspace as number;
        return build({ ...NO_RANGE, workspace, args, table: this.#alias, dialect, isAfter });
      },
      { readsDerived },
    );
  }

  #condition(node: Node, scope: Scope): RawBuilder<unknown> {
    const each = (nodes: readonly Node[]) => nodes.map((one) => this.#condition(one, scope));
    if ('all' in node) return sql`(${and([sql`true`, ...each(node.all)])})`;
    if ('any' in node) return sql`(${sql.join(each(node.any), sql` or `)})`;
    if ('not' in node) return sql`not (${this.#condition(node.not, scope)})`;
    return this.#filter(node.filter)(scope.args[node.argument] as Value, scope);
  }

  #filter(name: string): Filter {
    const filter = this.#filters.get(name) ?? this.declaration.filterNamed?.(name);
    if (!filter) throw new Error(`The list of ${this.declaration.table} has no filter ${name}.`);
    return filter;
  }

  /** `is true` keeps the engines from the index of a condition, and PostgreSQL from a join that would lose the order. */
  #other(node: Node, scope: Scope, keepsRange: Declaration['keepsRange']): RawBuilder<unknown> {
    const condition = this.#condition(node, scope);
    if (keepsRange === 'always') return sql`(${condition}) is true`;
    return keepsRange ? scope.dialect.withinRange(condition) : condition;
  }

  #keys({ order, range }: Shape, scope: Scope): RawBuilder<string>[] {
    const keys = range.keys ?? order.keys ?? ['seq'];
    return keys.map((key) => (typeof key === 'string' ? column(key, scope) : key(scope)));
  }

  #sort(shape: Shape, scope: Scope): RawBuilder<unknown> {
    const direction = shape.order.isAscending ? sql`asc` : sql`desc`;
    return sql.join(this.#keys(shape, scope).map((key) => sql`${key} ${direction}`));
  }

  /** The second comparison is part of the first: SQLite does not use an index over an expression for a comparison of rows. `is true`
   *  keeps PostgreSQL from the index of the key, if the records are found by another. */
  #position(shape: Shape, scope: Scope): RawBuilder<unknown>[] {
    if (!scope.isAfter || shape.range.from) return [];
    const beyond = shape.order.isAscending ? sql`>` : sql`<`;
    const [key, seq] = this.#keys(shape, scope);
    const { key: lastKey, seq: lastSeq } = scope.args;
    if (!seq) return [sql`${key} ${beyond} ${lastSeq}`];
    const isAfter = sql`(${key}, ${seq}) ${beyond} (${lastKey}, ${lastSeq})`;
    if (shape.range.foundBy) return [sql`(${isAfter}) is true`];
    const isExpression = typeof (shape.range.keys ?? shape.order.keys)?.[0] !== 'string';
    return isExpression ? [isAfter, sql`${key} ${beyond}= ${lastKey}`] : [isAfter];
  }

  /** The records of a range that meet other conditions, too, sorted unless all are counted. `examined` limits the range. */
  #rows(
    shape: Shape,
    select: Select,
    scope: Scope,
    examined: RawBuilder<unknown> = NOTHING,
  ): RawBuilder<unknown> {
    const { own, range } = shape;
    const { columns, tail, isSorted, where } = select;
    if (range.derived) return this.#derivedRows(range.derived, shape, select, scope);
    const { table, joins, where: always } = this.declaration;
    const as = table === scope.table ? NOTHING : sql` as ${sql.table(scope.table)}`;
    const index = range.foundBy ? scope.dialect.byIndex(range.foundBy) : NOTHING;
    const ownScope = { ...scope, isOwn: true, isAscending: shape.order.isAscending === true };
    const applied = this.#applied(shape, scope).filter(
      (node) => !((range.from || range.foundBy) && range.by && node === own[0]),
    );
    const conditions = [
      sql`${column('workspace_id', scope)} = ${scope.workspace}`,
      ...applied.map((node) => this.#condition(node, ownScope)),
      ...(range.where ? [range.where(scope, own[0] as Node)] : []),
      ...(range.on ? [range.on(scope)] : []),
      ...this.#position(shape, scope),
      ...where.map((node) => this.#other(node, scope, this.declaration.keepsRange)),
      ...(always ? [always] : []),
    ];
    const isSelected = columns.length > 0;
    return sql`select ${isSelected ? this.#selected(columns, shape, scope) : sql`1`}
      from ${range.from ? sql`${range.from(scope, own[0] as Node, examined)} cross join ` : NOTHING}${sql.table(table)}${as} ${index}
      ${joins && isSelected ? joins(scope) : NOTHING} where ${and(conditions)}
      ${isSorted ? sql`order by ${this.#sort(shape, scope)}` : NOTHING} ${tail}`;
  }

  /** The conditions of a range that a position does not replace. */
  #applied({ own, range, order }: Shape, { isAfter }: Scope): readonly Node[] {
    const begin = isAfter ? range.within?.[order.isAscending ? 0 : 1] : undefined;
    return own.filter((node) => !(begin && isFilter(node, begin)));
  }

  /** The records of a derived table. The other conditions are a subquery for each, or PostgreSQL could scan all records for them. */
  #derivedRows(
    derived: string,
    shape: Shape,
    { columns, tail, isSorted, where }: Select,
    scope: Scope,
  ): RawBuilder<unknown> {
    const found: Scope = { ...scope, table: 'found', isOwn: true };
    const table = sql`${sql.table(this.declaration.table)} as ${sql.table(scope.table)}`;
    const joined = sql`${column('workspace_id', scope)} = ${scope.workspace}
      and ${column('seq', scope)} = ${column('seq', found)}`;
    const others = where.map((node) => this.#condition(node, scope));
    const conditions = [
      sql`${column('workspace_id', found)} = ${scope.workspace}`,
      ...this.#applied(shape, scope).map((node) => this.#condition(node, found)),
      ...this.#position(shape, found),
      ...(others.length > 0
        ? [sql`(exists (select 1 from ${table} where ${and([joined, ...others])})) is true`]
        : []),
    ];
    const seqs = sql`select found.seq from ${sql.table(derived)} as found where ${and(conditions)}`;
    if (!isSorted) return seqs;
    const sorted = sql`${seqs} order by ${this.#sort(shape, found)} ${tail}`;
    return columns.length === 0
      ? sorted
      : sql`select ${this.#selected(columns, shape, scope)} from (${sorted}) as found cross join ${table}
          where ${joined} order by ${this.#sort(shape, scope)}`;
  }

  /** `key` is the first sort key of two, and empty if there is only one. */
  #selected(columns: readonly string[], shape: Shape, scope: Scope): RawBuilder<unknown> {
    const [key, seq] = this.#keys(shape, scope);
    const each = (name: string) => (/\W/.test(name) ? sql.raw(name) : column(name, scope));
    return sql.join(
      columns.map((name) => (name !== 'key' ? each(name) : sql`${seq ? key : sql`''`} as key`)),
    );
  }

  /** The first records of a range as `listed`, and the other conditions on them. The engines read only the columns that are used. */
  #firstOf(shape: Shape, scope: Scope) {
    const examined = sql`limit ${scope.args.examined}`;
    const all = { columns: ['key', `${scope.table}.*`], isSorted: true, where: [] };
    const rows = this.#rows(shape, { ...all, tail: shape.range.from ? NOTHING : examined }, scope, examined);
    const listed = { ...scope, table: 'listed' };
    const conditions = shape.others.map((node) => this.#other(node, listed, 'always'));
    return {
      rows: sql`(${rows}) as listed`,
      listed,
      where: conditions.length > 0 ? sql`where ${and(conditions)}` : NOTHING,
    };
  }

  /** Those of the first records of a range that meet the other conditions. */
  #examined(shape: Shape, columns: readonly string[], scope: Scope, tail: RawBuilder<unknown>) {
    const { rows, listed, where } = this.#firstOf(shape, scope);
    return sql`select ${sql.join(columns.map((name) => column(name, listed)))} from ${rows} ${where} ${tail}`;
  }

  #countExamined(shape: Shape, scope: Scope): RawBuilder<{ count: number; examined: number }> {
    const { rows, where } = this.#firstOf(shape, scope);
    const matching = shape.others.length > 0 ? sql` filter (${where})` : NOTHING;
    return sql`select count(*)${matching} as count, count(*) as examined from ${rows}`;
  }
}
