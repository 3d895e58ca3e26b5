import { type RawBuilder, sql } from 'kysely';
import type { SqlDialect } from '../../db/dialect.ts';
import { type Statement, statementsOver } from '../../db/statement.ts';
import type { Page } from '../../lib/page.ts';
import type { ContactTables } from './contact.store.ts';
import { APOSTROPHES } from './contact.terms.ts';

/* Sorted and filtered lists of contacts. A list reads one range of one index, in its order. All other filters are conditions on the
 * contacts of that range. A page with a cursor begins after the last contact of the page before and examines a limited number of
 * contacts, so its work does not grow with the workspace. A page with a number counts the contacts before it. */

const statement = statementsOver<ContactTables>({ readsDerived: true });

const SLOTS = ['tag0', 'tag1', 'tag2', 'tag3', 'tag4', 'tag5', 'tag6', 'tag7', 'tag8', 'tag9'] as const;
type TagSlot = (typeof SLOTS)[number];

/** The arguments for up to ten tags. */
export const tagSlots = (tags: readonly string[]): Record<TagSlot, string> =>
  Object.fromEntries(SLOTS.map((slot, at) => [slot, tags[at] ?? ''])) as Record<TagSlot, string>;

/** `yes`, `no`, or empty if both are right. */
export type Flag = 'yes' | 'no' | '';

/** Conditions that a contact must meet. Empty texts and lists count as absent. Times are compared as texts, so an absent start is
 *  empty, and an absent end is `NO_END`. */
export type Conditions = {
  source: string;
  company: string;
  email: string;
  created_since: string;
  created_before: string;
  updated_since: string;
  last_contact_since: string;
  last_contact_before: string;
  last_activity_since: string;
  last_activity_before: string;
  campaign: string;
  import: string;
  has_email: Flag;
  has_name: Flag;
  in_campaign: Flag;
  called: Flag;
  /** A JSON array of patterns that the searchable text contains, all of them. */
  words: string;
  /** A pattern of the searchable text, and of the digits of the number. */
  pattern: string;
  digits: string | null;
  /** JSON arrays of tags: the contact has all, and any of them. */
  all: string;
  any: string;
};

/** After every time, because times begin with a digit. */
export const NO_END = 'z';

export type RangeArgs = Conditions & {
  workspace: number;
  /** The position after which the range begins. */
  key: string;
  seq: number;
  /** How many contacts of the range are examined. */
  examined: number;
  limit: number;
  skipped: number;
  offset: number;
  /** How many contacts a page with a number finds, at most. */
  found: number;
  tag: string;
} & Record<TagSlot, string>;

export type ListedRow = { seq: number; key: string; wire: string };

/** The position of a contact in the range. */
export type Position = { seq: number; key: string };

/** The expressions of the indexes `contacts_by_email` and `contacts_by_name`. */
const emailOf = (dialect: SqlDialect) => dialect.lowerAscii(sql`email`);
const nameOf = (dialect: SqlDialect) => {
  const name = sql<string>`coalesce(nullif(display_name, ''), first_name || ' ' || last_name, first_name, last_name, '')`;
  return dialect.firstCharacters(dialect.lowerAscii(name), 100);
};

/** No name to show, as `nameOf` in contact.schema.ts defines it; the condition of the index `contacts_without_name`. */
const WITHOUT_NAME = sql`coalesce(display_name, '') = '' and coalesce(first_name, '') = '' and coalesce(last_name, '') = ''`;

const hasTag = (workspace: number) => sql`exists (select 1 from contact_tags
  where contact_tags.workspace_id = ${workspace} and contact_tags.tag = value and contact_tags.seq = listed.seq)`;

/** Whether the contact has an entry in a table of another feature. */
const hasEntry = (table: string, workspace: number, condition = sql``) => {
  const entries = sql.table(table);
  return sql`exists (select 1 from ${entries}
    where ${entries}.workspace_id = ${workspace} and ${entries}.contact_id = listed.id ${condition})`;
};

