import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { statementsWith, type Value } from '../../db/statement.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import type { Condition, Node, Range, Scope } from '../../records/list.declaration.ts';
import type { Shape } from '../../records/list.statements.ts';
import type { Plan } from '../../records/list.ts';
import { type Definitions, type FieldValue, indexedValue } from '../fields/field.values.ts';
import type { FoundRange } from './contact.terms.ts';
import { comparisons, contactList } from './list.store.ts';

/* Contacts are found by their values of fields, their tags and the countries of their numbers if few have them, whatever the order of
 * the list: their positions are read from the indexes, intersected and sorted, and only the contacts of the page are read. Otherwise a list walks the range of
 * its order and checks each contact. */

/** The field and the operator of a comparison (see filter.conditions.ts). */
const FIELD_FILTER = /^fields\.(\w+):\w+:(eq|in|lt|lte|gt|gte|is_set|exists)$/;

/** The country of a number is the beginning of its identity, which is indexed like a field. */
const COUNTRY = 'phone_country';

interface Comparison {
  readonly field: string;
  readonly op: string;
  readonly values: readonly FieldValue[];
}

const comparisonOf = (condition: Condition): Comparison | undefined => {
  if (!('filter' in condition)) return undefined;
  if (condition.filter === `${COUNTRY}:like`)
    return { field: COUNTRY, op: 'like', values: [String(condition.value).slice(0, -1)] };
  const [, field, op = ''] = FIELD_FILTER.exec(condition.filter) ?? [];
  if (field === undefined) return undefined;
  const { value = '' } = condition;
  return { field, op, values: op === 'in' ? JSON.parse(String(value)) : [value ?? ''] };
};

/** One of several equal values is `in`. */
const merged = (some: readonly (Comparison | undefined)[]): Comparison | undefined => {
  const [first] = some;
  if (!first || some.length === 1) return first;
  const isSame = some.every((one) => one?.field === first.field && (one.op === 'eq' || one.op === 'in'));
  return isSame ? { ...first, op: 'in', values: some.flatMap((one) => one?.values ?? []) } : undefined;
};

/** A comparison of index entries. */
const indexedBy = ({ field, op, values }: Comparison): Condition => {
  const [value = '', ...others] = field === COUNTRY ? values.map(String) : values.map(indexedValue);
  return { filter: `${field}:${op}`, value: op === 'in' ? JSON.stringify([value, ...others]) : value };
};

const isTag = (each: Condition | Node): boolean => 'filter' in each && each.filter === 'tag';

/** An alternative's range, whose contacts must have the tags beside it as well. */
const withTags = (range: FoundRange | undefined, tags: readonly Condition[]): FoundRange | undefined =>
  range && { found: { all: [range.found, ...tags] }, applied: [...range.applied, ...tags] };

/** Ranges that have all contacts which meet the conditions: one for each field, and one for each group of alternatives. */
export const fieldRangesOf = (conditions: readonly Condition[], fields: Definitions): FoundRange[] => {
  const ranges = new Map<string | Condition, { found: Condition[]; applied: Condition[] }>();
  for (const condition of conditions) {
    const some = 'any' in condition ? condition.any : [condition];
    const comparison = merged(some.map(comparisonOf));
    if (comparison && (comparison.field === COUNTRY || fields.get(comparison.field)?.indexed)) {
      const { found = [], applied = [] } = ranges.get(comparison.field) ?? {};
      const next = { found: [...found, indexedBy(comparison)], applied: [...applied, condition] };
      ranges.set(comparison.field, next);
    } else if ('any' in condition) {
      const parts = some.map((one) => ('all' in one ? one.all : [one]));
      const each = parts.map((part) => withTags(fieldRangesOf(part, fields)[0], part.filter(isTag)));
      const found = each.flatMap((one) => one?.found ?? []);
      const isExact = each.every((one, at) => one?.applied.length === parts[at]?.length);
      if (found.length === each.length)
        ranges.set(condition, { found: [{ any: found }], applied: isExact ? [condition] : [] });
    }
  }
  return [...ranges.values()].map(({ found, applied }) => ({ found: { all: found }, applied }));
};

