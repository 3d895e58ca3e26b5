import { sql } from 'kysely';
import { longRead } from '../../db/operation.ts';
import type { Keys } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import { parseUuid } from '../../lib/ids.ts';
import { equalTo } from '../../records/list.declaration.ts';
import { EVERY } from '../../records/list.ts';
import { versionSummary } from '../agents/agent.store.ts';
import { activeVersion, getVersion, type VersionKey } from '../agents/deploy.service.ts';
import { suggestionFor, unknownVariablesIn, variablesIn } from '../agents/placeholders.ts';
import { knownNames } from '../agents/variable.service.ts';
import { differenceOfTexts } from '../agents/version.difference.ts';
import { channelList, listedChannels } from '../channels/channel.store.ts';
import type { Principal } from '../workspaces/principal.ts';
import { campaignList, listedCampaigns } from './campaign.lists.ts';
import { findHoles } from './start-check.service.ts';

const countContacts = statement(
  ({ workspace, keys }: Keys, dialect) => sql<{ count: number }>`
    select count(distinct contact_id) as count from enrollments
    where workspace_id = ${workspace} and campaign_id in (select value from ${dialect.eachText(keys)})`,
);

/** What a deploy would change: which channels and contacts it affects, and how the versions differ. */
export const previewDeploy = longRead('previewDeploy', async (db, principal: Principal, key: VersionKey) => {
  const { workspace } = principal;
  const version = await getVersion(db, principal, key);
  const { instructions } = version;
  const agent = parseUuid(key.agent) ?? '';
  const active = await activeVersion(db, principal, { agent });
  const all = { workspace, limit: EVERY };
  const ofAgent = channelList.plan(equalTo({ agent }), 'newest');
  const channels = await channelList.page(db, ofAgent, listedChannels, all);
  const plan = campaignList.plan(equalTo({ agent, status: 'active' }), '-created_at');
  const campaigns = await campaignList.page(db, plan, listedCampaigns, all);
  const ids = campaigns.map(({ id }) => id);
  const counted = await db.get(countContacts, { workspace, keys: JSON.stringify(ids) });
  const holes = await findHoles(db, principal, { campaigns: ids, agent, version });
  const names = await knownNames(db, { workspace, agent });
  return {
    version: versionSummary(version),
    deployed_version: active ? { id: active.id, version_label: active.version_label } : null,
    channels:
      active?.id === version.id
        ? []
        : channels.map(({ id, kind, name, address }) => ({ id, kind, name, address })),
    campaigns: campaigns.map(({ id, name }) => ({ id, name })),
    enrolled_contacts: Number(counted?.count ?? 0),
    difference: differenceOfTexts(active, version),
    variables: variablesIn(instructions, names).map((name) => ({
      name,
      contacts_without_value: holes.byName.get(name)?.size ?? 0,
    })),
    is_complete: holes.is_complete,
    unknown_variables: unknownVariablesIn(instructions, names).map(({ placeholder, name }) => ({
      placeholder,
      suggestion: suggestionFor(name, names) ?? null,
    })),
  };
});