const isAs = (flag: Flag, condition: RawBuilder<unknown>) =>
  sql`(${flag} = '' or (${condition}) = (${flag} = 'yes'))`;

/** Whether the searchable text, with only one kind of apostrophe, or the number of a contact matches all patterns of a JSON array
 *  (see contact.terms.ts). */
export const matchesWords = (words: string, table: string, dialect: SqlDialect) => {
  const haystack = APOSTROPHES.slice(1).reduce(
    (text, apostrophe) => sql`replace(${text}, ${sql.lit(apostrophe)}, '''')`,
    sql`${sql.ref(`${table}.search_text`)} || ' ' || ${sql.ref(`${table}.search_phone`)}`,
  );
  return sql`not exists (select 1 from ${dialect.eachText(words)} where ${haystack} not like value escape '\\')`;
};

/** Whether the last call or message of the contact started within the times. */
const isActive = ({ workspace, last_activity_since: since, last_activity_before: before }: ConditionArgs) =>
  sql`((${since} = '' and ${before} = ${sql.lit(NO_END)})
    or (${hasEntry('calls', workspace, sql`and calls.started_at >= ${since} and calls.started_at < ${before}`)}
      and not ${hasEntry('calls', workspace, sql`and calls.started_at >= ${before}`)}))`;

type ConditionArgs = Conditions & { workspace: number };

/** Whether the contact `listed` meets all conditions. The cheap ones come first. */
const meets = (args: ConditionArgs, dialect: SqlDialect) => sql`
  (${args.source} = '' or source = ${args.source})
  and (${args.company} = '' or company = ${args.company})
  and (${args.email} = '' or (email is not null and ${emailOf(dialect)} = ${args.email}))
  and created_at >= ${args.created_since} and created_at < ${args.created_before}
  and updated_at >= ${args.updated_since}
  and last_contact_at >= ${args.last_contact_since} and last_contact_at < ${args.last_contact_before}
  and ${isAs(args.has_email, sql`email is not null`)}
  and ${isAs(args.has_name, sql`not (${WITHOUT_NAME})`)}
  and (${args.pattern} = '' or search_text like ${args.pattern} escape '\\'
    or search_phone like ${args.digits} escape '\\')
  and ${matchesWords(args.words, 'listed', dialect)}
  and not exists (select 1 from ${dialect.eachText(args.all)} where not ${hasTag(args.workspace)})
  and (${args.any} = '[]' or exists (select 1 from ${dialect.eachText(args.any)} where ${hasTag(args.workspace)}))
  and (${args.campaign} = '' or ${hasEntry('enrollments', args.workspace, sql`and enrollments.campaign_id = ${args.campaign}`)})
  and (${args.import} = '' or ${hasEntry(
    'import_rows',
    args.workspace,
    sql`and import_rows.import_id = ${args.import} and import_rows.effect in ('created', 'updated', 'edited_since')`,
  )})
  and ${isAs(args.in_campaign, hasEntry('enrollments', args.workspace))}
  and ${isAs(args.called, hasEntry('calls', args.workspace))}
  and ${isActive(args)}`;

/** Whether the contact with a `seq` meets all conditions. */
export const meetsAt = (
  args: ConditionArgs,
  seq: RawBuilder<number>,
  dialect: SqlDialect,
) => sql`exists (select 1 from contacts as listed
  where listed.workspace_id = ${args.workspace} and listed.seq = ${seq} and ${meets(args, dialect)})`;

const COLUMNS = sql.raw(
  [
    'seq',
    'id',
    'wire',
    'source',
    'company',
    'email',
    'display_name',
    'first_name',
    'last_name',
    'search_text',
    'search_phone',
    'created_at',
    'updated_at',
    'last_contact_at',
  ]
    .map((column) => `contacts.${column}`)
    .join(', '),
);

/** Without a limit, a range has all of its contacts. */
type Range = (args: RangeArgs, dialect: SqlDialect, limit: RawBuilder<unknown>) => RawBuilder<unknown>;

