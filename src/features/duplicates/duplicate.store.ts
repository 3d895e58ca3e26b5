import { sql } from 'kysely';
import type { SqlDialect } from '../../db/dialect.ts';
import { columnsOf, type Keys, namesOf, number, rowsOf, text, typed } from '../../db/rows.ts';
import { derivedStatement, statement } from '../../db/statement.ts';
import { typeId } from '../../lib/ids.ts';
import type { ContactRow } from '../contacts/contact.store.ts';
import type { FindAwaited } from '../events/event.followers.ts';
import type { DuplicateReason } from './duplicate.keys.ts';

export const duplicateId = typeId('duplicate');

const follower = {
  workspace_id: number,
  /** The position of the last event whose contact was compared. */
  followed_until: number,
  /** The `seq` of the last contact that was compared, while all are. */
  walked_until: typed<number | null>(),
};
const followers = rowsOf<typeof follower>({ table: 'duplicate_followers' });
export const findFollower = followers.find(namesOf(follower), { by: {} });
export const lockFollower = followers.lock(namesOf(follower), { by: {} });
export const insertFollower = statement(
  ({ workspace, position }: { workspace: number; position: number }) => sql<never>`
    insert into duplicate_followers (workspace_id, followed_until, walked_until) values (${workspace}, ${position}, 0)
    on conflict (workspace_id) do nothing`,
);
export const updateFollower = followers.set(['followed_until', 'walked_until'], { by: {} });

/** Whether the follower of a workspace waits for events that have happened. */
export const findAwaited: FindAwaited = derivedStatement(
  ({ workspace, after }: { workspace: number; after: string }) => sql<{ id: string }>`
    select subject as id from jobs join duplicate_followers as f on f.workspace_id = ${workspace}
    where jobs.workspace_id = ${workspace} and jobs.kind = 'duplicates.following' and jobs.due_at > ${after}
    and ((select max(seq) from events where workspace_id = ${workspace}) > f.followed_until
      or (select min(seq) from events where workspace_id = ${workspace}) < 0)`,
);

/** All changes of keys, groups and dismissals of a workspace take turns, under the locks of their contacts. */
export const lockDuplicates = statement(
  ({ workspace, name }: { workspace: number; name: string }, dialect) => sql<{ locked: unknown }>`
    select ${dialect.advisoryLock(name)} as locked from workspaces where id = ${workspace}`,
);

export const nextContacts = statement(
  ({ workspace, after, limit }: { workspace: number; after: number; limit: number }) => sql<{
    id: string;
    seq: number;
  }>`
    select id, seq from contacts where workspace_id = ${workspace} and seq > ${after} order by seq limit ${limit}`,
);
export const findLastContact = statement(
  ({ workspace }: { workspace: number }) => sql<{ seq: number | null }>`
    select max(seq) as seq from contacts where workspace_id = ${workspace}`,
);

/** What a group shows of its contacts. */
export const findShown = rowsOf<ContactRow>({ table: 'contacts' }).findMany([
  'id',
  'phone_number',
  'first_name',
  'last_name',
  'display_name',
  'email',
  'company',
]);

const keyRow = { workspace_id: number, key: text, contact_id: text };
const keys = rowsOf<typeof keyRow>({ table: 'duplicate_keys' });
/** A condition on the rows of some contacts, a JSON array. */
const ofContacts = (column: string, contacts: string, dialect: SqlDialect) =>
  dialect.isAmongFew(sql.ref(column), sql`select value from ${dialect.eachText(contacts)}`);
