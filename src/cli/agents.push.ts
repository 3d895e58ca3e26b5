import { canonicalHash } from '../lib/canonical-json.ts';
import { withMember } from '../lib/json.ts';
import {
  type LocalAgent,
  readAgent,
  readAgents,
  requireAgents,
  requireUnedited,
  sameConfig,
  sameVersion,
  writeBase,
} from './agents.folder.ts';
import { describe } from './agents.plan.ts';
import {
  agentPath,
  type Comparison,
  compare,
  compareAll,
  idOf,
  naming,
  type RemoteAgent,
  readRemote,
} from './agents.state.ts';
import { request, ServiceError } from './client.ts';
import { type ParsedArgs, table } from './command.ts';
import { type Connection, connect } from './connection.ts';

interface Push {
  readonly connection: Connection;
  readonly root: string;
  readonly note: string | undefined;
  readonly isConfirmed: boolean;
}

/** An agent on the service before a change, by its ETag. */
type Target = Omit<RemoteAgent, 'deployed' | 'isDraft'>;

/** Sends a change, unless the agent has changed since it was read. */
const change = async ({ connection }: Push, method: string, path: string, { etag }: Target, body: string) => {
  try {
    return await request(connection, method, path, { headers: { 'if-match': etag }, body });
  } catch (error) {
    if (error instanceof ServiceError && error.status === 412)
      error.message = 'changed on the service meanwhile. Nothing was overwritten: pull it, or push again.';
    throw error;
  }
};

const rename = async (push: Push, target: Target, name: string): Promise<Target> => {
  const { headers } = await change(push, 'PATCH', agentPath(target.id), target, JSON.stringify({ name }));
  return { ...target, name, etag: headers.get('etag') ?? '' };
};

/** Creates a version of what has changed. Returns its label. */
const createVersion = async (push: Push, target: Target, local: LocalAgent): Promise<string> => {
  const { instructions } = local;
  const { note } = push;
  const members = {
    based_on: target.version,
    ...(note !== undefined && { note }),
    ...(instructions !== target.instructions && { instructions }),
  };
  const json = JSON.stringify(members);
  // The config is sent as it is in the file.
  const body = sameConfig(local, target) ? json : withMember(json, 'config', local.config);
  const response = await change(push, 'POST', agentPath(target.id, '/versions'), target, body);
  return response.body.data.version_label;
};

const baseOf = ({ version, name }: Target) => ({ version, name });

/** Records the version that a folder was pushed as. Keeps a name that was edited meanwhile. */
const record = (root: string, folder: string, target: Target): void =>
  writeBase(root, { ...readAgent(root, folder), id: target.id }, baseOf(target));

/** Creates an agent. Its id is recorded immediately, so that a push after a failure does not create it again; a push
 *  whose record was lost gets the same agent by the key, unless that was deleted. */
const createAgent = async ({ connection, root }: Push, local: LocalAgent): Promise<Target> => {
  const { folder, name, instructions, config } = local;
  const body = JSON.stringify({ name, instructions });
  const create = (headers = {}) => request(connection, 'POST', '/v1/agents', { body, headers });
  let response = await create({ 'idempotency-key': canonicalHash([folder, name, instructions, config]) });
  const isRepeated = response.headers.get('idempotent-replayed') === 'true';
  const existing = isRepeated && (await readRemote(connection, idOf(response.body.data)));
  if (existing === 'deleted') response = await create();
  const id = idOf(response.body.data);
  const etag = response.headers.get('etag') ?? '';
  const target = { id, name, instructions, config: '{}', version: 'v1', etag };
  const saved = { ...local, id, base: baseOf(target) };
  record(root, folder, target);
  if (typeof existing !== 'object') return target;
  const { state } = await compare(connection, saved, existing);
  if (state === 'unchanged' || state === 'changed') return existing;
  throw new ServiceError(
    'an earlier push created this agent, and it has changed on the service since. Its id was recorded. Push or pull again.',
  );
};

