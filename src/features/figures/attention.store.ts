import { type RawBuilder, sql } from 'kysely';
import { statement } from '../../db/statement.ts';

/** How many records of a kind are listed. */
export const MAX_OF_KIND = 5;

export type Listed = { kind: string; id: string; name: string; at: string | null };
type Times = { workspace: number; now: string; anHourAgo: string; tomorrow: string; nextWeek: string };
/** The columns of a kind's name and time, and the rest of its select. */
type Branch = readonly [name: string, at: string, from: RawBuilder<unknown>];

const kinds = (branches: (args: Times) => Readonly<Record<string, Branch>>) =>
  statement((args: Times) => {
    const selects = Object.entries(branches(args)).map(
      ([kind, [name, at, from]]) => sql`select ${sql.lit(kind)} as kind, id, name, at from (
        select id, ${sql.ref(name)} as name, ${sql.ref(at)} as at from ${from} order by id limit ${sql.lit(MAX_OF_KIND)}) as found`,
    );
    return sql<Listed>`${sql.join(selects, sql` union all `)}`;
  });

const oldSecrets = (table: string, name: string, { workspace, now, tomorrow }: Times): Branch => [
  name,
  'old_secret_expires_at',
  sql`${sql.table(table)} where workspace_id = ${workspace}
    and old_secret_expires_at > ${now} and old_secret_expires_at <= ${tomorrow}`,
];

/** Of records of which a workspace has few. */
export const findForOwners = kinds((args) => {
  const endpoints = sql`webhook_endpoints where workspace_id = ${args.workspace}`;
  const keys = sql`keys where workspace_id = ${args.workspace} and revoked_at is null`;
  return {
    'webhook.disabled': ['url', 'updated_at', sql`${endpoints} and status = 'disabled'`],
    'webhook.failing': ['url', 'failing_since', sql`${endpoints} and status = 'active' and failing_since <= ${args.anHourAgo}`],
    'key.expiring': ['name', 'expires_at', sql`${keys} and expires_at > ${args.now} and expires_at <= ${args.nextWeek}`],
    'webhook.old_secret': oldSecrets('webhook_endpoints', 'url', args),
    'integration.old_secret': oldSecrets('integrations', 'name', args),
  };
}); // biome-ignore format: a table

/** Deployed agents without a channel, and those of about the last 50 imports that nobody has applied. */
export const findForMembers = kinds((args) => ({
  'channel.old_secret': oldSecrets('channels', 'name', args),
  'import.planned': ['name', 'created_at', sql`imports where workspace_id = ${args.workspace} and state = 'planned'
    and seq > (select max(seq) - 50 from imports where workspace_id = ${args.workspace})`],
  'agent.unconnected': ['name', 'updated_at', sql`agents as a where workspace_id = ${args.workspace} and deleted_at is null and exists (
      select 1 from agent_versions where workspace_id = ${args.workspace} and agent_id = a.id and status = 'deployed')
    and not exists (select 1 from channels where workspace_id = ${args.workspace} and agent_id = a.id)`],
})); // biome-ignore format: a table

type Active = { id: string; name: string; call_window: string | null; updated_at: string; waits: number };

/** The first active campaigns; `waits` is 1 if a contact has been due for an hour. Reads two ends of the queue of each. */
export const findActiveCampaigns = statement(
  ({ workspace, anHourAgo }: { workspace: number; anHourAgo: string }) => {
    const queued = sql`select 1 from enrollments where workspace_id = ${workspace} and campaign_id = k.id
      and (status = 'pending' or (status = 'in_progress' and leased = 1))`;
    return sql<Active>`
      select id, name, call_window, updated_at, case when exists (${queued} and available_at = '' and enrolled_at <= ${anHourAgo})
        or exists (${queued} and available_at > '' and available_at <= ${anHourAgo}) then 1 else 0 end as waits
      from campaigns as k where workspace_id = ${workspace} and status = 'active' and deleted_at is null order by seq limit 50`;
  },
);