const rangesIn = (node: Node | undefined): readonly Node[] => (node && 'all' in node ? node.all : []);

type RangeScope = Pick<Scope, 'workspace' | 'args' | 'dialect'>;

/** A condition on the values of a field's index. */
const compared = (node: Node, { args, dialect }: RangeScope): RawBuilder<unknown> => {
  if (!('filter' in node)) throw new Error('A range compares values.');
  const op = node.filter.slice(node.filter.lastIndexOf(':') + 1) as keyof typeof comparisons;
  const [column, value] = [sql.ref<string>('value'), args[node.argument] as Value];
  if (op === 'in')
    return dialect.isAmongFew(column, sql`select value from ${dialect.eachText(value as string)}`);
  return comparisons[op](column, value, { dialect });
};

/** All of a country's identities begin with its code, and `:` follows the digits. */
const seqsOfCountry = (nodes: readonly Node[], { workspace, args, dialect }: RangeScope) => {
  const identity = dialect.bytewise(sql.ref('phone_identity'));
  const each = nodes.map((node) => {
    const code = 'filter' in node ? args[node.argument] : null;
    return sql`${identity} >= ${code} and ${identity} < ${code} || ':'`;
  });
  const index = dialect.byIndex('sqlite_autoindex_contacts_3');
  return sql`select seq from contacts ${index} where workspace_id = ${workspace} and ${sql.join(each, sql` and `)}`;
};

/** Those of few positions whose contacts have all tags. */
const withAllTags = (positions: RawBuilder<unknown>, tags: readonly Node[], scope: RangeScope) =>
  tags.reduce(
    (found, tag) =>
      sql`${seqsOf(tag, scope)} and ${scope.dialect.isAmongFew(sql.ref('contact_tags.seq'), found)}`,
    positions,
  );

/** The positions of contacts in an index. Counting them takes those of all alternatives, and ignores the tags of an alternative. */
const seqsOf = (node: Node, scope: RangeScope, isCount = false): RawBuilder<unknown> => {
  const { workspace, args } = scope;
  if ('filter' in node)
    return sql`select seq from contact_tags where workspace_id = ${workspace} and tag = ${args[node.argument]}`;
  const [first, ...others] = rangesIn(node);
  if (first && 'any' in first) {
    const each = first.any.map((one) => seqsOf(one, scope, isCount));
    return sql`select seq from (${sql.join(each, isCount ? sql` union all ` : sql` union `)}) as either`;
  }
  if (first && 'all' in first) {
    const ranged = seqsOf(first, scope, isCount);
    return isCount ? ranged : withAllTags(ranged, others, scope);
  }
  const [field = ''] = first && 'filter' in first ? first.filter.split(':') : [];
  if (field === COUNTRY) return seqsOfCountry([first as Node, ...others], scope);
  const values = [first as Node, ...others].map((one) => compared(one, scope));
  return sql`select seq from contact_field_values
    where workspace_id = ${workspace} and field = ${sql.lit(field)} and ${sql.join(values, sql` and `)}`;
};

/** The positions that all ranges have, each once. */
const positionsOf = (node: Node | undefined, scope: RangeScope): RawBuilder<unknown> =>
  sql.join(
    rangesIn(node).map((one) => seqsOf(one, scope)),
    sql` intersect `,
  );

const byPositions: Range = {
  by: () => true,
  foundBy: 'sqlite_autoindex_contacts_2',
  where: (scope, node) => {
    return scope.dialect.isAmongFew(sql.ref('contacts.seq'), positionsOf(node, scope));
  },
};

/** Fewer are faster to sort than a range is to walk. */
const FEW = 2_000;

const statement = statementsWith({ readsDerived: true, planOnce: false });