interface Sorted {
  readonly key: (dialect: SqlDialect) => RawBuilder<string>;
  readonly direction: 'asc' | 'desc';
  /** The lowest key of a descending range, and the key at which an ascending one ends. */
  readonly from?: (args: RangeArgs) => RawBuilder<unknown>;
  readonly end?: (args: RangeArgs) => RawBuilder<unknown>;
}

/** Contacts in the order of a column or expression. The second comparison is part of the first: SQLite does not use an index
 *  over an expression for a comparison of rows. */
const sorted =
  ({ key: keyOf, direction, from, end }: Sorted): Range =>
  (args, dialect, limit) => {
    const key = keyOf(dialect);
    const order = sql.raw(direction);
    const beyond = sql.raw(direction === 'asc' ? '>' : '<');
    return sql`select ${COLUMNS}, ${key} as key from contacts where workspace_id = ${args.workspace}
      and (${key}, seq) ${beyond} (${args.key}, ${args.seq}) and ${key} ${beyond}= ${args.key}
      ${from ? sql`and ${key} >= ${from(args)}` : sql``} ${end ? sql`and ${key} < ${end(args)}` : sql``}
      order by ${key} ${order}, seq ${order} ${limit}`;
  };

/** Contacts that meet a condition for which there is an index, newest first. */
const newest =
  (condition: (args: RangeArgs, dialect: SqlDialect) => RawBuilder<unknown>): Range =>
  (args, dialect, limit) =>
    sql`select ${COLUMNS}, '' as key from contacts where workspace_id = ${args.workspace}
    ${condition(args, dialect)} and seq < ${args.seq} order by seq desc ${limit}`;

const ofTag = (args: RangeArgs, tag: string, limit: RawBuilder<unknown>) => sql`select seq from contact_tags
  where workspace_id = ${args.workspace} and tag = ${tag} and seq < ${args.seq} order by seq desc ${limit}`;

/** Contacts with a `seq` of a select, newest first. */
const bySeq = (args: RangeArgs, seqs: RawBuilder<unknown>) => sql`select ${COLUMNS}, '' as key
  from (${seqs}) as found cross join contacts
  where contacts.workspace_id = ${args.workspace} and contacts.seq = found.seq order by found.seq desc`;

const tagged: Range = (args, _, limit) => bySeq(args, ofTag(args, args.tag, limit));

/** The newest contacts of each tag, merged. Unused slots are empty texts, which no tag is. */
const taggedAny: Range = (args, _, limit) => {
  const slots = SLOTS.map(
    (slot) => sql`select seq from (${ofTag(args, args[slot], limit)}) as ${sql.table(slot)}`,
  );
  const merged = sql`select seq from (${sql.join(slots, sql` union `)}) as merged order by seq desc ${limit}`;
  return bySeq(args, merged);
};

const column = (name: string) => () => sql<string>`${sql.raw(name)}`;

const WITHOUT_EMAIL = sql`email is null`;

const ranges = {
  newest: newest(() => sql``),
  source: sorted({ key: column('source'), direction: 'desc', from: ({ source }) => sql`${source}` }),
  company: newest(({ company }) => sql`and company = ${company}`),
  email: newest(({ email }, dialect) => sql`and email is not null and ${emailOf(dialect)} = ${email}`),
  withoutEmail: newest(() => sql`and ${WITHOUT_EMAIL}`),
  withoutName: newest(() => sql`and ${WITHOUT_NAME}`),
  tagged,
  taggedAny,
  created_at: sorted({
    key: column('created_at'),
    direction: 'asc',
    end: ({ created_before }) => sql`${created_before}`,
  }),
  '-created_at': sorted({
    key: column('created_at'),
    direction: 'desc',
    from: ({ created_since }) => sql`${created_since}`,
  }),
  updated_at: sorted({ key: column('updated_at'), direction: 'asc' }),
  '-updated_at': sorted({
    key: column('updated_at'),
    direction: 'desc',
    from: ({ updated_since }) => sql`${updated_since}`,
  }),
  last_contact_at: sorted({
    key: column('last_contact_at'),
    direction: 'asc',
    end: ({ last_contact_before }) => sql`${last_contact_before}`,
  }),
  '-last_contact_at': sorted({
    key: column('last_contact_at'),
    direction: 'desc',
    from: ({ last_contact_since }) => sql`${last_contact_since}`,
  }),
  name: sorted({ key: nameOf, direction: 'asc' }),
  '-name': sorted({ key: nameOf, direction: 'desc' }),
} satisfies Record<string, Range>;

