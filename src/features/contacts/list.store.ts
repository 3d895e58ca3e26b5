import { type RawBuilder, sql } from 'kysely';
import type { MemberKind, SqlDialect } from '../../db/dialect.ts';
import type { Value } from '../../db/statement.ts';
import {
  atMost,
  before,
  bothWays,
  column,
  equals,
  type Filter,
  type Node,
  type Range,
  type Scope,
  since,
} from '../../records/list.declaration.ts';
import { List } from '../../records/list.ts';
import { tagCounter } from './contact.derived.ts';
import { APOSTROPHES } from './contact.terms.ts';

/* The list of contacts with all its filters and orders. Other features add filters that read their tables (see filter.conditions.ts). */

const namesIn = (scope: Scope) =>
  ['display_name', 'first_name', 'last_name'].map((name) => column(name, scope));

/** The expressions of the indexes `contacts_by_email` and `contacts_by_name`. */
const emailOf = (scope: Scope) => scope.dialect.lowerAscii(column('email', scope));
const nameOf = (scope: Scope) => {
  const [display, first, last] = namesIn(scope);
  const name = sql<string>`coalesce(nullif(${display}, ''), ${first} || ' ' || ${last}, ${first}, ${last}, '')`;
  return scope.dialect.firstCharacters(scope.dialect.lowerAscii(name), 100);
};

/** No name to show, as `nameOf` in contact.schema.ts defines it; the condition of the index `contacts_without_name`. */
const isNameless = (scope: Scope) =>
  sql.join(
    namesIn(scope).map((name) => sql`coalesce(${name}, '') = ''`),
    sql` and `,
  );

/** Whether the searchable text, with only one kind of apostrophe, or the number of a contact matches all patterns of a JSON array
 *  (see contact.terms.ts). */
export const matchesWords = (words: string, table: string, dialect: SqlDialect) => {
  const haystack = APOSTROPHES.slice(1).reduce(
    (text, apostrophe) => sql`replace(${text}, ${sql.lit(apostrophe)}, '''')`,
    sql`${sql.ref(`${table}.search_text`)} || ' ' || ${sql.ref(`${table}.search_phone`)}`,
  );
  return sql`not exists (select 1 from ${dialect.eachText(words)} where ${haystack} not like value escape '\\')`;
};

/** Newest first, a range of `contacts_by_source` has one source and begins after the position. With an equation, the engines would
 *  read all contacts by `seq`. */
const source: Filter = (value, scope) => {
  const name = column('source', scope);
  if (!scope.isOwn || scope.isAscending) return sql`${name} = ${value}`;
  return scope.isAfter ? sql`${name} >= ${value}` : sql`${name} >= ${value} and ${name} <= ${value}`;
};

const isLike =
  (name: string): Filter =>
  (pattern, scope) =>
    sql`${column(name, scope)} like ${pattern} escape '\\'`;

const hasTag: Filter = (tag, scope) => sql`exists (select 1 from contact_tags
  where contact_tags.workspace_id = ${scope.workspace} and contact_tags.tag = ${tag}
  and contact_tags.seq = ${column('seq', scope)})`;

/** The name to show, as `nameOf` in contact.schema.ts defines it. */
const shownName = (scope: Scope) => {
  const [display, first, last] = namesIn(scope).map((name) => sql`nullif(${name}, '')`);
  return sql<string>`coalesce(${display}, ${first} || ' ' || ${last}, ${first}, ${last})`;
};

/** What a filter compares. */
type Compared = (scope: Scope) => RawBuilder<string>;

const comparedColumn = (name: string) => [name, (scope: Scope) => column(name, scope)] as const;

/** The times are texts, too. */
const COMPARED_COLUMNS = [
  ...['first_name', 'last_name', 'display_name', 'email', 'company', 'notes', 'source'],
  ...['created_at', 'updated_at', 'first_contact_at', 'last_contact_at'],
];

const comparedTexts = new Map<string, Compared>([
  [
    'phone_number',
    (scope) => sql`coalesce(${column('phone_identity', scope)}, ${column('phone_number', scope)})`,
  ],
  ['phone_country', (scope) => column('phone_identity', scope)],
  ['name', shownName],
  ...COMPARED_COLUMNS.map(comparedColumn),
]);

type Compare = (text: RawBuilder<string>, value: Value, scope: Pick<Scope, 'dialect'>) => RawBuilder<unknown>;

/** The comparisons of a text or a number. A pattern ignores the case of A to Z. */
export const comparisons = {
  eq: (text, value) => sql`${text} = ${value}`,
  in: (text, values, { dialect }) =>
    sql`${text} in (select value from ${dialect.eachText(values as string)})`,
  inNumbers: (number, values, { dialect }) =>
    sql`${number} in (select cast(value as double precision) from ${dialect.eachText(values as string)})`,
  lt: (text, value) => sql`${text} < ${value}`,
  lte: (text, value) => sql`${text} <= ${value}`,
  gt: (text, value) => sql`${text} > ${value}`,
  gte: (text, value) => sql`${text} >= ${value}`,
  like: (text, pattern, { dialect }) => sql`${dialect.lowerAscii(text)} like ${pattern} escape '\\'`,
  is_set: (text) => sql`${text} <> ''`,
  exists: (value) => sql`${value} is not null`,
} satisfies Record<string, Compare>;

/** The value of a contact's field, `plan:text` for example. */
const comparedField = (name: string): Compared => {
  const [key = '', kind] = name.split(':');
  return (scope) => scope.dialect.member(column('fields', scope), key, kind as MemberKind);
};

