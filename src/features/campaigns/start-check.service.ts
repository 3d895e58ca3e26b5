import type { Db } from '../../db/db.ts';
import { longRead } from '../../db/operation.ts';
import type { VersionText } from '../agents/agent.store.ts';
import { activeVersion } from '../agents/deploy.service.ts';
import { unknownVariablesIn } from '../agents/placeholders.ts';
import { parsedVersion, rendererOf } from '../agents/render.service.ts';
import { knownNames } from '../agents/variable.service.ts';
import { nameOf } from '../contacts/contact.schema.ts';
import type { Principal } from '../workspaces/principal.ts';
import { getCampaign } from './campaign.service.ts';
import { renderAll } from './enrollment.blocked.ts';
import { sumOf } from './enrollment.counts.ts';
import { walkWithStatus } from './enrollment.store.ts';

const OPEN = ['blocked', 'pending', 'in_progress'] as const;
const STEP = 500;
/** How many enrollments are examined: about a second. */
const MAX_EXAMINED = 20_000;
const MAX_SHOWN = 100;

interface Examined {
  readonly campaigns: readonly string[];
  readonly agent: string;
  readonly version: VersionText | undefined;
}

/** Finds the contacts of campaigns that a rendering claim would block, with the missing names. */
export const findHoles = async (db: Db, principal: Principal, { campaigns, agent, version }: Examined) => {
  const { workspace } = principal;
  /** The contacts without a value by the names, and the first of those who would be blocked. */
  const byName = new Map<string, Set<string>>();
  const found = { count: 0, is_complete: true, contacts: [] as object[], byName };
  if (!version || parsedVersion(version).names.size === 0) return found;
  const renderer = await rendererOf(db, principal, { agent, version });
  let left = MAX_EXAMINED;
  const queues = campaigns.flatMap((campaign) => OPEN.map((status) => ({ campaign, status })));
  for (const queue of queues) {
    for (let after = ''; ; ) {
      const args = { workspace, ...queue, after, limit: Math.min(STEP, left) + 1 };
      const rows = await db.all(walkWithStatus, args);
      const some = rows.slice(0, args.limit - 1);
      for (const { contact_id, contact, rendering } of await renderAll(db, principal, renderer, some)) {
        const { holes } = rendering;
        if (holes.length === 0) continue;
        found.count++;
        for (const name of holes) byName.set(name, (byName.get(name) ?? new Set()).add(contact_id));
        const shown = { contact_name: nameOf(contact), contact_phone_number: contact.phone_number, holes };
        if (found.contacts.length < MAX_SHOWN) found.contacts.push({ contact_id, ...shown });
      }
      left -= some.length;
      after = some.at(-1)?.contact_id ?? after;
      if (rows.length === some.length) break;
      if (left === 0) return { ...found, is_complete: false };
    }
  }
  return found;
};

/** What to ask before a campaign starts. */
export const checkCampaignStart = longRead(
  'checkCampaignStart',
  async (db, principal: Principal, { id }: { id: string }) => {
    const { workspace } = principal;
    const { id: campaign, agent, enrolled } = await getCampaign(db, principal, { id });
    const version = agent.deleted ? undefined : await activeVersion(db, principal, { agent: agent.id });
    const examined = { campaigns: [campaign], agent: agent.id, version };
    const { byName, ...blocked } = await findHoles(db, principal, examined);
    const names = await knownNames(db, { workspace, agent: agent.id });
    const unknown = unknownVariablesIn(version?.instructions ?? '', names);
    const total = sumOf(enrolled);
    return {
      ready: version !== undefined && total > 0 && blocked.count === 0 && unknown.length === 0,
      deployed_version: version ? { id: version.id, version_label: version.version_label } : null,
      agent_deleted: agent.deleted,
      enrolled: total,
      pending: enrolled.pending ?? 0,
      missing_values: [...byName].map(([name, contacts]) => ({
        name,
        contacts_without_value: contacts.size,
      })),
      blocked,
      unknown_variables: unknown.map(({ placeholder }) => placeholder),
    };
  },
);