export type RangeName = keyof typeof ranges;

export interface RangeStatements {
  /** The first contacts of the range that meet the conditions. */
  readonly page: Statement<RangeArgs, ListedRow>;
  /** The last contact that a page examines; undefined if the range ends before it. */
  readonly end: Statement<RangeArgs, Position>;
  /** How many of the examined contacts meet the conditions. */
  readonly count: Statement<RangeArgs, { count: number }>;
  /** The page at an offset, and the total, which ends at `found`. */
  readonly numbered: Statement<RangeArgs, Page>;
}

/** The contacts get their positions in the order of the range, so that they are looked up only for the page. */
const numbered = (range: Range) => (args: RangeArgs, dialect: SqlDialect) => {
  const met = sql`select seq from (${range(args, dialect, sql``)}) as listed
    where ${meets(args, dialect)} limit ${args.found}`;
  return sql<Page>`with found as materialized (select seq, row_number() over () as position from (${met}) as met)
    select (select count(*) from found) as total, coalesce((
      select string_agg(wire, ',' order by position) from (
        select contacts.wire, found.position from found cross join contacts
        where found.position > ${args.offset} and found.position - ${args.limit} <= ${args.offset}
          and contacts.workspace_id = ${args.workspace} and contacts.seq = found.seq
      ) as page), '') as json`;
};

/** The best plan depends on how many contacts meet the conditions. */
const pageStatement = (range: Range): Statement<RangeArgs, Page> =>
  statement((_, args: RangeArgs, dialect) => numbered(range)(args, dialect), { planOnce: false });

const statementsOf = (range: Range): RangeStatements => {
  const examined = (args: RangeArgs, dialect: SqlDialect) =>
    range(args, dialect, sql`limit ${args.examined}`);
  return {
    page: statement(
      (
        _,
        args: RangeArgs,
        dialect,
      ) => sql<ListedRow>`select seq, key, wire from (${examined(args, dialect)}) as listed
        where ${meets(args, dialect)} limit ${args.limit}`,
    ),
    end: statement(
      (
        _,
        args: RangeArgs,
        dialect,
      ) => sql<Position>`select seq, key from (${examined(args, dialect)}) as listed
        limit 1 offset ${args.skipped}`,
    ),
    count: statement(
      (_, args: RangeArgs, dialect) => sql<{ count: number }>`select count(*) as count
        from (${examined(args, dialect)}) as listed where ${meets(args, dialect)}`,
    ),
    numbered: pageStatement(range),
  };
};

/** The contacts that had a call or message, in the order of the last one. */
const byActivity =
  (direction: 'asc' | 'desc'): Range =>
  ({ workspace, last_activity_since, last_activity_before }) => {
    const order = sql.raw(direction);
    return sql`select ${COLUMNS} from calls as latest cross join contacts
      where latest.workspace_id = ${workspace} and latest.contact_id is not null
      and latest.started_at >= ${last_activity_since} and latest.started_at < ${last_activity_before}
      and not exists (select 1 from calls as later where later.workspace_id = ${workspace}
        and later.contact_id = latest.contact_id and (later.started_at, later.id) > (latest.started_at, latest.id))
      and contacts.workspace_id = ${workspace} and contacts.id = latest.contact_id
      order by latest.started_at ${order}, latest.seq ${order}`;
  };

export const activityPages = {
  last_activity_at: pageStatement(byActivity('asc')),
  '-last_activity_at': pageStatement(byActivity('desc')),
};

export const rangeStatements = Object.fromEntries(
  Object.entries(ranges).map(([name, range]) => [name, statementsOf(range)]),
) as Record<RangeName, RangeStatements>;

export { WITHOUT_EMAIL, WITHOUT_NAME };
