import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/db.ts';
import { columnsOf } from '../../db/rows.ts';
import { statement } from '../../db/statement.ts';
import { parseUuid } from '../../lib/ids.ts';
import { equals } from '../../records/list.declaration.ts';
import { List } from '../../records/list.ts';
import {
  VERSION_COLUMNS as COLUMNS,
  configHash,
  type Version,
  type VersionRow,
  version,
} from './agent.store.ts';
import { type DeployedBy, type DeployRow, deployer, deployerNames } from './deploy.store.ts';

type AgentKey = { workspace: number; agent: string };
type VersionKey = AgentKey & { version: string | number };

const find = <K extends AgentKey>(which: (key: K) => RawBuilder<unknown>) =>
  statement(
    (key: K) => sql<Version>`
      select ${version} from agent_versions as v
      where v.workspace_id = ${key.workspace} and v.agent_id = ${key.agent} ${which(key)}`,
  );
const findById = find(({ version: id }: VersionKey) => sql`and v.id = ${id}`);
const findByNumber = find(({ version: number }: VersionKey) => sql`and v.number = ${number}`);
const findNewest = find(() => sql`order by v.number desc limit 1`);

const LABEL = /^v([1-9]\d{0,8})$/;

/** How a request names a version: by its id, or by its label, such as `v3`. */
export const versionBy = (version: string): ['number', number] | ['id', string] => {
  const number = LABEL.exec(version)?.[1];
  return number === undefined ? ['id', parseUuid(version) ?? ''] : ['number', Number(number)];
};

/** The newest version if none is named. */
export const findVersion = async (
  db: Db,
  workspace: number,
  { agent, version: named }: { agent: string; version?: string | undefined },
): Promise<Version | undefined> => {
  if (named === undefined) return db.get(findNewest, { workspace, agent });
  const [by, value] = versionBy(named);
  return db.get(by === 'number' ? findByNumber : findById, { workspace, agent, version: value });
};

/** Versions are numbered without gaps. */
export const countVersions = statement(
  ({ workspace, agent }: AgentKey) => sql<{ count: number | null }>`
    select max(number) as count from agent_versions where workspace_id = ${workspace} and agent_id = ${agent}`,
);

/** A version with the names of its author and of the version that it is based on, and its last deploy, if there is one. */
export type ListedVersion = Omit<VersionRow, 'instructions' | 'config' | 'config_sha256' | 'note'> & {
  config_sha256: string;
} & {
  [C in keyof (DeployedBy & LastDeploy)]: (DeployedBy & LastDeploy)[C] | null;
} & {
  version_note: string | null;
  created_by_email: string | null;
  created_by_key_name: string | null;
  base_id: string | null;
  base_number: number | null;
  base_agent_id: string | null;
  base_agent_name: string | null;
  base_agent_deleted_at: string | null;
};
type LastDeploy = Pick<DeployRow, 'deployed_at' | 'deployed_by' | 'note'>;

const LISTED = COLUMNS.filter((column) => column !== 'instructions' && column !== 'config');

/** Newest first. */
export const versionList = new List({
  table: 'agent_versions',
  alias: 'v',
  filters: { agent: equals('agent_id'), id: equals('id') },
  orders: { newest: { ranges: [{ by: 'id' }, { by: 'agent' }, {}], keys: ['number'] } },
});

export const listedVersions = versionList.view<ListedVersion>({
  columns: LISTED,
  wrap: (versions, { workspace }, order) => sql`
    select ${columnsOf(
      LISTED.filter((column) => column !== 'note' && column !== 'config_sha256'),
      'v',
    )}, ${configHash}, v.note as version_note, author.email as created_by_email, writer.name as created_by_key_name,
      b.id as base_id, b.number as base_number, a.id as base_agent_id, a.name as base_agent_name,
      a.deleted_at as base_agent_deleted_at, d.deployed_at, d.deployed_by, d.note, ${deployerNames}
    from (${versions}) as v
    left join users as author on author.workspace_id = ${workspace} and author.id = v.created_by
    left join keys as writer on writer.workspace_id = ${workspace} and writer.id = v.created_by
    left join agent_versions as b on b.workspace_id = ${workspace} and b.id = v.based_on
    left join agents as a on a.workspace_id = ${workspace} and a.id = b.agent_id
    left join deploys as d on d.workspace_id = ${workspace} and d.agent_id = v.agent_id and d.number = (
      select max(l.number) from deploys as l where l.workspace_id = ${workspace} and l.version_id = v.id
    )
    ${deployer('d', workspace)}
    order by ${order}`,
});
