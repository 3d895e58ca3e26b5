import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import type { SqlDialect } from '../../db/dialect.ts';
import { statementsOver } from '../../db/statement.ts';
import type { Condition, Node, Plan, Range } from '../../records/list.ts';
import { type FieldDefinition, type FieldValue, indexedValue } from '../fields/field.values.ts';
import type { FieldRange } from './filter.tree.ts';
import { contactList } from './list.store.ts';

/* Contacts are found by the values of a field if few have them, whatever the order of the list: they are read, checked and sorted.
 * Otherwise a list walks the range of its order and checks each contact. */

/** Before and after every indexed text, by its bytes. */
const FIRST = '';
const LAST = '\u{10ffff}'.repeat(201);

/** The field and the operator of a comparison (see contact.filters.ts). */
const FIELD_FILTER = /^fields\.(\w+):\w+:(eq|in|lt|lte|gt|gte|is_set|exists)$/;

interface Comparison {
  readonly field: string;
  readonly op: string;
  readonly value: FieldValue;
}

const comparisonOf = (condition: Condition): Comparison | undefined => {
  if (!('filter' in condition)) return undefined;
  const [, field, op = ''] = FIELD_FILTER.exec(condition.filter) ?? [];
  return field === undefined ? undefined : { field, op, value: condition.value ?? '' };
};

/** The values that a condition asks for one by one. */
const listed = (condition: Condition): { field: string; values: FieldValue[] } | undefined => {
  const each = 'any' in condition ? condition.any.map(comparisonOf) : [comparisonOf(condition)];
  const [first] = each;
  if (!first || each.some((one) => one?.field !== first.field)) return undefined;
  if (each.every((one) => one?.op === 'eq'))
    return { field: first.field, values: each.map((one) => one?.value ?? '') };
  return first.op === 'in' && each.length === 1
    ? { field: first.field, values: JSON.parse(String(first.value)) as string[] }
    : undefined;
};

/** Index ranges, each of which has all contacts that meet the conditions. */
export const fieldRangesOf = (
  conditions: readonly Condition[],
  fields: ReadonlyMap<string, FieldDefinition>,
): FieldRange[] => {
  const ranges: FieldRange[] = [];
  const bounds = new Map<string, { from: string; to: string }>();
  for (const condition of conditions) {
    const some = listed(condition);
    if (some) ranges.push({ field: some.field, values: JSON.stringify(some.values.map(indexedValue)) });
    const one = some ? undefined : comparisonOf(condition);
    if (!one) continue;
    const { from, to } = bounds.get(one.field) ?? { from: FIRST, to: LAST };
    const value = indexedValue(one.value);
    bounds.set(one.field, {
      from: one.op.startsWith('g') && value > from ? value : from,
      to: one.op.startsWith('l') && value < to ? value : to,
    });
  }
  for (const [field, bound] of bounds) ranges.push({ field, ...bound });
  return ranges.filter(({ field }) => fields.get(field)?.indexed);
};

interface RangeArgs {
  readonly workspace: number;
  readonly field: string;
  readonly from: string;
  readonly to: string;
  readonly values: string;
}

const found = (
  { workspace, field }: RangeArgs,
  values: RawBuilder<unknown>,
) => sql`select seq from contact_field_values
  where workspace_id = ${workspace} and field = ${field} and ${values}`;
const between = (args: RangeArgs) => found(args, sql`value >= ${args.from} and value <= ${args.to}`);
const among = (args: RangeArgs, dialect: SqlDialect) =>
  found(args, dialect.isAmongFew(sql.ref('value'), sql`select value from ${dialect.eachText(args.values)}`));

const statement = statementsOver<unknown>({ readsDerived: true, planOnce: false });
const counted = (rows: RawBuilder<unknown>, limit: number) =>
  sql<{
    count: number;
  }>`select count(*) as count from (${rows} limit ${limit}) as found`;
type CountArgs = Pick<RangeArgs, 'workspace' | 'field'> & { limit: number };
export const countBetween = statement((_, args: CountArgs & { from: string; to: string }) =>
  counted(between(args as RangeArgs & CountArgs), args.limit),
);
export const countAmong = statement((_, args: CountArgs & { values: string }, dialect) =>
  counted(among(args as RangeArgs & CountArgs, dialect), args.limit),
);

/** The arguments of a range are those of the condition that stands for it. */
const argsOf = (node: Node, args: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    ('all' in node ? node.all : []).map((each) =>
      'filter' in each ? [each.filter.slice('found:'.length), args[each.argument]] : [],
    ),
  );

const byField: Range = {
  by: () => true,
  isSorted: true,
  where: ({ workspace, args, dialect }, node) => {
    const range = { ...argsOf(node, args), workspace } as RangeArgs;
    const seqs = 'values' in range ? among(range, dialect) : between(range);
    return dialect.isAmongFew(sql.ref('contacts.seq'), seqs);
  },
};

/** Fewer are faster to sort than a range is to walk. */
const FEW = 2_000;

const count = async (db: Db, workspace: number, range: FieldRange): Promise<number> => {
  const args = { ...range, workspace, limit: FEW };
  const found = 'values' in args ? await db.get(countAmong, args) : await db.get(countBetween, args);
  return Number(found?.count);
};

/** A list whose contacts are found by a range. */
export const fieldPlan = (conditions: readonly Condition[], order: string, range: FieldRange): Plan => {
  const all = Object.entries(range).map(([name, value]) => ({ filter: `found:${name}`, value }));
  return contactList.plan(conditions, order, { range: byField, condition: { all } });
};

/** Plans a list. Of the ranges, the one with the fewest contacts is read if they are few. */
export const planContacts = async (
  db: Db,
  workspace: number,
  { conditions, ranges, order }: { conditions: Condition[]; ranges: readonly FieldRange[]; order: string },
): Promise<Plan> => {
  let fewest: FieldRange | undefined;
  let least = FEW;
  for (const range of ranges) {
    const found = await count(db, workspace, range);
    if (found < least) [fewest, least] = [range, found];
  }
  return fewest ? fieldPlan(conditions, order, fewest) : contactList.plan(conditions, order);
};
