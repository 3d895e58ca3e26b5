import { longRead, read } from '../../db/operation.ts';
import { pickColumns } from '../../db/statement.ts';
import { existing } from '../../lib/errors.ts';
import { withMember } from '../../lib/json.ts';
import { type Page, type PageRequest, pageOf, pageRequestOf } from '../../lib/page.ts';
import { equalTo } from '../../records/list.declaration.ts';
import { isKeyWithout, type Principal } from '../workspaces/principal.ts';
import { labelOf, versionSummary } from './agent.store.ts';
import { getVersion, requireAgentId, type VersionKey, visibleTo } from './deploy.service.ts';
import * as store from './deploy.store.ts';
import { differenceOfTexts } from './version.difference.ts';
import { countVersions, type ListedVersion, listedVersions, versionList } from './version.store.ts';

const deployOf = (principal: Principal, { agent_deleted_at, ...deploy }: store.ListedDeploy) => ({
  ...visibleTo(principal)(deploy),
  agent_deleted: agent_deleted_at !== null,
});

/** The deploys of a version, an agent or the workspace, including those of deleted agents, newest first. */
export const listDeploys = longRead(
  'listDeploys',
  async (
    db,
    principal: Principal,
    { id: agent, version, ...query }: Partial<PageRequest> & Partial<Record<'id' | 'version', string>>,
  ): Promise<Page> => {
    const which =
      agent && version
        ? { version: (await getVersion(db, principal, { agent, version })).id }
        : agent
          ? { agent: await requireAgentId(db, principal, agent) }
          : {};
    const { workspace } = principal;
    const plan = store.deployList.plan(equalTo(which), 'newest');
    const page = { workspace, ...pageRequestOf(query) };
    const rows = await store.deployList.page(db, plan, store.listedDeploys, page);
    const deploys = rows.map((row) => deployOf(principal, row));
    return pageOf(deploys, await store.deployList.total(db, plan, workspace));
  },
);

/** Emails of users are shown to other users, and to keys that manage users. */
const versionOf = (principal: Principal, row: ListedVersion) => ({
  id: row.id,
  version_label: labelOf(row.number),
  deployment_status: row.status,
  created_at: row.created_at,
  created_by: row.created_by,
  created_by_email: isKeyWithout(principal, 'admin') ? null : row.created_by_email,
  created_by_key_name: row.created_by_key_name,
  based_on:
    row.base_id === null || row.base_number === null
      ? null
      : {
          agent_id: row.base_agent_id,
          agent_name: row.base_agent_name,
          agent_deleted: row.base_agent_deleted_at !== null,
          version_id: row.base_id,
          version_label: labelOf(row.base_number),
        },
  ...pickColumns(visibleTo(principal)(row), store.DEPLOYED),
  version_note: row.version_note,
  config_sha256: row.config_sha256,
});

/** A version with its instructions, its config, its origin and its last deploy, as JSON. */
export const describeVersion = read(
  'describeVersion',
  async (db, principal: Principal, key: VersionKey): Promise<{ json: string }> => {
    const { workspace } = principal;
    const { id, instructions, config } = await getVersion(db, principal, key);
    const plan = versionList.plan(equalTo({ id }), 'newest');
    const [found] = await versionList.page(db, plan, listedVersions, { workspace, limit: 1 });
    const head = JSON.stringify({
      ...versionOf(principal, existing('version of this agent', found)),
      instructions,
    });
    return { json: withMember(head, 'config', config) };
  },
);

/** One page of the versions of an agent, newest first. */
export const listVersions = longRead(
  'listVersions',
  async (db, principal: Principal, { id, ...query }: Partial<PageRequest> & { id: string }) => {
    const { workspace } = principal;
    const agent = await requireAgentId(db, principal, id);
    const plan = versionList.plan(equalTo({ agent }), 'newest');
    const rows = await versionList.page(db, plan, listedVersions, { workspace, ...pageRequestOf(query) });
    const versions = rows.map((row) => versionOf(principal, row));
    return pageOf(versions, (await db.get(countVersions, { workspace, agent }))?.count ?? 0);
  },
);

/** How two versions of an agent, by their ids or labels, differ. A long read, because a diff takes up to
 *  60 ms. */
export const compareVersions = longRead(
  'compareVersions',
  async (
    db,
    principal: Principal,
    { agent, from, to }: Readonly<Record<'agent' | 'from' | 'to', string>>,
  ) => {
    const older = await getVersion(db, principal, { agent, version: from });
    const newer = await getVersion(db, principal, { agent, version: to });
    return { from: versionSummary(older), to: versionSummary(newer), ...differenceOfTexts(older, newer) };
  },
);
