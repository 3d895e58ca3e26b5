import { sql } from 'kysely';
import { type Needle, search } from '../../db/search.ts';
import type { Arguments } from '../../db/statement.ts';
import { bothWays, equals, type Order } from '../../records/list.declaration.ts';
import { List, type Plan } from '../../records/list.ts';
import { matchesWords } from '../contacts/list.store.ts';
import type { CampaignSort, EnrollmentSort } from './campaign.schema.ts';
import type { ListedCampaign } from './campaign.store.ts';
import { LISTED, type ListedEnrollment, named } from './enrollment.store.ts';

/* The lists of campaigns and of their enrollments. */

const sorted = <N extends string>(name: N, ...keys: string[]) => bothWays(name, { ranges: [{}], keys });

export const campaignList = new List({
  table: 'campaigns',
  alias: 'k',
  filters: {
    status: equals('status'),
    agent: equals('agent_id'),
    /** A pattern in lower case. It reads the campaigns of the workspace, of which there are few. */
    text: (pattern, { dialect }) => sql`${dialect.lowerAscii(sql`k.name`)} like ${pattern} escape '\\'`,
  },
  orders: {
    ...sorted('created_at', 'seq'),
    ...sorted('name', 'name', 'seq'),
    ...sorted('updated_at', 'updated_at', 'seq'),
  } satisfies Record<CampaignSort, Order>,
  joins: () => sql`join agents as a on a.workspace_id = k.workspace_id and a.id = k.agent_id`,
  where: sql`k.deleted_at is null`,
  readsDerived: true,
});

export const listedCampaigns = campaignList.view<ListedCampaign>({
  columns: ['k.*', 'a.name as agent_name', 'a.deleted_at as agent_deleted_at'],
});

/** The order of the ids of contacts is that of their creation. The others are the order of the queue, so they are only for contacts
 *  that are in it. */
export const enrollmentList = new List({
  table: 'enrollments',
  alias: 'e',
  filters: {
    campaign_id: equals('campaign_id'),
    status: equals('status'),
    queued: () => sql`(e.status = 'pending' or (e.status = 'in_progress' and e.leased = 1))`,
  },
  orders: {
    ...sorted('contact', 'contact_id'),
    ...sorted('next_attempt', 'available_at', 'enrolled_at', 'contact_id'),
  } satisfies Record<EnrollmentSort, Order>,
  readsDerived: true,
});

export const namedEnrollments = enrollmentList.view<ListedEnrollment>({
  columns: ['e.*'],
  wrap: (rows, { workspace }, order) => named(workspace, rows, order),
});

type EnrolledNeedle = Needle & Arguments & { words: string; limit: number; offset: number };

/** With the last call of the campaign's agent since the enrollment. */
export const exportedEnrollments = enrollmentList.view<ListedEnrollment & { last_call_id: string | null }>({
  columns: ['e.*'],
  wrap: (rows, { workspace }, order) => sql`
    select e.*, (select c.id from calls as c where c.workspace_id = ${workspace} and c.contact_id = e.contact_id
      and c.medium = 'call' and c.agent_id = e.agent_id and c.started_at >= e.enrolled_at
      order by c.started_at desc, c.id desc limit 1) as last_call_id
    from (${named(workspace, rows, order)}) as e order by ${order}`,
});

/** Finds the contacts first, and then which of them are enrolled. `words` is a JSON array of patterns that a contact must match. */
export const enrolledSearch = (plan: Plan) =>
  enrollmentList.built('search', plan, (shape) =>
    search<EnrolledNeedle, ListedEnrollment & { total: number }>(({ from, seq }, args, dialect) => {
      const { conditions, order } = enrollmentList.parts(shape, args, dialect);
      const { workspace, words, limit, offset } = args;
      return sql`
        select ${LISTED}, count(*) over () as total from (select ${seq} as seq from ${from}) as found
        join contacts as p on p.workspace_id = ${workspace} and p.seq = found.seq
        join enrollments as e on e.workspace_id = ${workspace} and e.contact_id = p.id and ${conditions}
        join campaigns as k on k.workspace_id = ${workspace} and k.id = e.campaign_id
        where ${matchesWords(words, 'p', dialect)}
        order by ${order} limit ${limit} offset ${offset}`;
    }),
  );
