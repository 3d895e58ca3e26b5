import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { statementsWith, type Value } from '../../db/statement.ts';
import { chain, type MaybePromise } from '../../lib/maybe-promise.ts';
import type { Condition, Node, Plan, Range, Scope, Shape } from '../../records/list.ts';
import { type Definitions, type FieldValue, indexedValue } from '../fields/field.values.ts';
import type { FoundRange } from './contact.terms.ts';
import { comparisons, contactList } from './list.store.ts';

/* Contacts are found by their values of fields and by their tags if few have them, whatever the order of the list: their positions
 * are read from the indexes, intersected and sorted, and only the contacts of the page are read. Otherwise a list walks the range of
 * its order and checks each contact. */

/** The field and the operator of a comparison (see filter.conditions.ts). */
const FIELD_FILTER = /^fields\.(\w+):\w+:(eq|in|lt|lte|gt|gte|is_set|exists)$/;

interface Comparison {
  readonly field: string;
  readonly op: string;
  readonly values: readonly FieldValue[];
}

const comparisonOf = (condition: Condition): Comparison | undefined => {
  if (!('filter' in condition)) return undefined;
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
  const [value = '', ...others] = values.map(indexedValue);
  return { filter: `${field}:${op}`, value: op === 'in' ? JSON.stringify([value, ...others]) : value };
};

/** Ranges that have all contacts which meet the conditions: one for each field, and one for each group of alternatives. */
export const fieldRangesOf = (conditions: readonly Condition[], fields: Definitions): FoundRange[] => {
  const ranges = new Map<string | Condition, { found: Condition[]; applied: Condition[] }>();
  for (const condition of conditions) {
    const some = 'any' in condition ? condition.any : [condition];
    const comparison = merged(some.map(comparisonOf));
    if (comparison && fields.get(comparison.field)?.indexed) {
      const { found = [], applied = [] } = ranges.get(comparison.field) ?? {};
      const next = { found: [...found, indexedBy(comparison)], applied: [...applied, condition] };
      ranges.set(comparison.field, next);
    } else if ('any' in condition) {
      const parts = some.map((one) => ('all' in one ? one.all : [one]));
      const each = parts.map((part) => fieldRangesOf(part, fields)[0]);
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

/** The positions of contacts in an index. */
const seqsOf = (node: Node, scope: RangeScope): RawBuilder<unknown> => {
  const { workspace, args } = scope;
  if ('filter' in node)
    return sql`select seq from contact_tags where workspace_id = ${workspace} and tag = ${args[node.argument]}`;
  const [first, ...others] = rangesIn(node);
  if (first && 'any' in first) {
    const each = first.any.map((one) => seqsOf(one, scope));
    return sql`select seq from (${sql.join(each, sql` union all `)}) as either`;
  }
  const [field = ''] = first && 'filter' in first ? first.filter.split(':') : [];
  const values = [first as Node, ...others].map((one) => compared(one, scope));
  return sql`select seq from contact_field_values
    where workspace_id = ${workspace} and field = ${sql.lit(field)} and ${sql.join(values, sql` and `)}`;
};

const byPositions: Range = {
  by: () => true,
  foundBy: 'sqlite_autoindex_contacts_2',
  where: (scope, node) => {
    const each = rangesIn(node).map((one) => seqsOf(one, scope));
    return scope.dialect.isAmongFew(sql.ref('contacts.seq'), sql.join(each, sql` intersect `));
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
      const counts = rangesIn(own[0]).map(
        (
          each,
          at,
        ) => sql`(select count(*) from (select 1 from (${seqsOf(each, scope)}) as entries limit ${args.few}) as few)
          as ${sql.ref(`count${at}`)}`,
      );
      return sql<Record<string, number>>`select ${sql.join(counts)}`;
    }),
  );

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
  const tags = conditions.filter((each) => 'filter' in each && each.filter === 'tag');
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