/** A comparison, `company:in` or `fields.plan:text:eq` for example. A contact without a value does not meet it. */
const comparison = (name: string): Filter | undefined => {
  const [, field, attribute = '', op = ''] = /^(fields\.)?(.*):([a-z_]+)$/.exec(name) ?? [];
  const compared = field ? comparedField(attribute) : comparedTexts.get(attribute);
  const isNumbers = op === 'in' && attribute.endsWith(':number');
  const compare = comparisons[isNumbers ? 'inNumbers' : (op as keyof typeof comparisons)];
  if (!compared || !compare) return undefined;
  return (value, scope) => sql`(${compare(compared(scope), value, scope)}) is true`;
};

type Direction = 'asc' | 'desc';

/** The contacts with a tag. */
const ofTag = (
  node: Node,
  { workspace, args, isAfter }: Scope,
  limit: RawBuilder<unknown>,
  to: Direction,
) => {
  const position = isAfter ? sql`and seq ${sql.raw(to === 'asc' ? '>' : '<')} ${args.seq}` : sql``;
  return sql`select seq from contact_tags where workspace_id = ${workspace}
    and tag = ${'filter' in node ? args[node.argument] : null} ${position} order by seq ${sql.raw(to)} ${limit}`;
};

const joined = { on: () => sql`contacts.seq = found.seq`, keys: [() => sql<string>`found.seq`] };

const tagged = (to: Direction): Range => ({
  ...joined,
  by: 'tag',
  from: (scope, node, limit) => sql`(${ofTag(node, scope, limit, to)}) as found`,
});

/** The contacts with some ids, oldest first. The join is in this order, or SQLite would scan all contacts. */
const named: Range = {
  ...joined,
  by: 'ids',
  from: ({ workspace, args, dialect, isAfter }, node, limit) => {
    const ids = ('filter' in node ? args[node.argument] : '') as string;
    return sql`(select named.seq from (select value from ${dialect.eachText(ids)}) as wanted
      cross join contacts as named where named.workspace_id = ${workspace} and named.id = wanted.value
      ${isAfter ? sql`and named.seq > ${args.seq}` : sql``} order by named.seq ${limit}) as found`;
  },
};

const isAnyTag = (node: Node): node is { any: Node[] } =>
  'any' in node && node.any.every((each) => 'filter' in each && each.filter === 'tag');

/** The newest contacts of each tag, merged. */
const taggedAny: Range = {
  ...joined,
  by: isAnyTag,
  from: (scope, node, limit) => {
    const each = isAnyTag(node) ? node.any : [];
    const some = each.map(
      (tag, at) => sql`select seq from (${ofTag(tag, scope, limit, 'desc')}) as ${sql.table(`tag${at}`)}`,
    );
    return sql`(select seq from (${sql.join(some, sql` union `)}) as merged order by seq desc ${limit}) as found`;
  },
};

const isWithout = (filter: string) => (node: Node) =>
  'not' in node && 'filter' in node.not && node.not.filter === filter;

const bySource: Range = { by: 'source', keys: ['source', 'seq'] };
/** The conditions of their indexes. */
const withoutName: Range = { by: isWithout('has_name'), where: isNameless };
const withoutEmail: Range = { by: isWithout('has_email'), where: () => sql`contacts.email is null` };

/** Contacts in the order of a time, which also bounds the range. */
const byTime = (column: string, ...within: NonNullable<Range['within']>) =>
  bothWays(column, { ranges: [{ within }], keys: [column, 'seq'] });

export const contactList = new List({
  table: 'contacts',
  filterNamed: comparison,
  filters: {
    source,
    company: (value, scope) =>
      sql`(${column('company', scope)} is not null and ${column('company', scope)} = ${value})`,
    email: (value, scope) => sql`(${column('email', scope)} is not null and ${emailOf(scope)} = ${value})`,
    created_since: since('created_at'),
    created_before: before('created_at'),
    updated_since: since('updated_at'),
    last_contact_since: since('last_contact_at'),
    last_contact_before: before('last_contact_at'),
    has_email: (_, scope) => sql`${column('email', scope)} is not null`,
    has_name: (_, scope) => sql`not (${isNameless(scope)})`,
    pattern: isLike('search_text'),
    digits: isLike('search_phone'),
    words: (value, { table, dialect }) => matchesWords(value as string, table, dialect),
    tag: hasTag,
    tagged: (_, scope) => sql`${column('tags', scope)} <> '[]'`,
    id: equals('id'),
    ids: (ids, scope) =>
      sql`${column('id', scope)} in (select value from ${scope.dialect.eachText(ids as string)})`,
    created_until: atMost('created_at'),
    conflict: (_, scope) => sql`${column('phone_conflict', scope)} = 1`,
  },
  orders: {
    newest: {
      ranges: [
        { by: 'email' },
        tagged('desc'),
        { by: 'company' },
        withoutName,
        taggedAny,
        bySource,
        withoutEmail,
        { by: 'conflict' },
        {},
      ],
    },
    /** For work that processes every contact. */
    oldest: {
      ranges: [named, tagged('asc'), { by: 'company' }, withoutName, { by: 'source' }, withoutEmail, {}],
      isAscending: true,
    },
    ...byTime('created_at', 'created_since', 'created_before'),
    ...byTime('updated_at', 'updated_since'),
    ...byTime('last_contact_at', 'last_contact_since', 'last_contact_before'),
    ...bothWays('name', { ranges: [{}], keys: [nameOf, 'seq'] }),
  },
  counter: (conditions, { by }) => {
    const [only] = conditions;
    if (!only) return 'contacts';
    const isTag = by === 'tag' && conditions.length === 1 && 'filter' in only;
    return isTag ? tagCounter(String(only.value)) : undefined;
  },
  readsDerived: true,
  keepsRange: 'unsorted',
});

export const contactRows = contactList.view<{ seq: number; key: string; wire: string }>({
  columns: ['seq', 'key', 'wire'],
});