export const findKeysOf = statement(
  ({ workspace, keys: contacts }: Keys, dialect) => sql<{ key: string; contact_id: string }>`
    select key, contact_id from duplicate_keys
    where workspace_id = ${workspace} and ${ofContacts('contact_id', contacts, dialect)}`,
);
export const insertKeys = keys.insertAll(namesOf(keyRow));
export const deleteKey = keys.removeBy({ by: { key: 'key', contact: 'contact_id' } });
/** Like `eraseChanges` of bulk jobs. */
export const eraseKeys = statement(
  ({ workspace, keys: contacts }: Keys, dialect) => sql<never>`
    with gone as materialized (select value as contact_id from ${dialect.eachText(contacts)})
    delete from duplicate_keys where workspace_id = ${workspace}
    and ${dialect.isAmongFew(sql.ref('contact_id'), sql`select contact_id from gone`)}`,
);
/** The keys that several of some contacts have. */
export const findCommonKeys = statement(
  ({ workspace, keys: contacts }: Keys, dialect) => sql<{ key: string }>`
    select key from duplicate_keys where workspace_id = ${workspace}
    and ${ofContacts('contact_id', contacts, dialect)} group by key having count(*) > 1`,
);
/** For each key: the id of its group, and its first contacts, separated by commas. */
export const findMembers = statement(
  ({ workspace, keys, limit }: Keys & { limit: number }, dialect) => sql<{
    key: string;
    id: string | null;
    members: string | null;
  }>`
    with given as materialized (select value as key from ${dialect.eachText(keys)})
    select given.key as key, g.id as id, (
      select string_agg(contact_id, ',') from (
        select k.contact_id as contact_id from duplicate_keys as k
        where k.workspace_id = ${workspace} and k.key = given.key order by k.contact_id limit ${limit}
      ) as first
    ) as members
    from given left join duplicate_groups as g on g.workspace_id = ${workspace} and g.key = given.key`,
);

const group = {
  workspace_id: number,
  id: text,
  key: text,
  reason: typed<DuplicateReason>(),
  dismissed: number,
  created_at: text,
  updated_at: text,
};
export type GroupRow = typeof group;
const GROUP = namesOf(group);
const groups = rowsOf<GroupRow>({ table: 'duplicate_groups' });
export const findGroup = groups.find(GROUP);
export const findGroupsByKey = groups.findMany(GROUP, 'key');
export const insertGroups = groups.insertAll(GROUP, undefined, { integers: ['dismissed'] });
export const updateGroup = groups.set(['dismissed', 'updated_at']);
export const deleteGroup = groups.remove;
/** Newest first. */
export const listGroups = statement(
  (args: {
    workspace: number;
    dismissed: number;
    reason: string;
    before: string;
    limit: number;
  }) => sql<GroupRow>`
    select ${columnsOf(GROUP)} from duplicate_groups where workspace_id = ${args.workspace}
    and dismissed = ${args.dismissed} and reason = ${args.reason} and id < ${args.before}
    order by id desc limit ${args.limit}`,
);

const dismissal = { workspace_id: number, contact_id: text, other_id: text };
export type Pair = Pick<typeof dismissal, 'contact_id' | 'other_id'>;
const dismissals = rowsOf<typeof dismissal>({ table: 'duplicate_dismissals' });
export const findDismissals = statement(
  ({ workspace, keys: contacts }: Keys, dialect) => sql<Pair>`
    select contact_id, other_id from duplicate_dismissals
    where workspace_id = ${workspace} and ${ofContacts('contact_id', contacts, dialect)}`,
);
export const insertDismissal = statement(
  ({ workspace, contact_id, other_id }: { workspace: number } & Pair) => sql<never>`
    insert into duplicate_dismissals (workspace_id, contact_id, other_id)
    values (${workspace}, ${contact_id}, ${other_id}) on conflict (workspace_id, contact_id, other_id) do nothing`,
);
export const deleteDismissal = dismissals.removeBy({
  by: { contact_id: 'contact_id', other_id: 'other_id' },
});
const eraseBy = (column: 'contact_id' | 'other_id') =>
  statement(
    ({ workspace, keys: contacts }: Keys, dialect) => sql<never>`
      with gone as materialized (select value as contact from ${dialect.eachText(contacts)})
      delete from duplicate_dismissals where workspace_id = ${workspace}
      and ${dialect.isAmongFew(sql.ref(column), sql`select contact from gone`)}`,
  );
export const eraseDismissals = [eraseBy('contact_id'), eraseBy('other_id')];
