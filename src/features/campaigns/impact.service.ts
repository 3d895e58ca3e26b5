import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { statementsOver } from '../../db/statement.ts';
import { parseUuid } from '../../lib/ids.ts';
import { EVERY, equalTo } from '../../records/list.ts';
import { activeVersion, getVersion, type VersionKey } from '../agents/deploy.service.ts';
import { differenceOf } from '../agents/difference.ts';
import { contactVariables, suggestionFor, unknownVariablesIn, variablesIn } from '../agents/placeholders.ts';
import { knownNames } from '../agents/variable.service.ts';
import { channelList, listedChannels } from '../channels/channel.store.ts';
import type { Principal } from '../workspaces/principal.ts';
import { campaignList, listedCampaigns } from './campaign.lists.ts';

const statement = statementsOver<object>();

/** How many of the contacts `c` have no value for each variable. */
const countsWithoutValue = sql.join(
  contactVariables.map((field) => {
    const empty = sql.lit(field === 'tags' ? '[]' : field === 'crm_ids' ? '{}' : '');
    return sql`count(case when coalesce(c.${sql.ref(field)}, ${empty}) = ${empty} then 1 end) as ${sql.ref(field)}`;
  }),
);

type MissingCounts = Readonly<Record<string, number>>;

/** The variables of a text, with their counts. */
const missingValues = (instructions: string, counts: MissingCounts | undefined) =>
  variablesIn(instructions).map((name) => ({ name, contacts_without_value: counts?.[name] ?? 0 }));

/** Counts the contacts in the agent's active campaigns, and those without a value for each variable. */
const countWithoutValue = statement(
  (_, { workspace, agent }: { workspace: number; agent: string }) => sql<
    { contacts: number } & MissingCounts
  >`
    select count(*) as contacts, ${countsWithoutValue} from (
      select distinct e.contact_id from campaigns as k
      join enrollments as e on e.workspace_id = ${workspace} and e.campaign_id = k.id
      where k.workspace_id = ${workspace} and k.agent_id = ${agent} and k.status = 'active' and k.deleted_at is null
    ) as enrolled
    join contacts as c on c.workspace_id = ${workspace} and c.id = enrolled.contact_id`,
);

/** What a deploy would change: which channels and contacts it affects, and how the instructions differ. */
export const previewDeploy = longRead(
  'previewDeploy',
  async (db: Db, principal: Principal, key: VersionKey) => {
    const { workspace } = principal;
    const version = await getVersion(db, principal, key);
    const agent = parseUuid(key.agent) ?? '';
    const active = await activeVersion(db, principal, { agent });
    const all = { workspace, limit: EVERY };
    const ofAgent = channelList.plan(equalTo({ agent }), 'newest');
    const channels = await channelList.page(db, ofAgent, listedChannels, all);
    const plan = campaignList.plan(equalTo({ agent, status: 'active' }), '-created_at');
    const campaigns = await campaignList.page(db, plan, listedCampaigns, all);
    const counts = await db.get(countWithoutValue, { workspace, agent });
    const { instructions, ...summary } = version;
    const names = await knownNames(db, { workspace, agent });
    return {
      version: summary,
      deployed_version: active ? { id: active.id, version_label: active.version_label } : null,
      channels:
        active?.id === version.id
          ? []
          : channels.map(({ id, kind, name, address }) => ({ id, kind, name, address })),
      campaigns: campaigns.map(({ id, name }) => ({ id, name })),
      enrolled_contacts: counts?.contacts ?? 0,
      difference: differenceOf(
        { name: active?.version_label ?? '', text: active?.instructions ?? '' },
        { name: summary.version_label, text: instructions },
      ),
      variables: missingValues(instructions, counts),
      unknown_variables: unknownVariablesIn(instructions, names).map(({ placeholder, name }) => ({
        placeholder,
        suggestion: suggestionFor(name, names) ?? null,
      })),
    };
  },
);
