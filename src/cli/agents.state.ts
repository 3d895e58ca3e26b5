import { memberText } from '../lib/json.ts';
import { type AgentContent, isId, type LocalAgent, sameContent } from './agents.folder.ts';
import { listRecords, request, ServiceError, type ServiceResponse } from './client.ts';
import type { Connection } from './connection.ts';

/** An agent on the service, with one of its versions. */
export interface RemoteAgent extends AgentContent {
  readonly id: string;
  readonly etag: string;
  /** The label of the version. */
  readonly version: string;
  /** The label of the deployed version. */
  readonly deployed: string | undefined;
  /** Whether the version was never deployed. */
  readonly isDraft: boolean;
}

export const agentPath = (id: string, path = ''): string => `/v1/agents/${encodeURIComponent(id)}${path}`;

/** Adds the folder to an error of the service. */
export const naming = async <T>(folder: string, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ServiceError) error.message = `${folder}: ${error.message}`;
    throw error;
  }
};

const readVersion = async (connection: Connection, id: string, version: string) => {
  const path = agentPath(id, `/versions/${encodeURIComponent(version)}`);
  const { text, body } = await request(connection, 'GET', path);
  // Parsing would change the numbers of the config.
  const config = memberText(memberText(text, 'data') ?? '{}', 'config') ?? '{}';
  return { instructions: body.data.instructions as string, config };
};

/** The agent with its newest or its deployed version, or why there is none. */
export const readRemote = async (
  connection: Connection,
  id: string,
  deployed = false,
): Promise<RemoteAgent | 'deleted' | 'not deployed'> => {
  let response: ServiceResponse;
  try {
    response = await request(connection, 'GET', agentPath(id));
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return 'deleted';
    throw error;
  }
  const { name, deployed_version, versions } = response.body.data;
  const version = (deployed ? deployed_version : versions[0])?.version_label;
  if (version === undefined) return 'not deployed';
  const isDraft = !deployed && versions[0].deployment_status === 'draft';
  const content = await readVersion(connection, id, version);
  const etag = response.headers.get('etag') ?? '';
  return { id, name, etag, version, deployed: deployed_version?.version_label, isDraft, ...content };
};

/** An id that the service sent. It becomes a part of paths. */
export const idOf = ({ id }: Record<string, unknown>): string => {
  if (isId(id)) return id;
  throw new ServiceError(`The service sent an agent whose id is not a UUID: ${id}.`);
};

/** The ids of all agents, oldest first. Pages shift if agents are created or deleted meanwhile: an id may be missing. */
export const listAgentIds = async (connection: Connection): Promise<string[]> => {
  const { records } = await listRecords(connection, '/v1/agents');
  return records.map(idOf).reverse();
};

/** How an agent's folder and the service differ since they were last equal:
 *  - new: the service does not know it
 *  - changed, behind: only the folder, or only the service has changes
 *  - conflict: both have
 *  - deleted: the service no longer has it */
export type State = 'new' | 'unchanged' | 'changed' | 'behind' | 'conflict' | 'deleted';

export interface Comparison {
  readonly local: LocalAgent;
  readonly remote?: RemoteAgent;
  readonly state: State;
}

/** Compares a folder with the service, and both with the version that they had in common. */
export const compare = async (
  connection: Connection,
  local: LocalAgent,
  remote: RemoteAgent,
): Promise<Required<Comparison>> => {
  const stateOf = async (): Promise<State> => {
    const { id = '', base } = local;
    if (sameContent(local, remote)) return 'unchanged';
    if (!base) return 'conflict';
    const content =
      base.version === remote.version ? remote : await readVersion(connection, id, base.version);
    const before = { ...content, name: base.name };
    if (sameContent(local, before)) return 'behind';
    return sameContent(remote, before) ? 'changed' : 'conflict';
  };
  return { local, remote, state: await stateOf() };
};

/** Compares every folder with the newest version on the service. */
export const compareAll = async (
  connection: Connection,
  locals: readonly LocalAgent[],
): Promise<Comparison[]> => {
  const compareOne = async (local: LocalAgent): Promise<Comparison> => {
    if (local.id === undefined) return { local, state: 'new' };
    const remote = await readRemote(connection, local.id);
    return typeof remote === 'string' ? { local, state: 'deleted' } : compare(connection, local, remote);
  };
  const comparisons: Comparison[] = [];
  for (const local of locals) comparisons.push(await naming(local.folder, compareOne(local)));
  return comparisons;
};
