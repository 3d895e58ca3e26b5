import { sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import { statementsOver } from '../../db/statement.ts';
import { activeVersion } from '../agents/deploy.service.ts';
import { type ContactVariable, unknownVariablesIn, variablesIn } from '../agents/placeholders.ts';
import { namesFor } from '../agents/variable.service.ts';
import type { Principal } from '../workspaces/principal.ts';
import { getCampaign } from './campaign.service.ts';
import { sumOf } from './enrollment.counts.ts';
import { countsWithoutValue, missingValues } from './impact.service.ts';

const statement = statementsOver<object>();

/** Counts the contacts without a value for each variable, among those of a campaign that are not done. */
const countMissing = statement(
  (_, { workspace, campaign }: { workspace: number; campaign: string }) =>
    sql<Record<ContactVariable, number>>`select ${countsWithoutValue} from enrollments as e
    join contacts as c on c.workspace_id = ${workspace} and c.id = e.contact_id
    where e.workspace_id = ${workspace} and e.campaign_id = ${campaign} and e.status in ('pending', 'in_progress')`,
);

/** What to ask before a campaign starts. */
export const checkCampaignStart = longRead(
  'checkCampaignStart',
  async (db: Db, principal: Principal, { id }: { id: string }) => {
    const { workspace } = principal;
    const { id: campaign, agent, enrolled } = await getCampaign(db, principal, { id });
    const version = agent.deleted ? undefined : await activeVersion(db, principal, { agent: agent.id });
    const text = version?.instructions ?? '';
    const hasVariables = variablesIn(text).length > 0;
    const counts = hasVariables ? await db.get(countMissing, { workspace, campaign }) : undefined;
    const missing = missingValues(text, counts).filter((each) => each.contacts_without_value > 0);
    const unknown = unknownVariablesIn(text, await namesFor(db, { workspace, agent: agent.id }, text));
    const total = sumOf(enrolled);
    return {
      ready: version !== undefined && total > 0 && missing.length === 0 && unknown.length === 0,
      deployed_version: version ? { id: version.id, version_label: version.version_label } : null,
      agent_deleted: agent.deleted,
      enrolled: total,
      pending: enrolled.pending ?? 0,
      missing_values: missing,
      unknown_variables: unknown.map(({ placeholder }) => placeholder),
    };
  },
);