/** How many contacts each range has, up to `few`. */
export const countsOf = (plan: Plan) =>
  contactList.built('counts', plan, ({ own }: Shape) =>
    statement((args: Plan['args'], dialect) => {
      const scope = { workspace: args.workspace as number, args, dialect };
      const counts = rangesIn(own[0]).map((each, at) => {
        const few = sql`select 1 from (${seqsOf(each, scope, true)}) as entries limit ${args.few}`;
        return sql`(select count(*) from (${few}) as few) as ${sql.ref(`count${at}`)}`;
      });
      return sql<Record<string, number>>`select ${sql.join(counts)}`;
    }),
  );

/** Whether positions tell all that a page needs to choose its contacts: their order, and the conditions besides the ranges. */
export const isByPosition = ({ order, range, others }: Plan): boolean =>
  range.foundBy !== undefined && !(order.keys ?? range.keys) && others.every(isTag);

/** Whether one field finds the contacts. */
const isOneRange = (node: Node | undefined): boolean => {
  const [first, ...others] = rangesIn(node);
  return (
    first !== undefined &&
    others.length === 0 &&
    rangesIn(first).every((each) => 'filter' in each && !each.filter.startsWith(COUNTRY))
  );
};

/** A page of such a plan, and how many contacts there are. Only the contacts of the page are read. */
export const pageByPosition = (plan: Plan) =>
  contactList.built('positions', plan, (shape: Shape) =>
    statement((args: Plan['args'] & PositionPage, dialect) => {
      const { workspace, seq, limit, offset } = args;
      const scope = { workspace, args, dialect };
      const positions = withAllTags(positionsOf(shape.own[0], scope), shape.others, scope);
      const [before, to] = shape.order.isAscending ? [sql`<`, sql`asc`] : [sql`>`, sql`desc`];
      // The page of one range is the beginning of its index. Others are computed once for the page and the total.
      const isOne = shape.others.length === 0 && isOneRange(shape.own[0]);
      return sql<SortedRow>`
        with positions as ${isOne ? sql`not materialized` : sql`materialized`} (${positions})
        select page.seq, '' as key, page.total, contacts.wire from (
          select seq, (select count(*) from positions) as total from positions where ${seq} ${before} seq
          order by seq ${to} limit ${limit} offset ${offset}
        ) as page cross join contacts where contacts.workspace_id = ${workspace} and contacts.seq = page.seq
        order by page.seq ${to}`;
    }),
  );
type PositionPage = { workspace: number; seq: number; limit: number; offset: number };
type SortedRow = { seq: number; key: string; wire: string; total: number };

/** A list whose contacts are found by ranges. */
export const foundPlan = (
  conditions: readonly Condition[],
  order: string,
  ranges: readonly FoundRange[],
): Plan => {
  const applied = new Set(ranges.flatMap((range) => range.applied));
  const condition = { all: ranges.map(({ found }) => found) };
  return contactList.plan(conditions, order, { range: byPositions, condition, applied });
};

const isNamed = (condition: Condition): boolean => 'filter' in condition && condition.filter === 'ids';

/** Plans a list. Ranges with few contacts are read, unless the contacts are named. */
export const planContacts = (
  db: Db,
  workspace: number,
  { conditions, ranges = [], order }: PlannedList,
): MaybePromise<Plan> => {
  if (ranges.length === 0 || conditions.some(isNamed)) return contactList.plan(conditions, order);
  const tags = conditions.filter(isTag);
  const all = [...ranges, ...tags.map((tag) => ({ found: tag, applied: [tag] }))];
  const plan = foundPlan(conditions, order, all);
  return chain(db.get(countsOf(plan), { ...plan.args, workspace, few: FEW }), (counts = {}) => {
    const few = all.filter((_, at) => Number(counts[`count${at}`]) < FEW);
    if (few.length === all.length) return plan;
    return few.length > 0 ? foundPlan(conditions, order, few) : contactList.plan(conditions, order);
  });
};
interface PlannedList {
  readonly conditions: readonly Condition[];
  readonly ranges?: readonly FoundRange[] | undefined;
  readonly order: string;
}