/** Makes the service equal to the folder. Returns the agent's id and the label of the version. */
const pushAgent = async (push: Push, { local, remote, state }: Comparison) => {
  let target: Target = remote ?? (await createAgent(push, local));
  if (target.name !== local.name) target = await rename(push, target, local.name);
  const version = sameVersion(local, target) ? target.version : await createVersion(push, target, local);
  target = { ...target, version };
  if (state === 'new' || local.base?.version !== version || local.base.name !== local.name)
    record(push.root, local.folder, target);
  return { id: target.id, version };
};

const deploy = ({ connection, note, isConfirmed }: Push, id: string, version: string) =>
  request(connection, 'POST', agentPath(id, `/versions/${version}/deploy`), {
    body: JSON.stringify({ note: note ?? null, confirm_unknown_variables: isConfirmed }),
  });

const refuse = (problems: readonly Comparison[]): ServiceError =>
  new ServiceError(
    [
      ...problems.map(describe),
      'Nothing was pushed. To merge, commit your edit, pull with --force and take your lines back. Or push with --force: all versions are kept.',
      ...(problems.some(({ state }) => state === 'deleted')
        ? [
            'For a deleted agent, remove its folder, or "id" and "base" from its agent.json to create it again.',
          ]
        : []),
    ].join('\n'),
  );

interface Result {
  readonly folder: string;
  readonly id: string | null;
  readonly version: string | null;
  readonly result: string;
  readonly deployed: boolean;
}

const RESULTS = { new: 'created', changed: 'updated', conflict: 'updated', unchanged: 'unchanged' } as const;

const pushOne = async (push: Push, comparison: Comparison, isDeploying: boolean): Promise<Result> => {
  const { local, remote, state } = comparison;
  const { id, version } = await pushAgent(push, comparison);
  // Another version that was deployed before is left alone: someone has rolled it back.
  const isNew = version !== remote?.version || remote.isDraft;
  if (isDeploying && isNew)
    await deploy(push, id, version).catch((error: Error) => {
      error.message = `${version} was pushed, but not deployed. ${error.message}`;
      throw error;
    });
  const result = RESULTS[state as keyof typeof RESULTS] ?? 'updated';
  return {
    folder: local.folder,
    id,
    version,
    result,
    deployed: remote?.deployed === version || (isDeploying && isNew),
  };
};

/** Creates versions of the agents that have changed in the folder. All of them are compared before the first one is changed. */
export const push = async (args: ParsedArgs): Promise<void> => {
  const [root = ''] = args.operands;
  const isForced = args.flag('force');
  const isConfirmed = args.flag('confirm-unknown-variables');
  const locals = requireAgents(root);
  const connection = connect(args, 'agents:read,agents:write');
  const comparisons = await compareAll(connection, locals);
  const problems = comparisons.filter(
    ({ state }) => state === 'deleted' || (state === 'conflict' && !isForced),
  );
  if (problems.length > 0) throw refuse(problems);
  requireUnedited(root, locals, readAgents(root));
  const results: Result[] = [];
  try {
    for (const comparison of comparisons) {
      const { local, remote, state } = comparison;
      const work = { connection, root, note: args.text('note'), isConfirmed };
      if (state === 'behind' && !isForced)
        results.push({
          folder: local.folder,
          id: remote?.id ?? null,
          version: remote?.version ?? null,
          result: 'behind: pull it',
          deployed: remote?.deployed === remote?.version,
        });
      else results.push(await naming(local.folder, pushOne(work, comparison, args.flag('deploy'))));
    }
  } finally {
    const rows = results.map(({ folder, version, result, deployed }) => [
      ...[folder, version ?? '', result, deployed ? 'yes' : 'no'],
    ]);
    if (results.length > 0) args.print(results, table(['AGENT', 'VERSION', 'RESULT', 'DEPLOYED'], rows));
  }
};
